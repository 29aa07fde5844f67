#pragma once

#include <cstdint>
#include <vector>

#include "idne/run.h"
#include "network/network.h"

namespace idne {

struct SimRankSettings {
  double decay = 0.8;        ///< C, as Jeh and Widom have it
  std::size_t hops = 5;      ///< after which walks are given up: their iterations
  std::size_t samples = 64;  ///< pairs of walks that each likeness is the mean of
  std::uint64_t seed = 1;
};

/// SimRank (Jeh, Widom, 2002): two documents are alike as their neighbours are. s(i, j) = E[C^τ], where τ is when
/// random walks from i and j first meet. It is structure, not nearness: documents with the same neighbours are
/// alike, linked ones need not be.
///
/// Sampled, as Fogaras and Rácz (2005) do: in each sample every document draws the next hop of all walks that are there
/// at that time, so that walks which have met stay together, and those that have not are independent. A sample is then
/// a forest, of which documents that have met by a time are one tree: O(samples · hops · documents) numbers, never a
/// pair of documents.
class SimRankSamples {
 public:
  SimRankSamples(const Network& network, const SimRankSettings& settings, const Run& run);

  /// The mean of C^τ over the samples.
  double likeness(std::uint32_t i, std::uint32_t j) const;
  /// Draws j, another than i, in proportion to likeness(i, j); i itself where no other is like it.
  std::uint32_t draw(std::uint32_t i, Random& random) const;

 private:
  /// One sample: documents in an order in which those that have met stand together, at each time.
  struct Sample {
    std::vector<std::uint32_t> order, place;        ///< which is whose inverse
    std::vector<std::vector<std::uint32_t>> tree;   ///< of each time after the first: the tree of each place
    std::vector<std::vector<std::uint32_t>> begin;  ///< and where each tree begins, and an end
  };
  Sample sample(const Network& network, std::size_t number) const;
  std::uint32_t others(const Sample& sample, std::size_t time, std::uint32_t place) const;
  double mass(const Sample& sample, std::uint32_t i) const;

  SimRankSettings settings_;
  std::vector<double> time_weight_;  ///< of having met by each time after the first: C^τ = Σ over times from τ on
  std::vector<Sample> samples_;
  std::vector<float> mass_;  ///< of document i in samples 0 … r, at i · samples + r: what it is alike to all others
};

}  // namespace idne
