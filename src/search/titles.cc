#include "search/titles.h"

#include <unicode/uchar.h>

#include <algorithm>

#include "search/typos.h"
#include "text/strings.h"
#include "text/utf8.h"

namespace idne {
namespace {

void add_word(std::string& folded, std::string_view word) {
  if (word.empty()) return;
  if (!folded.empty()) folded += ' ';
  folded += word;
}

/// What is no word of its own to the tokenizer: letters and digits that stand alone.
void add_rest(std::string& folded, std::string_view rest) {
  const std::string small = in_small_letters(rest);
  std::string word;
  for (std::size_t at = 0; at < small.size();) {
    const auto c = static_cast<UChar32>(next_character(small, at));
    if (u_isalnum(c)) {
      append_utf8(word, static_cast<std::uint32_t>(c));
    } else {
      add_word(folded, word);
      word.clear();
    }
  }
  add_word(folded, word);
}

}  // namespace

std::string folded_title(std::string_view title, Tokenizer& tokenizer) {
  std::string folded;
  std::size_t end = 0;
  Token token;
  tokenizer.start(title);
  while (tokenizer.next(token)) {
    add_rest(folded, title.substr(end, token.begin - end));
    add_word(folded, token.word);
    end = token.end;
  }
  add_rest(folded, title.substr(end));
  return folded.empty() ? in_small_letters(trimmed(title)) : folded;
}

TitleIndex::TitleIndex(const StringsView& titles) {
  Tokenizer tokenizer;
  begin_.push_back(0);
  for (std::uint32_t row = 0; row < titles.size(); ++row) {
    bytes_ += folded_title(titles[row], tokenizer);
    if (bytes_.size() > begin_.back()) by_title_.push_back(row);
    begin_.push_back(bytes_.size());
  }
  std::ranges::sort(by_title_, [this](std::uint32_t a, std::uint32_t b) {
    const int order = folded(a).compare(folded(b));
    return order != 0 ? order < 0 : a < b;
  });
}

std::span<const std::uint32_t> TitleIndex::with_prefix(std::string_view text) const {
  if (text.empty()) return {};
  const auto begin = std::ranges::lower_bound(by_title_, text, {}, [this](std::uint32_t row) { return folded(row); });
  const auto end =
      std::partition_point(begin, by_title_.end(), [&](std::uint32_t row) { return folded(row).starts_with(text); });
  return {begin, end};
}

std::vector<std::uint32_t> TitleIndex::nearly(std::string_view text) const {
  std::vector<std::uint32_t> rows;
  if (!forgives_typos(text)) return rows;
  for (const std::uint32_t row : by_title_) {
    if (one_typo_apart(folded(row), text)) rows.push_back(row);
  }
  return rows;
}

}  // namespace idne
