#include "import/control_file.h"

#include <algorithm>

#include "idne/error.h"
#include "text/strings.h"

namespace idne {

std::string_view field(const Paragraph& paragraph, std::string_view name) {
  const auto found = paragraph.find(name);
  return found == paragraph.end() ? std::string_view() : std::string_view(found->second);
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
    value = &paragraph[lower_ascii(line.substr(0, colon))];
    value->assign(trimmed(line.substr(colon + 1)));
  }
  return !paragraph.empty();
}

void ControlFile::fail(const std::string& what) const { throw Error(pieces_.name(), number_, what); }

void ControlFile::read_on() {
  constexpr std::size_t kLongestLine = std::size_t{1} << 26;
  if (buffer_.size() > kLongestLine) {
    throw Error(pieces_.name(), number_ + 1, "a line of more than 64 MiB; this is no list of packages");
  }
  const std::string_view piece = pieces_.next();
  ended_ = piece.empty();
  buffer_.append(piece);
}

}  // namespace idne
