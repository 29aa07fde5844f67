#pragma once

#include <cstdint>
#include <vector>

#include "idne/run.h"
#include "math/svd.h"
#include "network/network.h"

namespace idne {

struct WalkSettings {
  std::size_t walks = 10;   ///< from each document
  std::size_t length = 40;  ///< documents in a walk, its start counted in
  std::size_t window = 5;   ///< how far apart two documents of a walk may stand
  double threshold = 5;     ///< entries up to this much are dropped
  std::uint64_t seed = 1;
};

/// Random walks along the links, one after the other, settings.length documents each: `walks` from every document that
/// has a link, in the order of the documents. The same at any number of threads.
std::vector<std::uint32_t> draw_walks(const Network& network, const WalkSettings& settings, const Run& run);

/// How often two documents stand near each other in the walks: each time within the window adds 1 / distance.
/// Symmetric, rows sorted by column; a walk that comes back adds to the diagonal. Memory is O(walks + entries kept).
SparseRows cooccurrences(const std::vector<std::uint32_t>& walks, std::size_t documents, const WalkSettings& settings,
                         const Run& run);

}  // namespace idne
