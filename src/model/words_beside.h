#pragma once

#include <span>
#include <string>
#include <vector>

#include "idne/text.h"
#include "model/tensors.h"

namespace idne {

/// Words of the documents that a model has no vectors of.
struct WordsBeside {
  std::vector<std::string> words, forms;  ///< as they are matched, and as they are mostly written
  CountMatrix counts;                     ///< a row per document, over `words`
};

/// Those that are too rare, and those that have become frequent enough. Without words nothing is stored.
void store_rare_words(const WordsBeside& rare, ModelMaker& maker);
void store_late_words(const WordsBeside& late, ModelMaker& maker);

/// Bags over some of the words, by the numbers that these have now; the others are left out.
inline constexpr std::uint32_t kNotChosen = ~0u;
CountMatrix chosen_words(const CountMatrix& counts, std::span<const std::uint32_t> number);

}  // namespace idne
