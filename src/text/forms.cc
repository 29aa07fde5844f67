#include "text/forms.h"

#include <unicode/uchar.h>

#include <algorithm>

#include "text/strings.h"
#include "text/utf8.h"

namespace idne {
namespace {

/// What is longer is no word that people would read.
constexpr std::size_t kLongestForm = 100;

/// The character before `at`, which is moved to it. REQUIRES: at > 0.
UChar32 character_before(std::string_view text, std::size_t& at) {
  const auto continues = [&] { return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80; };
  const std::size_t first = at < 4 ? 0 : at - 4;  // no character is longer
  do --at;
  while (at > first && continues());
  std::size_t from = at;
  return static_cast<UChar32>(next_character(text, from));
}

/// Whether a sentence begins at `at`, by what is before: nothing, the end of a sentence (no initial's period), an empty
/// line, or a new line with a list's or heading's mark. Looks a few characters back.
bool begins_sentence(std::string_view text, std::size_t at) {
  const auto plain = [&](std::size_t k) {
    return is_ascii_letter(text[k]) || is_ascii_digit(text[k]) || text[k] == ',';
  };
  if (at > 1 && text[at - 1] == ' ' && plain(at - 2)) return false;
  constexpr int kLooks = 8;
  std::size_t before = at;
  bool line_end = false, mark = false;
  for (int looks = 0; looks < kLooks; ++looks) {
    if (before == 0) return true;
    const UChar32 c = character_before(text, before);
    if (c == '!' || c == '?' || c == ':' || c == 0x3002 || c == 0x2026) return true;
    if (c == '.') {
      if (before < 2) return true;
      std::size_t letter = before;
      const bool one_letter = u_isalpha(character_before(text, letter));
      return !(one_letter && (letter == 0 || !u_isalnum(character_before(text, letter))));
    }
    if (c == '\n') {
      if (line_end || mark) return true;
      line_end = true;
    } else if (c == '-' || c == '*' || c == '#' || c == '>' || c == '+' || c == '|') {
      mark = true;
    } else if (u_isalnum(c)) {
      return false;
    }
  }
  return false;
}

template <class Change>
std::string with_first(std::string_view word, Change change) {
  std::size_t at = 0;
  std::string result;
  append_utf8(result, static_cast<std::uint32_t>(change(static_cast<UChar32>(next_character(word, at)))));
  return result.append(word.substr(at));
}

}  // namespace

std::string_view written_form(std::string_view text, const Token& token, std::string& scratch) {
  if (token.as_written) return {};
  const std::string_view form = text.substr(token.begin, token.end - token.begin);
  if (form == token.word || form.size() > kLongestForm) return {};
  std::size_t second = 0;
  const auto is_capital = [&](std::size_t& at) {
    const char c = form[at];
    if (static_cast<unsigned char>(c) < 0x80) return ++at, c >= 'A' && c <= 'Z';
    return u_isupper(static_cast<UChar32>(next_character(form, at))) != 0;
  };
  if (!is_capital(second)) return form;
  // "DNA" is written so wherever it stands.
  if (second < form.size() && is_capital(second)) return form;
  if (!begins_sentence(text, token.begin)) return form;
  scratch = with_first(form, u_tolower);
  return scratch == token.word ? std::string_view() : scratch;
}

void FormCounts::add(std::uint32_t word, std::string_view form, std::uint64_t count) {
  if (word >= last_.size()) last_.resize(std::max<std::size_t>(word + 1, 2 * last_.size()), kNone);
  // Most words are written in one way only.
  if (last_[word] != kNone && forms_[last_[word]] == form) {
    counts_[last_[word]] += count;
    return;
  }
  const std::uint32_t number = last_[word] = forms_.add(form);
  if (number == words_.size()) words_.push_back(word), counts_.push_back(0);
  counts_[number] += count;
}

void ShownForms::set(std::uint32_t word, std::string_view form) {
  if (word >= number_.size()) number_.resize(word + 1, kNone);
  number_[word] = forms_.add(form);
}

bool begins_with_capital(std::string_view word) {
  std::size_t at = 0;
  return !word.empty() && u_isupper(static_cast<UChar32>(next_character(word, at)));
}

std::string capitalised(std::string_view word) { return word.empty() ? std::string() : with_first(word, u_toupper); }
std::string uncapitalised(std::string_view word) { return word.empty() ? std::string() : with_first(word, u_tolower); }

}  // namespace idne
