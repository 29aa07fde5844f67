#pragma once

#include <cstdint>
#include <vector>

#include "idne/matrix.h"
#include "idne/run.h"
#include "math/random.h"

namespace idne {

/// Rows in clusters, each with those that point the same way.
struct Clusters {
  std::size_t count = 0;
  std::vector<std::uint32_t> of_row;

  std::vector<std::size_t> sizes() const;
  /// For each cluster the sum of its rows in a matrix, cluster after cluster.
  std::vector<float> sums(MatrixView rows, int threads) const;
};

/// Spherical k-means: rows of unit length, to the centre with the largest cosine. Of some seedings (k-means++) the best
/// after a few rounds goes on. The same at any number of threads. Streams 0 … 15 of `purpose` are used.
/// REQUIRES: rows.rows > 0.
Clusters spherical_kmeans(MatrixView rows, std::size_t clusters, std::uint64_t seed, Purpose purpose, const Run& run);

}  // namespace idne
