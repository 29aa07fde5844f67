#pragma once

#include <cstdint>
#include <vector>

#include "idne/corpus.h"
#include "idne/model.h"
#include "model/words_beside.h"
#include "update/merge.h"

namespace idne {

/// What the words of changes are in a model: for each token the number of a word, or kNone.
struct TokenWords {
  static constexpr std::uint32_t kNone = kNotChosen;
  std::vector<std::uint32_t> word;

  TokenWords(const Collection& changes, const StringTable& vocabulary);
  /// The documents' bags of words.
  CountMatrix bags(const Collection& changes) const;
};

/// The words of a merge's documents that the model has no vectors of, with those documents: what it kept and what comes
/// with the changes. Function words of the model's languages and what was too common before are none.
struct NewWords {
  WordsBeside late;  ///< those that its rule keeps (`--min-count`, `--max-share`), the most frequent first
  WordsBeside rare;  ///< the others, by spelling
};
/// Of documents that are not among the changes, a model that does not keep rare words tells nothing.
NewWords find_new_words(const Model& model, const Collection& changes, const Merge& merge, const TokenWords& tokens);

/// For each token whether it may be a word at all: no function word of the model's languages, no stop word that was
/// given, none that too many of its documents had.
std::vector<char> tokens_that_count(const Model& model, const Collection& changes);

}  // namespace idne
