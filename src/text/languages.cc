#include "text/languages.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "idne/error.h"
#include "text/stop_words_data.h"
#include "text/strings.h"

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
      std::string known;
      for (const Language& language : languages()) known += fmt::format(" {}", language.name);
      throw Error(fmt::format("'{}' is no known language; known are{}", name, known));
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
  constexpr std::size_t kDistinctWords = 3;
  constexpr double kShareOfWords = 0.08, kMargin = 1.2;
  if (evidence.function_words.size() < kDistinctWords) return std::nullopt;
  const Scores scores = scores_of(evidence.function_words, ~LanguageSet{0});
  const auto best = std::ranges::max_element(scores);
  double second = 0;
  for (auto score = scores.begin(); score != scores.end(); ++score) {
    if (score != best) second = std::max(second, *score);
  }
  if (*best < kShareOfWords * static_cast<double>(evidence.words) || *best < kMargin * second) return std::nullopt;
  return static_cast<std::size_t>(best - scores.begin());
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

TextLanguages languages_of_text(const LanguageEvidence& evidence, LanguageSet corpus) {
  if (std::popcount(corpus) < 2) {
    return {corpus, corpus ? std::optional<std::size_t>(std::countr_zero(corpus)) : std::nullopt};
  }
  constexpr double kLeastEvidence = 2, kPart = 0.4;
  const Scores scores = scores_of(evidence.function_words, corpus);
  std::size_t best = static_cast<std::size_t>(std::countr_zero(corpus));
  for (std::size_t k = 0; k < kLanguages; ++k) {
    if (contains(corpus, k) && scores[k] > scores[best]) best = k;
  }
  if (scores[best] < kLeastEvidence) return {corpus, best};
  LanguageSet spoken = 0;
  for (std::size_t k = 0; k < kLanguages; ++k) {
    if (contains(corpus, k) && scores[k] >= kPart * scores[best]) spoken |= only(k);
  }
  return {spoken, best};
}

}  // namespace idne
