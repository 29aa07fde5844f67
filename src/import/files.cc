#include "import/files.h"

#include <fmt/core.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "text/numbers.h"

namespace idne {
namespace {

namespace fs = std::filesystem;

/// No page or note that a person wrote is larger; parsers need several times as much memory.
constexpr std::size_t kLargestFile = std::size_t{64} << 20;
constexpr std::string_view kSpaces = " \t\r\n\f\v";

class Lister {
 public:
  Lister(const fs::path& root, const std::vector<std::string_view>& ends, ImportCounts& counts, const Run& run,
         const std::vector<std::string>& exclude)
      : root_(root), ends_(ends), exclude_(exclude), fits_(exclude.size()), counts_(counts), run_(run) {}

  /// Folder by folder rather than with a recursive iterator, which holds a file open for each level.
  FolderFiles list() {
    std::error_code error;
    if (!fs::is_directory(root_, error)) {
      const bool is_file = fs::exists(root_, error);
      throw Error(
          fmt::format("{}: {}", root_.string(), is_file ? "is a file; a folder is needed here" : "no such folder"));
    }
    real_root_ = fs::canonical(root_, error);
    if (error) throw Error(fmt::format("{}: cannot read: {}", root_.string(), error.message()));
    waiting_.emplace_back();
    while (!waiting_.empty()) {
      const std::string folder = std::move(waiting_.back());
      waiting_.pop_back();
      list_one(folder);
      run_.check();
      run_.report({"list files", files_.wanted.size(), 0});
    }
    std::sort(files_.wanted.begin(), files_.wanted.end());
    for (std::size_t n = 0; n < exclude_.size(); ++n) {
      if (!fits_[n]) counts_.add(fmt::format("files and folders that --exclude {} fits", exclude_[n]), 0);
    }
    return std::move(files_);
  }

 private:
  void list_one(const std::string& folder) {
    std::error_code error;
    fs::directory_iterator entries(root_ / folder, error);
    while (!error && entries != fs::directory_iterator()) {
      add(folder, *entries);
      entries.increment(error);
    }
    if (!error) return;
    if (folder.empty()) throw Error(fmt::format("{}: cannot read: {}", root_.string(), error.message()));
    counts_.add("folders that cannot be read, passed over");
  }

  void add(const std::string& folder, const fs::directory_entry& entry) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with('.') || name == "node_modules") return;
    std::string path = folder.empty() ? name : folder + "/" + name;
    std::error_code none;
    if (is_excluded(path)) {
      ++files_.excluded;
      counts_.add(entry.is_directory(none) ? "folders left out by --exclude" : "files left out by --exclude");
      files_.others.insert(std::move(path));
      return;
    }
    if (entry.is_directory(none)) {
      files_.others.insert(path);
      if (entry.is_symlink(none)) return counts_.add("symbolic links to folders, not followed");
      return waiting_.push_back(std::move(path));
    }
    // What is neither a file nor a link, a pipe for example, could keep a reader waiting for ever.
    if (!entry.is_regular_file(none) && !entry.is_symlink(none)) return;
    if (!is_wanted(name)) {
      files_.others.insert(std::move(path));
    } else if (entry.is_symlink(none) && leads_out(entry.path())) {
      files_.others.insert(std::move(path));
      counts_.add("symbolic links out of the folder, not followed");
    } else {
      files_.wanted.push_back(std::move(path));
    }
  }

  bool is_excluded(const std::string& path) {
    bool excluded = false;
    for (std::size_t n = 0; n < exclude_.size(); ++n) {
      if (::fnmatch(exclude_[n].c_str(), path.c_str(), 0) == 0) excluded = fits_[n] = true;
    }
    return excluded;
  }

  bool leads_out(const fs::path& link) const {
    std::error_code error;
    const fs::path real = fs::canonical(link, error);
    if (error) return false;  // leads nowhere: counted when it cannot be read
    return std::mismatch(real_root_.begin(), real_root_.end(), real.begin(), real.end()).first != real_root_.end();
  }

  bool is_wanted(std::string_view name) const {
    const std::string small = lower_ascii(name);
    return std::any_of(ends_.begin(), ends_.end(),
                       [&](std::string_view end) { return small.size() > end.size() && small.ends_with(end); });
  }

  const fs::path& root_;
  fs::path real_root_;
  const std::vector<std::string_view>& ends_;
  const std::vector<std::string>& exclude_;
  std::vector<bool> fits_;  ///< anything, by the patterns of exclude_
  ImportCounts& counts_;
  const Run& run_;
  FolderFiles files_;
  std::vector<std::string> waiting_;
};

int hex_value(char c) {
  if (is_ascii_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

FolderFiles list_files(const fs::path& folder, const std::vector<std::string_view>& ends, ImportCounts& counts,
                       const Run& run, const std::vector<std::string>& exclude) {
  return Lister(folder, ends, counts, run, exclude).list();
}

FolderFiles list_some_files(const fs::path& folder, const std::vector<std::string_view>& ends, ImportCounts& counts,
                            const Run& run, const std::vector<std::string>& exclude) {
  FolderFiles files = list_files(folder, ends, counts, run, exclude);
  if (!files.wanted.empty()) return files;
  const std::string but_for = files.excluded == 0
                                  ? std::string()
                                  : fmt::format(" but for what --exclude leaves out: {}",
                                                counted(files.excluded, "file or folder", "files and folders"));
  throw Error(fmt::format("{}: nothing to import: no file ends in one of {}{}", folder.string(), fmt::join(ends, ", "),
                          but_for));
}

std::optional<std::string> read_beginning(const fs::path& file, std::size_t bytes) {
  std::error_code none;
  if (!fs::is_regular_file(file, none)) return std::nullopt;
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  std::string text(std::min<std::uintmax_t>(bytes, fs::file_size(file, none)), '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad()) return std::nullopt;
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

std::optional<std::string> read_file(const fs::path& file, ImportCounts& counts) {
  auto text = read_beginning(file, kLargestFile + 1);
  if (!text) {
    counts.add("files that cannot be read, passed over");
  } else if (text->size() > kLargestFile) {
    counts.add("files larger than 64 MB, passed over");
    return std::nullopt;
  }
  return text;
}

std::string on_one_line(std::string_view text) {
  std::string line;
  for (const char c : trimmed(text)) {
    const bool space = kSpaces.find(c) != std::string_view::npos;
    if (!space) {
      line.push_back(c);
    } else if (line.back() != ' ') {
      line.push_back(' ');
    }
  }
  return line;
}

std::string_view name_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::vector<std::string> folder_label(std::string_view path) {
  if (path.find('/') == std::string_view::npos) return {};
  return {valid_utf8(path.substr(0, path.find('/')))};
}

std::optional<std::string> plain_path(std::string_view path) {
  std::string result;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view step = path.substr(begin, end - begin);
    begin = end + 1;
    if (step.empty() || step == ".") continue;
    if (step != "..") {
      if (!result.empty()) result += '/';
      result += step;
    } else if (result.empty()) {
      return std::nullopt;
    } else {
      result.resize(folder_of(result).size());
    }
  }
  return result;
}

std::string without_escapes(std::string_view target) {
  std::string result;
  for (std::size_t at = 0; at < target.size(); ++at) {
    const bool escape =
        target[at] == '%' && at + 2 < target.size() && hex_value(target[at + 1]) >= 0 && hex_value(target[at + 2]) >= 0;
    if (!escape) {
      result += target[at];
      continue;
    }
    result += static_cast<char>(hex_value(target[at + 1]) * 16 + hex_value(target[at + 2]));
    at += 2;
  }
  return valid_utf8(result);
}

LinkPath link_path(std::string_view target, std::string_view folder) {
  const std::string path = without_escapes(trimmed(target.substr(0, target.find_first_of("#?"))));
  if (path.empty()) return {true, {}};
  return {false, plain_path(path.starts_with('/') ? path : fmt::format("{}/{}", folder, path))};
}

std::string scheme_of(std::string_view target) {
  target = trimmed(target);
  const std::size_t colon = target.find(':');
  if (colon == std::string_view::npos || !is_ascii_letter(target[0])) return {};
  const std::string_view scheme = target.substr(0, colon);
  const bool valid = std::all_of(scheme.begin(), scheme.end(), [](char c) {
    return is_ascii_letter(c) || is_ascii_digit(c) || c == '+' || c == '-' || c == '.';
  });
  return valid ? lower_ascii(scheme) : std::string();
}

bool leads_to_documents(std::string_view scheme) {
  constexpr std::array<std::string_view, 6> kOthers{"mailto", "tel", "javascript", "data", "sms", "about"};
  return std::find(kOthers.begin(), kOthers.end(), scheme) == kOthers.end();
}

}  // namespace idne
