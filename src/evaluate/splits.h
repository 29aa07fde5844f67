#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "idne/corpus.h"
#include "math/random.h"

namespace idne {

/// Documents that are kept and documents that are put aside, each in rising order.
struct Split {
  std::vector<std::uint32_t> chosen, rest;
};

/// Chooses a share of the documents at random, rounded to the nearest number, at least one and not all.
Split random_split(std::size_t documents, double share, Random& random);

/// Chooses a share of `documents` so that every label is divided in about the same proportion: the rarest label first,
/// each of its documents to the side that is most behind with it (Sechidis et al., 2011). With one label per document
/// this is stratified sampling. Rounded like random_split with one label per document, about so with several.
Split stratified_split(std::span<const std::uint32_t> documents, const Lists& labels, double share, Random& random);

/// For each document the fold, 0 … folds − 1, that it belongs to, stratified in the same way.
std::vector<std::uint32_t> stratified_folds(std::span<const std::uint32_t> documents, const Lists& labels,
                                            std::size_t folds, Random& random);

}  // namespace idne
