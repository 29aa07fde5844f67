#include "math/kmeans.h"

#include <algorithm>
#include <numeric>

#include "math/dense.h"
#include "math/kernels.h"
#include "math/parallel.h"
#include "math/unit.h"

namespace idne {
namespace {

constexpr int kMostRounds = 40, kMostRefills = 4;
constexpr std::size_t kFew = 8;  // a cluster is small if it has less than this part of what it would have among equals

class KMeans {
 public:
  KMeans(MatrixView rows, Clusters start, const Run& run)
      : rows_(rows),
        run_(&run),
        clusters_(std::move(start)),
        centres_(clusters_.count * rows.columns),
        cosines_(rows.rows * clusters_.count) {
    move_centres();
  }

  /// Clusters that have hardly any rows get half of the loosest one, each; whether there was one.
  bool refill() {
    bool any = false;
    for (std::uint32_t k = 0; k < clusters_.count; ++k) {
      const std::vector<std::size_t> sizes = clusters_.sizes();
      if (kFew * clusters_.count * sizes[k] >= rows_.rows && sizes[k] > 0) continue;
      if (!halve_loosest_for(k, sizes)) return any;
      any = true;
    }
    return any;
  }

  /// Assigns and moves the centres; whether anything changed. A centre without rows stays.
  bool round() {
    multiply({rows_}, {{centres_.data(), clusters_.count, rows_.columns}, true}, cosines_, false, *run_);
    bool changed = false;
    for (std::size_t i = 0; i < rows_.rows; ++i) {
      const float* row = cosines_.data() + i * clusters_.count;
      const auto best = static_cast<std::uint32_t>(std::max_element(row, row + clusters_.count) - row);
      changed |= best != clusters_.of_row[i];
      clusters_.of_row[i] = best;
    }
    if (changed) move_centres();
    return changed;
  }

  Clusters clusters() && { return std::move(clusters_); }

 private:
  float* centre(std::size_t k) { return centres_.data() + k * rows_.columns; }

  float cosine(std::uint32_t a, std::uint32_t b) const {
    return dot(rows_.row(a).data(), rows_.row(b).data(), rows_.columns);
  }

  /// The loosest cluster falls apart into those nearer to its outermost row, which become cluster k, and those nearer
  /// to the row that is farthest from that one.
  bool halve_loosest_for(std::uint32_t k, const std::vector<std::size_t>& sizes) {
    std::vector<double> spread(clusters_.count);
    std::vector<float> outermost(clusters_.count, 2);
    std::vector<std::uint32_t> outer(clusters_.count);
    for (std::uint32_t i = 0; i < rows_.rows; ++i) {
      const std::uint32_t own = clusters_.of_row[i];
      const float to_centre = dot(rows_.row(i).data(), centre(own), rows_.columns);
      spread[own] += 1 - static_cast<double>(to_centre);
      if (to_centre < outermost[own]) outermost[own] = to_centre, outer[own] = i;
    }
    spread[k] = 0;
    const auto loosest = static_cast<std::uint32_t>(std::ranges::max_element(spread) - spread.begin());
    if (sizes[loosest] < 2 || !(spread[loosest] > 1e-6)) return false;
    std::uint32_t opposite = outer[loosest];
    for (std::uint32_t i = 0; i < rows_.rows; ++i) {
      if (clusters_.of_row[i] == loosest && cosine(i, outer[loosest]) < cosine(opposite, outer[loosest])) opposite = i;
    }
    for (std::uint32_t i = 0; i < rows_.rows; ++i) {
      if (clusters_.of_row[i] == loosest && cosine(i, outer[loosest]) > cosine(i, opposite)) clusters_.of_row[i] = k;
    }
    move_centres();
    return true;
  }

  void move_centres() {
    const std::vector<float> sums = clusters_.sums(rows_, run_->threads);
    for (std::size_t k = 0; k < clusters_.count; ++k) {
      const float* sum = sums.data() + k * rows_.columns;
      if (dot(sum, sum, rows_.columns) <= 0) continue;
      std::copy_n(sum, rows_.columns, centre(k));
      to_unit_length({centre(k), rows_.columns});
    }
  }

  MatrixView rows_;
  const Run* run_;
  Clusters clusters_;
  std::vector<float> centres_, cosines_;
};

}  // namespace

std::vector<std::size_t> Clusters::sizes() const {
  std::vector<std::size_t> result(count);
  for (const std::uint32_t cluster : of_row) ++result[cluster];
  return result;
}

std::vector<float> Clusters::sums(MatrixView rows, int threads) const {
  std::vector<std::vector<Term>> members(count);
  for (std::uint32_t i = 0; i < rows.rows; ++i) members[of_row[i]].push_back({i, 1});
  std::vector<float> result(count * rows.columns);
  parallel_for(threads, count, [&](std::size_t k, std::size_t) {
    weighted_sum(rows.data, rows.columns, members[k].data(), members[k].size(), rows.columns,
                 result.data() + k * rows.columns);
  });
  return result;
}

Clusters spherical_kmeans(MatrixView rows, Clusters start, const Run& run) {
  KMeans kmeans(rows, std::move(start), run);
  kmeans.refill();
  for (int refills = 0;; ++refills) {
    for (int round = 0; round < kMostRounds && kmeans.round(); ++round) run.check();
    if (refills == kMostRefills || !kmeans.refill()) break;
  }
  return std::move(kmeans).clusters();
}

Clusters assign_free(MatrixView rows, Clusters start, std::span<const char> free, const Run& run) {
  const std::vector<std::uint32_t> before = start.of_row;
  KMeans kmeans(rows, std::move(start), run);
  kmeans.round();
  Clusters clusters = std::move(kmeans).clusters();
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!free[i]) clusters.of_row[i] = before[i];
  }
  return clusters;
}

}  // namespace idne
