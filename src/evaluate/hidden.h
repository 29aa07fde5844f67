#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "evaluate/splits.h"
#include "idne/corpus.h"
#include "idne/text.h"
#include "text/joins.h"

namespace idne {

/// Some of a collection's documents, as if the others had never been there: their labels and tokens are gone too.
Collection part_of(const Collection& collection, std::span<const std::uint32_t> documents);

/// For each of the documents its words that a vocabulary has, sorted, joined as the vocabulary's were.
std::vector<std::vector<WordCount>> known_words(const Collection& collection, std::span<const std::uint32_t> documents,
                                                const StringTable& vocabulary, const Joins& joins);

/// What is true of hidden documents in terms of the seen ones, a row for each hidden document, sorted.
struct HiddenTruth {
  std::vector<std::vector<std::uint32_t>> links;   ///< places among the seen documents, by links and shared groups
  std::vector<std::vector<std::uint32_t>> labels;  ///< numbers of `seen.labels`: what training never saw is left out
};
/// `seen` is the part that split.rest is; split.chosen are hidden.
HiddenTruth truth_of_hidden(const Collection& collection, const Split& split, const Collection& seen);

}  // namespace idne
