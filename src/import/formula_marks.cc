#include "import/formula_marks.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "text/strings.h"

namespace idne {
namespace {

constexpr std::size_t kNoMark = std::string::npos;

bool is_white(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Whether a formula, and code between backticks, cannot go on in this line: it may begin an item of a list, a heading,
/// a row of a table, or code.
bool begins_block(std::string_view line) {
  line = line.substr(std::min(line.find_first_not_of(" \t>"), line.size()));
  if (line.empty() || line.front() == '\n' || line.front() == '\r') return true;
  if (line.starts_with("```") || line.starts_with("~~~")) return true;
  return std::string_view("-+*#|").find(line.front()) != std::string_view::npos || is_ascii_digit(line.front());
}

std::size_t run_length(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(text[at], at), text.size()) - at;
}

/// Behind the code that begins with the backticks at `at`, or behind these if it has no end.
std::size_t behind_code(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongest = 32;  // md4c knows none longer
  const std::size_t size = run_length(text, at);
  if (size > kLongest) return at + size;
  for (std::size_t end = at + size; (end = text.find('`', end)) != std::string_view::npos;) {
    const std::size_t closing = run_length(text, end);
    end += closing;
    if (closing == size) return end;
  }
  return at + size;
}

/// `text` lies in a paragraph of `note`, from `begin` on.
void mark_in(std::string_view text, std::size_t begin, std::string& note) {
  std::size_t opened = kNoMark;
  const auto give_up = [&] {
    if (opened != kNoMark) note[begin + opened] = kPlainDollar;
    opened = kNoMark;
  };
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '`') {
      at = behind_code(text, at);
    } else if (text[at] == '\\') {
      at += 2;
    } else if (text[at] != '$') {
      ++at;
    } else if (const std::size_t size = run_length(text, at); size > 1) {
      give_up();
      at += size;
    } else {
      const char before = at > 0 ? text[at - 1] : '\n', behind = at + 1 < text.size() ? text[at + 1] : '\n';
      if (opened != kNoMark && !is_white(before) && !is_ascii_digit(behind)) {
        opened = kNoMark;
      } else {
        give_up();
        opened = at;
        if (is_white(behind) || is_ascii_letter(before) || is_ascii_digit(before)) give_up();
      }
      ++at;
    }
  }
  give_up();
}

}  // namespace

std::string mark_formulas(std::string note) {
  if (note.find('$') == std::string::npos) return note;
  const std::string source = note;
  const std::string_view text = source;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin;
    do end = std::min(text.find('\n', end), text.size() - 1) + 1;
    while (end < text.size() && !begins_block(text.substr(end)));
    mark_in(text.substr(begin, end - begin), begin, note);
    begin = end;
  }
  return note;
}

void unmark_formulas(std::string& text) { std::replace(text.begin(), text.end(), kPlainDollar, '$'); }

}  // namespace idne
