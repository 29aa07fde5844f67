#include "text/text_rules.h"

#include <algorithm>

#include "text/stems.h"
#include "text/word_kinds.h"

namespace idne {
namespace {

/// Words between two questions whether to go on.
constexpr std::size_t kWordsAtOnce = 4096;

struct PlacedWord {
  std::string word;
  std::size_t begin, end;
  std::optional<std::uint32_t> function_word;
};

std::vector<PlacedWord> placed_words(std::string_view text, Tokenizer& tokenizer, const TextRules& rules,
                                     const Run& run) {
  std::vector<PlacedWord> words;
  Token token;
  tokenizer.start(text);
  while (tokenizer.next(token)) {
    const auto number = rules.tells_languages() ? FunctionWords::all().find(token.word) : std::nullopt;
    words.push_back({std::string(token.word), token.begin, token.end, number});
    if (words.size() % kWordsAtOnce == 0) run.check();
  }
  return words;
}

TextLanguages languages_of(const std::vector<PlacedWord>& words, LanguageSet corpus) {
  std::vector<std::uint32_t> function_words;
  for (const PlacedWord& word : words) {
    if (word.function_word) function_words.push_back(*word.function_word);
  }
  const auto counts = count_words(std::move(function_words));
  return languages_of_text({counts, words.size()}, corpus);
}

/// Visits the words from `begin` on that follow each other, joined; the next one that does not.
std::size_t visit_run(std::string_view text, const std::vector<PlacedWord>& words, std::size_t begin,
                      const TextRules& rules, const WordVisit& visit) {
  std::vector<std::string_view> run{words[begin].word};
  std::size_t end = begin + 1;
  for (; end < words.size(); ++end) {
    const Token token{words[end].word, words[end].begin, words[end].end};
    if (!follows(text, token, words[end - 1].end, words[end - 1].word, rules.phrases)) break;
    run.push_back(words[end].word);
  }
  for (const Joins::Part& part : rules.joins.apply(run)) {
    visit(part.word, words[begin + part.begin].begin, words[begin + part.end - 1].end);
  }
  return end;
}

}  // namespace

void for_each_word(std::string_view text, Tokenizer& tokenizer, const TextRules& rules, const WordVisit& visit,
                   const Run& run) {
  const bool joins = !rules.joins.empty();
  if (!rules.tells_languages() && !joins) {
    Token token;
    tokenizer.start(text);
    for (std::size_t n = 1; tokenizer.next(token); ++n) {
      visit(token.word, token.begin, token.end);
      if (n % kWordsAtOnce == 0) run.check();
    }
    return;
  }
  std::vector<PlacedWord> words = placed_words(text, tokenizer, rules, run);
  if (rules.tells_languages()) {
    const TextLanguages spoken = languages_of(words, rules.languages);
    if (rules.drops_by_text) {
      std::erase_if(words, [&](const PlacedWord& word) {
        return word.function_word && FunctionWords::all().languages_of(*word.function_word) & spoken.dropped;
      });
    }
    if (rules.drops_numbers) std::erase_if(words, [](const PlacedWord& word) { return is_number_or_key(word.word); });
    if (rules.stop_words.size() > 0) {
      std::erase_if(words, [&](const PlacedWord& word) { return rules.stop_words.find(word.word).has_value(); });
    }
    if (rules.stems && spoken.stems) {
      for (PlacedWord& word : words) word.word = stem_of(word.word, *spoken.stems);
    }
  }
  if (!joins) {
    for (const PlacedWord& word : words) visit(word.word, word.begin, word.end);
    return;
  }
  for (std::size_t at = 0; at < words.size();) at = visit_run(text, words, at, rules, visit);
}

}  // namespace idne
