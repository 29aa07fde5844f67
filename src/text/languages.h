#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "idne/string_table.h"
#include "idne/text.h"

/// The languages whose words of grammar are known.
namespace idne {

struct Language {
  std::string_view name;        ///< "german", as options have it
  std::string_view shown;       ///< "German"
  std::string_view stop_words;  ///< stop_words_data.cc
  std::string_view stemmer;     ///< libstemmer's name; "" if it has none
};

/// In the order of their names. A language's number is its place here.
std::span<const Language> languages();

/// Numbers of languages, a bit for each.
using LanguageSet = std::uint32_t;
constexpr LanguageSet only(std::size_t language) { return LanguageSet{1} << language; }
constexpr bool contains(LanguageSet set, std::size_t language) { return (set & only(language)) != 0; }

/// "english, german" or "english,german" as a set; throws Error that lists the known names.
LanguageSet parse_languages(std::string_view names);
/// "english,german", in the order of their names; "none" for none.
std::string names_of(LanguageSet set);

/// The words of grammar of all languages, and which languages have each.
class FunctionWords {
 public:
  /// Made at the first call.
  static const FunctionWords& all();

  std::size_t size() const { return words_.size(); }
  std::optional<std::uint32_t> find(std::string_view word) const { return words_.find(word); }
  std::string_view operator[](std::size_t number) const { return words_[number]; }
  LanguageSet languages_of(std::size_t number) const { return languages_[number]; }

 private:
  FunctionWords();

  StringTable words_;
  std::vector<LanguageSet> languages_;
};

/// What a text's words of grammar say: WordCount::word is a number of FunctionWords. `words` counts all its words.
struct LanguageEvidence {
  std::span<const WordCount> function_words;
  std::uint64_t words = 0;
};

/// The language that a text is clearly in, out of all; nothing for a text that is short, mixed, or in none of them.
std::optional<std::size_t> clear_language(const LanguageEvidence& evidence);

/// Whether a text has as many function words of some language as its texts have, be it clear which one or not, or has
/// few but in favour of one.
bool fits_some_language(const LanguageEvidence& evidence);

/// The language that a text clearly in one has passages in, told by function words that its own lacks.
std::optional<std::size_t> second_language(const LanguageEvidence& evidence, std::size_t first);

/// The languages of a corpus, given how many of its documents are clearly in each: those that a noticeable share of
/// these documents are in.
LanguageSet languages_of_corpus(std::span<const std::uint64_t> documents_in);
/// Those that a noticeable share of all `documents` have passages in, given how many do.
LanguageSet second_languages_of_corpus(std::span<const std::uint64_t> documents_in, std::uint64_t documents);

/// What a text of a corpus is read by, decided by its own words and the corpus's languages alone.
struct TextLanguages {
  LanguageSet dropped = 0;           ///< whose function words are left out
  std::optional<std::size_t> stems;  ///< whose inflections are joined
};
/// A text clearly in one of them is read by that one, one that mixes languages or has passages in another by those, any
/// other by all.
TextLanguages languages_of_text(const LanguageEvidence& evidence, LanguageSet corpus);

}  // namespace idne
