#include "text/word_kinds.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <algorithm>

#include "text/strings.h"
#include "text/utf8.h"

namespace idne {

bool is_number(std::string_view word) {
  for (std::size_t at = 0; at < word.size();) {
    if (static_cast<unsigned char>(word[at]) < 0x80) {
      if (!is_ascii_digit(word[at++])) return false;
    } else if (!u_isdigit(static_cast<UChar32>(next_character(word, at)))) {
      return false;
    }
  }
  return !word.empty();
}

bool is_number_or_key(std::string_view word) {
  if (is_number(word)) return true;
  if (word.starts_with("0x")) word.remove_prefix(2);
  constexpr std::size_t kShortestKey = 8;
  const auto letter = [](char c) { return c >= 'a' && c <= 'f'; };
  return word.size() >= kShortestKey &&
         std::ranges::all_of(word, [&](char c) { return is_ascii_digit(c) || letter(c); }) &&
         std::ranges::any_of(word, is_ascii_digit) && std::ranges::any_of(word, letter);
}

bool is_one_ideograph(std::string_view word) {
  constexpr unsigned char kThreeBytes = 0xE0;
  if (word.size() < 3 || word.size() > 4 || static_cast<unsigned char>(word[0]) < kThreeBytes) return false;
  std::size_t at = 0;
  const auto c = static_cast<UChar32>(next_character(word, at));
  if (at != word.size()) return false;
  UErrorCode status = U_ZERO_ERROR;
  return uscript_getScript(c, &status) == USCRIPT_HAN;
}

}  // namespace idne
