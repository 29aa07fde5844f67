#pragma once

#include <cstdint>
#include <span>
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

/// Walks with a memory of one step (Grover, Leskovec: node2vec, 2016): having come from t to v, a document x is as
/// likely as A_vx / p if it is t, A_vx if it is linked with t, A_vx / q if not. With p = q = 1 they have no memory.
///
/// A neighbour is drawn by A, and kept as often as the ratio of the three says, else drawn again; the part of the way
/// back that is more than the others' is set aside. So nothing is kept for pairs of links, and a hop takes up to
/// max(1, 1/q) / min(1, 1/p, 1/q) draws, mostly few.
class RememberingWalks {
 public:
  /// `network` must live as long. REQUIRES: p and q are positive.
  RememberingWalks(const Network& network, double p, double q);
  /// The next document of a walk that came from `last` to `here`.
  std::uint32_t draw_next(std::uint32_t last, std::uint32_t here, Random& random) const;
  /// A walk from walk[0], which has a neighbour, fills the rest.
  void draw(std::span<std::uint32_t> walk, Random& random) const;

 private:
  const Network& network_;
  double back_, near_, far_;  ///< 1/p, 1, 1/q
  bool remembers_;
};

/// Where a walk from `start` ends that goes on with probability `go_on` before each hop: documents are drawn in
/// proportion to their personalised PageRank. A document without neighbours gives itself.
std::uint32_t draw_restart_end(const Network& network, std::uint32_t start, double go_on, Random& random);

/// How often two documents stand near each other in the walks: each time within the window adds 1 / distance.
/// Symmetric, rows sorted by column; a walk that comes back adds to the diagonal. Memory is O(walks + entries kept).
SparseRows cooccurrences(const std::vector<std::uint32_t>& walks, std::size_t documents, const WalkSettings& settings,
                         const Run& run);

}  // namespace idne
