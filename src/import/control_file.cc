#include "import/control_file.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>

#include "idne/error.h"
#include "import/files.h"

namespace idne {

std::string_view field(const Paragraph& paragraph, std::string_view name) {
  const auto found = paragraph.find(name);
  return found == paragraph.end() ? std::string_view() : std::string_view(found->second);
}

ControlFile::ControlFile(const std::filesystem::path& path)
    : name_(path.string()), archive_(archive_read_new(), &archive_read_free) {
  // Not "all": some of those start other programs.
  archive_read_support_filter_gzip(archive_.get());
  archive_read_support_filter_bzip2(archive_.get());
  archive_read_support_filter_xz(archive_.get());
  archive_read_support_filter_lzma(archive_.get());
  archive_read_support_filter_lz4(archive_.get());
  archive_read_support_filter_zstd(archive_.get());
  archive_read_support_format_raw(archive_.get());
  archive_read_support_format_empty(archive_.get());
  constexpr std::size_t kBlock = 1 << 17;
  if (archive_read_open_filename(archive_.get(), name_.c_str(), kBlock) != ARCHIVE_OK) fail_to_read();
  archive_entry* entry = nullptr;
  const int code = archive_read_next_header(archive_.get(), &entry);
  ended_ = code == ARCHIVE_EOF;
  if (!ended_ && code != ARCHIVE_OK) fail_to_read();
}

bool ControlFile::next_line(std::string_view& line) {
  for (std::size_t searched = begin_;;) {
    std::size_t end = buffer_.find('\n', searched);
    if (end == std::string::npos && !ended_) {
      buffer_.erase(0, begin_);
      begin_ = 0;
      searched = buffer_.size();
      read_on();
      continue;
    }
    if (end == std::string::npos && begin_ == buffer_.size()) return false;
    end = std::min(end, buffer_.size());
    line = std::string_view(buffer_).substr(begin_, end - begin_);
    if (line.ends_with('\r')) line.remove_suffix(1);
    begin_ = std::min(end + 1, buffer_.size());
    ++number_;
    return true;
  }
}

bool ControlFile::next(Paragraph& paragraph) {
  paragraph.clear();
  std::string* value = nullptr;
  for (std::string_view line; next_line(line);) {
    if (trimmed(line).empty()) {
      if (!paragraph.empty()) return true;
      continue;
    }
    if (line.front() == '#') continue;
    if (line.front() == ' ' || line.front() == '\t') {
      if (!value) fail("a line that goes on, with nothing before it");
      value->append("\n").append(line.substr(1));
      continue;
    }
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0) fail("a field such as \"Package: bash\" is needed here");
    std::string name(line.substr(0, colon));
    for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    value = &paragraph[std::move(name)];
    value->assign(trimmed(line.substr(colon + 1)));
  }
  return !paragraph.empty();
}

void ControlFile::fail(const std::string& what) const { throw Error(name_, number_, what); }

std::uint64_t ControlFile::bytes_read() const {
  return static_cast<std::uint64_t>(std::max<la_int64_t>(0, archive_filter_bytes(archive_.get(), -1)));
}

void ControlFile::fail_to_read() const {
  const char* why = archive_error_string(archive_.get());
  throw Error(fmt::format("{}: cannot read: {}", name_, why ? why : "not in a form that is known here"));
}

void ControlFile::read_on() {
  constexpr std::size_t kLongestLine = std::size_t{1} << 26;
  if (buffer_.size() > kLongestLine) {
    throw Error(name_, number_ + 1, "a line of more than 64 MiB; this is no list of packages");
  }
  const void* piece = nullptr;
  std::size_t size = 0;
  la_int64_t offset = 0;
  const int code = archive_read_data_block(archive_.get(), &piece, &size, &offset);
  ended_ = code == ARCHIVE_EOF;
  if (ended_) return;
  if (code != ARCHIVE_OK) fail_to_read();
  buffer_.append(static_cast<const char*>(piece), size);
}

}  // namespace idne
