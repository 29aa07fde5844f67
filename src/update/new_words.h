#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "idne/corpus.h"
#include "idne/model.h"

namespace idne {

/// What the words of changes are in a model: for each token the number of a word, or kNone.
struct TokenWords {
  static constexpr std::uint32_t kNone = ~0u;
  std::vector<std::uint32_t> word;

  TokenWords(const Collection& changes, const StringTable& vocabulary);
  /// The documents' bags of words.
  CountMatrix bags(const Collection& changes) const;
};

/// Words that the model lacks and that its rule keeps (`--min-count`, `--max-share`), the most frequent first. Function
/// words of the model's languages and what it left out before are none.
struct NewWords {
  std::vector<std::string> words, forms;
  std::vector<std::int64_t> counts;
};
/// `documents`: how many there are in all. Gives the tokens numbers behind the model's words.
NewWords add_new_words(const Model& model, const Collection& changes, std::size_t documents, TokenWords& tokens);

/// For each token whether it may be a word at all: no function word of the model's languages.
std::vector<char> tokens_that_count(const Model& model, const Collection& changes);

}  // namespace idne
