#include "math/kmeans.h"

#include <algorithm>
#include <numeric>

#include "math/dense.h"
#include "math/kernels.h"
#include "math/parallel.h"
#include "math/unit.h"

namespace idne {
namespace {

constexpr int kMostRounds = 40;

class KMeans {
 public:
  KMeans(MatrixView rows, Clusters start, const Run& run)
      : rows_(rows),
        run_(&run),
        clusters_(std::move(start)),
        centres_(clusters_.count * rows.columns),
        cosines_(rows.rows * clusters_.count) {
    move_centres();
    fill_empty_clusters();
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

  void move_centres() {
    const std::vector<float> sums = clusters_.sums(rows_, run_->threads);
    for (std::size_t k = 0; k < clusters_.count; ++k) {
      const float* sum = sums.data() + k * rows_.columns;
      if (dot(sum, sum, rows_.columns) <= 0) continue;
      std::copy_n(sum, rows_.columns, centre(k));
      to_unit_length({centre(k), rows_.columns});
    }
  }

  void fill_empty_clusters() {
    std::vector<std::size_t> sizes = clusters_.sizes();
    if (std::ranges::find(sizes, std::size_t{0}) == sizes.end()) return;
    std::vector<std::uint32_t> outermost(rows_.rows);
    std::iota(outermost.begin(), outermost.end(), 0u);
    std::vector<float> cosine(rows_.rows);
    for (std::size_t i = 0; i < rows_.rows; ++i) {
      cosine[i] = dot(rows_.row(i).data(), centre(clusters_.of_row[i]), rows_.columns);
    }
    std::ranges::stable_sort(outermost, {}, [&](std::uint32_t i) { return cosine[i]; });
    auto next = outermost.begin();
    for (std::size_t k = 0; k < clusters_.count; ++k) {
      if (sizes[k] > 0) continue;
      next = std::find_if(next, outermost.end(), [&](std::uint32_t i) { return sizes[clusters_.of_row[i]] > 1; });
      if (next == outermost.end()) return;
      --sizes[clusters_.of_row[*next]];
      clusters_.of_row[*next] = static_cast<std::uint32_t>(k);
      sizes[k] = 1;
      std::ranges::copy(rows_.row(*next++), centre(k));
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
  for (int round = 0; round < kMostRounds && kmeans.round(); ++round) run.check();
  return std::move(kmeans).clusters();
}

}  // namespace idne
