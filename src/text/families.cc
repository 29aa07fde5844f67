#include "text/families.h"

#include <numeric>
#include <string>
#include <unordered_map>

#include "text/stems.h"
#include "text/word_kinds.h"

namespace idne {
namespace {

/// In texts of one language a word may be content that is grammar in another: it still names nothing.
bool is_grammar(std::string_view word, LanguageSet languages) {
  const auto number = FunctionWords::all().find(word);
  return number && (FunctionWords::all().languages_of(*number) & languages) != 0;
}

}  // namespace

std::vector<std::uint32_t> word_families(const std::vector<std::string_view>& words, LanguageSet known) {
  const LanguageSet languages_of_words = known ? known : parse_languages("english");
  std::vector<std::uint32_t> first(words.size());  // a form of the same word that stands before it, or itself
  std::iota(first.begin(), first.end(), 0u);
  const auto family = [&](std::uint32_t word) {
    while (first[word] != word) word = first[word] = first[first[word]];
    return word;
  };
  std::unordered_map<std::string, std::uint32_t> of_stem;
  for (std::size_t language = 0; language < languages().size(); ++language) {
    if (!contains(languages_of_words, language)) continue;
    of_stem.clear();
    for (std::uint32_t w = 0; w < words.size(); ++w) {
      const std::uint32_t other = family(of_stem.try_emplace(stem_of(words[w], language), w).first->second);
      const std::uint32_t own = family(w);
      first[std::max(own, other)] = std::min(own, other);
    }
  }
  std::vector<std::uint32_t> families;
  for (std::uint32_t w = 0; w < words.size(); ++w) {
    families.push_back(is_number_or_key(words[w]) || is_grammar(words[w], known) ? kNoFamily : family(w));
  }
  return families;
}

}  // namespace idne
