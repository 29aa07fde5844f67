#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "idne/matrix.h"
#include "idne/run.h"

namespace idne {

/// Rows in clusters, each with those that point the same way.
struct Clusters {
  std::size_t count = 0;
  std::vector<std::uint32_t> of_row;

  std::vector<std::size_t> sizes() const;
  /// For each cluster the sum of its rows in a matrix, cluster after cluster.
  std::vector<float> sums(MatrixView rows, int threads) const;
};

/// Spherical k-means from given clusters: rows of unit length, to the centre with the largest cosine, until nothing
/// changes or for some rounds. Clusters that have hardly any rows, at the start or at the end, get half of the loosest
/// one, a few times.
/// The same at any number of threads. REQUIRES: rows.rows > 0.
Clusters spherical_kmeans(MatrixView rows, Clusters start, const Run& run);
/// Those of `free` go to the cluster whose centre is nearest; the others stay where they are.
Clusters assign_free(MatrixView rows, Clusters start, std::span<const char> free, const Run& run);

}  // namespace idne
