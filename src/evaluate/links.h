#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "idne/corpus.h"
#include "idne/model.h"
#include "math/random.h"

namespace idne {

/// Two of the hidden documents, by their places among them, and whether they are linked.
struct HiddenPair {
  std::uint32_t a, b;
  bool linked;
};

/// How many links are listed at most.
inline constexpr std::size_t kMostHiddenLinks = 4'000'000;

/// All links between hidden documents, one direction each, groups' pairs among them, and as many pairs that are not
/// linked, all different, drawn uniformly (all of them where there are fewer).
///
/// Where there are more than `most` links, so many of them are drawn uniformly, all different, and as many other pairs;
/// groups are never expanded then. Fewer than that if they are not found in 32 tries each: where almost no pair is
/// unlinked, or pairs share hundreds of groups.
std::vector<HiddenPair> hidden_pairs(const Collection& collection, std::span<const std::uint32_t> hidden,
                                     Random& random, std::size_t most = kMostHiddenLinks);

/// The area under the ROC curve of the pairs' cosines. NaN if a vector is not finite or there are no pairs of both
/// kinds.
double link_auc(MatrixView rows, const std::vector<HiddenPair>& pairs);

}  // namespace idne
