#include "text/languages.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "idne/error.h"
#include "text/nearest_name.h"
#include "text/stop_words_data.h"
#include "text/strings.h"
#include "text/word_kinds.h"

namespace idne {
namespace {

constexpr std::size_t kLanguages = 20;
using Scores = std::array<double, kLanguages>;

/// A word that several of `among` have speaks for each of them the less.
Scores scores_of(std::span<const WordCount> function_words, LanguageSet among) {
  const FunctionWords& words = FunctionWords::all();
  Scores scores{};
  for (const WordCount& entry : function_words) {
    const LanguageSet speaks_for = words.languages_of(entry.word) & among;
    if (!speaks_for) continue;
    const double weight = static_cast<double>(entry.count) / std::popcount(speaks_for);
    for (LanguageSet rest = speaks_for; rest; rest &= rest - 1) {
      scores[static_cast<std::size_t>(std::countr_zero(rest))] += weight;
    }
  }
  return scores;
}

/// Whether a language's score is that of a text in it.
constexpr std::size_t kDistinctWords = 3;
bool is_enough(double score, const LanguageEvidence& evidence) {
  constexpr double kShareOfWords = 0.08;
  return evidence.function_words.size() >= kDistinctWords &&
         score >= kShareOfWords * static_cast<double>(evidence.words);
}

std::size_t best_of(const Scores& scores) {
  return static_cast<std::size_t>(std::ranges::max_element(scores) - scores.begin());
}
/// Whether the best is well before all others.
bool leads(std::size_t best, const Scores& scores) {
  constexpr double kMargin = 1.2;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    if (k != best && scores[best] < kMargin * scores[k]) return false;
  }
  return true;
}

/// What a text has of words that one language has and another lacks.
struct Passages {
  std::size_t distinct = 0;
  std::uint64_t words = 0;
};
/// Fewer may be names and loans: "die", "war" and "man" in English.
constexpr std::size_t kWordsOfPassages = 5;

/// Whether a function word is none in a text of that language. A single ideograph in Japanese may well be a word that
/// is one of grammar in Chinese.
bool is_lacked_by(std::size_t language, std::uint32_t function_word) {
  static const LanguageSet ideographs = parse_languages("chinese,japanese");
  const FunctionWords& words = FunctionWords::all();
  if (contains(words.languages_of(function_word), language)) return false;
  return !contains(ideographs, language) || !is_one_ideograph(words[function_word]);
}

Passages passages_in(std::span<const WordCount> function_words, std::size_t language, std::size_t lacked_by) {
  Passages passages;
  for (const WordCount& entry : function_words) {
    if (!contains(FunctionWords::all().languages_of(entry.word), language)) continue;
    if (!is_lacked_by(lacked_by, entry.word)) continue;
    ++passages.distinct;
    passages.words += entry.count;
  }
  return passages;
}

}  // namespace

std::span<const Language> languages() {
  using namespace stop_words;
  static const std::array<Language, kLanguages> all{{{"catalan", "Catalan", kCatalan, "catalan"},
                                                     {"chinese", "Chinese", kChinese, ""},
                                                     {"czech", "Czech", kCzech, ""},
                                                     {"danish", "Danish", kDanish, "danish"},
                                                     {"dutch", "Dutch", kDutch, "dutch"},
                                                     {"english", "English", kEnglish, "english"},
                                                     {"finnish", "Finnish", kFinnish, "finnish"},
                                                     {"french", "French", kFrench, "french"},
                                                     {"german", "German", kGerman, "german"},
                                                     {"hungarian", "Hungarian", kHungarian, "hungarian"},
                                                     {"italian", "Italian", kItalian, "italian"},
                                                     {"japanese", "Japanese", kJapanese, ""},
                                                     {"norwegian", "Norwegian", kNorwegian, "norwegian"},
                                                     {"polish", "Polish", kPolish, ""},
                                                     {"portuguese", "Portuguese", kPortuguese, "portuguese"},
                                                     {"romanian", "Romanian", kRomanian, "romanian"},
                                                     {"russian", "Russian", kRussian, "russian"},
                                                     {"spanish", "Spanish", kSpanish, "spanish"},
                                                     {"swedish", "Swedish", kSwedish, "swedish"},
                                                     {"turkish", "Turkish", kTurkish, "turkish"}}};
  return all;
}

LanguageSet parse_languages(std::string_view names) {
  LanguageSet set = 0;
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    const std::string_view name = trimmed(names.substr(begin, end - begin));
    const auto found = std::ranges::find(languages(), name, &Language::name);
    if (found == languages().end()) {
      std::vector<std::string> known;
      for (const Language& language : languages()) known.emplace_back(language.name);
      throw Error(
          fmt::format("'{}' is no known language; known are {}{}", name, fmt::join(known, " "), hint_at(name, known)));
    }
    set |= only(static_cast<std::size_t>(found - languages().begin()));
    begin = end + 1;
  }
  return set;
}

std::string names_of(LanguageSet set) {
  std::string names;
  for (std::size_t k = 0; k < kLanguages; ++k) {
    if (contains(set, k)) names += fmt::format("{}{}", names.empty() ? "" : ",", languages()[k].name);
  }
  return names.empty() ? "none" : names;
}

FunctionWords::FunctionWords() {
  Tokenizer tokenizer;
  Token token;
  for (std::size_t k = 0; k < kLanguages; ++k) {
    tokenizer.start(languages()[k].stop_words);
    while (tokenizer.next(token)) {
      const std::uint32_t number = words_.add(token.word);
      if (number == languages_.size()) languages_.push_back(0);
      languages_[number] |= only(k);
    }
  }
}

const FunctionWords& FunctionWords::all() {
  static const FunctionWords words;
  return words;
}

std::optional<std::size_t> clear_language(const LanguageEvidence& evidence) {
  const Scores scores = scores_of(evidence.function_words, ~LanguageSet{0});
  const std::size_t best = best_of(scores);
  if (!is_enough(scores[best], evidence) || !leads(best, scores)) return std::nullopt;
  return best;
}

bool fits_some_language(const LanguageEvidence& evidence) {
  const Scores scores = scores_of(evidence.function_words, ~LanguageSet{0});
  const std::size_t best = best_of(scores);
  if (is_enough(scores[best], evidence)) return true;
  // Most function words may have been taken out before.
  const auto has = [&](const WordCount& entry) {
    return contains(FunctionWords::all().languages_of(entry.word), best);
  };
  return leads(best, scores) && std::ranges::count_if(evidence.function_words, has) >= std::ptrdiff_t{kDistinctWords};
}

std::optional<std::size_t> second_language(const LanguageEvidence& evidence, std::size_t first) {
  constexpr double kShareOfWords = 0.04;
  std::vector<WordCount> lacked;
  for (const WordCount& entry : evidence.function_words) {
    if (is_lacked_by(first, entry.word)) lacked.push_back(entry);
  }
  if (lacked.size() < kWordsOfPassages) return std::nullopt;
  const Scores scores = scores_of(lacked, ~only(first));
  const std::size_t second = best_of(scores);
  const Passages passages = passages_in(lacked, second, first);
  if (passages.distinct < kWordsOfPassages) return std::nullopt;
  if (static_cast<double>(passages.words) < kShareOfWords * static_cast<double>(evidence.words)) return std::nullopt;
  return second;
}

LanguageSet languages_of_corpus(std::span<const std::uint64_t> documents_in) {
  constexpr double kNoticeable = 0.02, kNoticeableAlone = 0.1;
  const auto clear = static_cast<double>(std::accumulate(documents_in.begin(), documents_in.end(), std::uint64_t{0}));
  LanguageSet set = 0;
  for (std::size_t k = 0; k < documents_in.size(); ++k) {
    const auto documents = static_cast<double>(documents_in[k]);
    // One document of a few hundred may be a slip.
    if (documents > 0 && documents >= (documents > 1 ? kNoticeable : kNoticeableAlone) * clear) set |= only(k);
  }
  return set;
}

LanguageSet second_languages_of_corpus(std::span<const std::uint64_t> documents_in, std::uint64_t documents) {
  constexpr std::uint64_t kLeast = 3;
  constexpr double kNoticeable = 0.05;
  LanguageSet set = 0;
  for (std::size_t k = 0; k < documents_in.size(); ++k) {
    const bool noticeable = static_cast<double>(documents_in[k]) >= kNoticeable * static_cast<double>(documents);
    if (documents_in[k] >= kLeast && noticeable) set |= only(k);
  }
  return set;
}

TextLanguages languages_of_text(const LanguageEvidence& evidence, LanguageSet corpus) {
  if (std::popcount(corpus) < 2) {
    return {corpus, corpus ? std::optional<std::size_t>(std::countr_zero(corpus)) : std::nullopt};
  }
  constexpr double kLeastEvidence = 2, kPart = 0.4, kPartOfPassages = 0.05;
  const Scores scores = scores_of(evidence.function_words, corpus);
  std::size_t best = static_cast<std::size_t>(std::countr_zero(corpus));
  for (std::size_t k = 0; k < kLanguages; ++k) {
    if (contains(corpus, k) && scores[k] > scores[best]) best = k;
  }
  if (scores[best] < kLeastEvidence) return {corpus, best};
  LanguageSet spoken = 0;
  for (std::size_t k = 0; k < kLanguages; ++k) {
    if (!contains(corpus, k)) continue;
    const Passages passages = passages_in(evidence.function_words, k, best);
    // A book's worth of English has each of "die", "war", "man", "hat" and "den" somewhere.
    const bool some =
        passages.distinct >= kWordsOfPassages && static_cast<double>(passages.words) >= kPartOfPassages * scores[best];
    if (some || scores[k] >= kPart * scores[best]) spoken |= only(k);
  }
  return {spoken, best};
}

}  // namespace idne
