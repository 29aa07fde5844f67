#pragma once

#include <cstdint>
#include <vector>

#include "corpus/corpus.h"
#include "idne/run.h"
#include "math/kmeans.h"

namespace idne {

/// Documents where topics are looked for: their texts (LSA), drawn to their neighbours within two links as far as these
/// are alike.
///
/// Clusters are those of spherical k-means, started from the largest singular vectors, each cut to its heavier sign, as
/// the start NNDSVD of non-negative factorisations does it (Boutsidis, Gallopoulos, 2008). No random number decides:
/// the same corpus gives the same clusters, whatever a training's seed is.
class TopicClusters {
 public:
  /// For up to `most_clusters`. Without a network, texts alone count. Documents without words are left out; of more
  /// than `most_documents` an even sample is taken, and some neighbours of each.
  TopicClusters(const Bags& bags, std::size_t words, const Network* network, std::size_t most_clusters, const Run& run,
                std::size_t most_documents = 20000);

  /// Dimensions of the space in which so many are looked for.
  static std::size_t width_for(std::size_t clusters);

  /// Those that are looked at, rising, by their numbers among all.
  const std::vector<std::uint32_t>& documents() const { return documents_; }
  const Placement& spread() const { return spread_; }
  /// Row n is documents()[n]. REQUIRES: documents, and not more clusters than were announced.
  Clusters find(std::size_t clusters, const Run& run) const;
  /// Given ones, to which those of `free` are added, each to the nearest.
  Clusters assign_free(Clusters start, std::span<const char> free, const Run& run) const;

 private:
  Placement spread_;
  std::vector<std::uint32_t> documents_;
  std::size_t width_;
  std::vector<float> texts_;              ///< by singular vectors
  std::vector<double> component_scales_;  ///< of a singular vector's heavier sign, with that sign
  std::vector<float> rows_;               ///< drawn to neighbours, at unit length
};

}  // namespace idne
