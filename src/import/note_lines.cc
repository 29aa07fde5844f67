#include "import/note_lines.h"

#include <algorithm>

#include "text/strings.h"

namespace idne {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool in_block_name(char c) { return is_ascii_letter(c) || is_ascii_digit(c) || c == '-'; }

/// How much of a line to leave out because it is nested as deep as nobody writes.
std::size_t deep_nesting(std::string_view line) {
  constexpr std::size_t kDeepest = 100;
  const std::size_t end = std::min(line.find_first_not_of(" \t>-*+.)0123456789"), line.size());
  std::size_t marks = 0;
  for (std::size_t at = 0; at < end; ++at) {
    const bool mark = at + 1 < line.size() && is_blank(line[at + 1]) && !is_blank(line[at]);
    if (mark || line[at] == '>') ++marks;
  }
  return marks > kDeepest ? end : 0;
}

bool is_fence(std::string_view line) {
  line = trimmed(line);
  return line.starts_with("```") || line.starts_with("~~~");
}

/// "words ^name" without the name, which links point to.
std::string_view without_block_name(std::string_view line) {
  const std::string_view text = line.substr(0, line.find_last_not_of(" \t\r") + 1);
  const std::size_t mark = text.rfind('^');
  const bool named = mark != std::string_view::npos && mark + 1 < text.size() &&
                     (mark == 0 || is_blank(text[mark - 1])) &&
                     std::all_of(text.begin() + static_cast<std::ptrdiff_t>(mark) + 1, text.end(), in_block_name);
  return named ? line.substr(0, mark) : line;
}

/// "> [!note]- Title" as "> Title".
void append_without_callout(std::string_view line, std::string& out) {
  const std::size_t begin = line.find_first_not_of(" \t>");
  const std::size_t end = line.find(']');
  const bool callout = begin != std::string_view::npos && begin > 0 && end != std::string_view::npos &&
                       line.substr(0, begin).find('>') != std::string_view::npos &&
                       line.substr(begin).starts_with("[!") && end > begin + 2 &&
                       std::all_of(line.begin() + static_cast<std::ptrdiff_t>(begin) + 2,
                                   line.begin() + static_cast<std::ptrdiff_t>(end), in_block_name);
  if (!callout) {
    out += line;
    return;
  }
  const bool folds = end + 1 < line.size() && (line[end + 1] == '-' || line[end + 1] == '+');
  out.append(line.substr(0, begin)).append(line.substr(end + (folds ? 2 : 1)));
}

/// Takes %%comments%% out, also those of several lines. One that is never closed is none.
class Comments {
 public:
  explicit Comments(std::string_view note) : last_(note.rfind("%%")), note_(note) {}

  std::string without(std::string_view line) {
    std::string result;
    for (std::size_t at = 0; at < line.size();) {
      const std::size_t mark = std::min(line.find("%%", at), line.size());
      if (!inside_) result += line.substr(at, mark - at);
      if (mark == line.size()) break;
      const auto place = static_cast<std::size_t>(line.data() + mark - note_.data());
      const bool in_code = std::ranges::count(line.substr(0, mark), '`') % 2 == 1;
      if (!inside_ && (place == last_ || in_code)) {
        result += line.substr(mark, 2);
        at = mark + 2;
        continue;
      }
      inside_ = !inside_;
      at = mark + 2;
    }
    return result;
  }
  bool inside() const { return inside_; }

 private:
  std::size_t last_;
  std::string_view note_;
  bool inside_ = false;
};

}  // namespace

std::string note_lines(std::string_view text, bool mdx) {
  std::string result;
  result.reserve(text.size());
  bool after_blank = true, program = false, in_code = false;
  Comments comments(text);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    const bool fence = is_fence(line) && !comments.inside(), blank = trimmed(line).empty();
    const bool starts = mdx && after_blank && (line.starts_with("import ") || line.starts_with("export "));
    program = !blank && !fence && (program || starts);
    if (program || (blank && after_blank)) continue;
    after_blank = blank;
    if (fence) in_code = !in_code;
    if (in_code || fence) {
      result += line.substr(deep_nesting(line));
    } else {
      const std::string shown = comments.without(line);
      append_without_callout(without_block_name(std::string_view(shown).substr(deep_nesting(shown))), result);
    }
    result += '\n';
  }
  return result;
}

}  // namespace idne
