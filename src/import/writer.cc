#include <fmt/core.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <optional>
#include <set>
#include <utility>

#include "idne/import.h"
#include "idne/output_file.h"
#include "import/whole_number.h"
#include "math/parallel.h"
#include "text/dates.h"
#include "text/strings.h"

namespace idne {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFile = "documents.jsonl";

/// How OutputFile names what it writes beside its place: the process follows, and maybe more behind a "-".
constexpr std::string_view kPart = "documents.jsonl.part-";
/// No file that this process writes is older.
const fs::file_time_type kStarted = fs::file_time_type::clock::now() - std::chrono::seconds(1);

/// The process that writes a part, or did; nothing if its name does not tell.
std::optional<pid_t> writer_of(std::string_view part) {
  const std::string_view process = part.substr(kPart.size());
  const auto number = whole_number(process.substr(0, process.find('-')));
  if (!number || *number < 1 || !std::in_range<pid_t>(*number)) return {};
  return static_cast<pid_t>(*number);
}

/// Whether what a process began to write will never be finished.
bool is_left_over(const fs::directory_entry& part, pid_t writer) {
  std::error_code error;
  if (writer != ::getpid()) return ::kill(writer, 0) != 0 && errno == ESRCH;
  const auto written = part.last_write_time(error);  // in a container every run may have the same number
  return !error && written < kStarted;
}

/// Throws Error if the folder holds anything but a corpus that was imported, and parts of one that nobody writes any
/// more. Those that are left over for certain are removed.
void check_folder(const fs::path& folder, std::error_code& error) {
  std::vector<fs::path> left_over;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    std::error_code none;
    if (name == kFile) continue;
    if (!name.starts_with(kPart) || entry.symlink_status(none).type() != fs::file_type::regular) {
      throw Error(
          fmt::format("{}: has {}, which does not come from an import; name a new folder", folder.string(), name));
    }
    const auto writer = writer_of(name);
    if (!writer) continue;
    if (!is_left_over(entry, *writer)) {
      throw Error(fmt::format("{}: process {} is writing {}; wait for it to end, or name a new folder", folder.string(),
                              *writer, name));
    }
    left_over.push_back(entry.path());
  }
  std::error_code none;
  for (const fs::path& part : left_over) fs::remove(part, none);
}

std::vector<std::string> once(const std::vector<std::string>& values) {
  std::vector<std::string> result;
  std::set<std::string_view> seen;
  for (const std::string& value : values) {
    if (!value.empty() && seen.insert(value).second) result.push_back(value);
  }
  return result;
}

/// A JSON string. In text that is UTF-8, as nearly all is, only quotes, backslashes and line ends have short escapes:
/// corpora stay the same bytes from version to version.
void append_json(std::string& out, const std::string& text) {
  if (!is_utf8(text)) {
    out += json_quoted(text);
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (static_cast<unsigned char>(c) < ' ') {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

std::string line_of(const ImportedDocument& document) {
  std::string line;
  const auto key = [&line](const char* name) {
    line += line.empty() ? "{\"" : ",\"";
    line.append(name).append("\":");
  };
  const auto text = [&](const char* name, const std::string& value) {
    key(name);
    append_json(line, value);
  };
  const auto list = [&](const char* name, const std::vector<std::string>& values) {
    const auto distinct = once(values);
    if (distinct.empty()) return;
    key(name);
    char before = '[';
    for (const std::string& value : distinct) {
      line += before;
      append_json(line, value);
      before = ',';
    }
    line += ']';
  };
  line.reserve(document.text.size() + document.text.size() / 8 + 256);
  text("id", document.id);
  if (!document.title.empty()) text("title", document.title);
  if (const auto date = date_number(document.date)) text("date", iso_date(*date));
  text("text", document.text);
  list("labels", document.labels);
  list("links", document.links);
  list("groups", document.groups);
  return line += "}\n";
}

}  // namespace

struct CorpusWriter::File {
  explicit File(const fs::path& path) : output(path) {}
  OutputFile output;
  std::string waiting;  ///< lines that are not written yet
};

CorpusWriter::CorpusWriter(fs::path folder) : folder_(std::move(folder)) {
  std::error_code error;
  if (fs::exists(folder_)) {
    if (!fs::is_directory(folder_)) throw Error(fmt::format("{}: is there, and is no folder", folder_.string()));
    check_folder(folder_, error);
  } else {
    made_folder_ = fs::create_directories(folder_, error);
  }
  if (error) throw Error(fmt::format("{}: {}", folder_.string(), error.message()));
  file_ = std::make_unique<File>(folder_ / kFile);
}

CorpusWriter::~CorpusWriter() {
  file_.reset();  // without commit() nothing is left of it
  std::error_code ignored;
  if (made_folder_) fs::remove(folder_, ignored);  // if it is empty
}

void CorpusWriter::add(std::span<const ImportedDocument> documents, int threads) {
  std::vector<std::string> lines(documents.size());
  parallel_for(threads, lines.size(), [&](std::size_t i, std::size_t) { lines[i] = line_of(documents[i]); });
  for (const std::string& line : lines) file_->waiting += line;
  documents_ += lines.size();
  constexpr std::size_t kBufferBytes = 1 << 20;
  if (file_->waiting.size() < kBufferBytes) return;
  file_->output.write(file_->waiting);
  file_->waiting.clear();
}

void CorpusWriter::commit() {
  if (documents_ == 0) throw Error("nothing to import: no document was found");
  file_->output.write(file_->waiting);
  file_->output.commit();
  made_folder_ = false;
}

void ImportCounts::add(std::string_view what, std::uint64_t number) {
  const auto found =
      std::find_if(counts_.begin(), counts_.end(), [&](const auto& count) { return count.first == what; });
  if (found == counts_.end()) {
    counts_.emplace_back(what, number);
  } else {
    found->second += number;
  }
}

}  // namespace idne
