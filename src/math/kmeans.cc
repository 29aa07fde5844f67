#include "math/kmeans.h"

#include <algorithm>
#include <numeric>

#include "math/dense.h"
#include "math/kernels.h"
#include "math/parallel.h"
#include "math/unit.h"

namespace idne {
namespace {

constexpr std::size_t kSeedings = 16;
constexpr int kTrialRounds = 3, kMostRounds = 25;

std::size_t draw(const std::vector<double>& weights, Random& random) {
  const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (all <= 0) return random.below(static_cast<std::uint32_t>(weights.size()));
  double left = random.uniform() * all;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if ((left -= weights[i]) < 0) return i;
  }
  return weights.size() - 1;
}

class KMeans {
 public:
  KMeans(MatrixView rows, std::size_t clusters, const Run& run)
      : rows_(rows), run_(&run), centres_(clusters * rows.columns), cosines_(rows.rows * clusters) {
    clusters_.count = clusters;
    clusters_.of_row.resize(rows.rows);
  }

  /// The first centre by chance, the others too but far from those before (k-means++).
  void seed(Random random) {
    constexpr std::size_t kRows = 256;
    std::vector<double> distance(rows_.rows, 1);
    for (std::size_t k = 0; k < clusters_.count; ++k) {
      const std::size_t chosen = draw(distance, random);
      std::ranges::copy(rows_.row(chosen), centre(k));
      parallel_parts(run_->threads, rows_.rows, kRows, [&](std::size_t begin, std::size_t end) {
        run_->check();
        for (std::size_t i = begin; i < end; ++i) {
          const double apart = 1 - static_cast<double>(dot(rows_.row(i).data(), centre(k), rows_.columns));
          distance[i] = std::min(distance[i], std::max(0.0, apart));
        }
      });
    }
  }

  /// Assigns and moves the centres; whether anything changed. A centre without rows stays.
  bool round() {
    multiply({rows_}, {{centres_.data(), clusters_.count, rows_.columns}, true}, cosines_, false, *run_);
    bool changed = false;
    sum_ = 0;
    for (std::size_t i = 0; i < rows_.rows; ++i) {
      const float* row = cosines_.data() + i * clusters_.count;
      const auto best = static_cast<std::uint32_t>(std::max_element(row, row + clusters_.count) - row);
      changed |= best != clusters_.of_row[i];
      clusters_.of_row[i] = best;
      sum_ += row[best];
    }
    const std::vector<float> sums = clusters_.sums(rows_, run_->threads);
    for (std::size_t k = 0; k < clusters_.count; ++k) {
      const float* sum = sums.data() + k * rows_.columns;
      if (dot(sum, sum, rows_.columns) <= 0) continue;
      std::copy_n(sum, rows_.columns, centre(k));
      to_unit_length({centre(k), rows_.columns});
    }
    return changed;
  }

  double sum_of_cosines() const { return sum_; }
  Clusters clusters() && { return std::move(clusters_); }

 private:
  float* centre(std::size_t k) { return centres_.data() + k * rows_.columns; }

  MatrixView rows_;
  const Run* run_;
  Clusters clusters_;
  std::vector<float> centres_, cosines_;
  double sum_ = 0;
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

Clusters spherical_kmeans(MatrixView rows, std::size_t clusters, std::uint64_t seed, Purpose purpose, const Run& run) {
  KMeans best(rows, clusters, run);
  for (std::size_t n = 0; n < kSeedings; ++n) {
    run.check();
    KMeans trial(rows, clusters, run);
    trial.seed(Random(seed, purpose, n));
    for (int round = 0; round < kTrialRounds; ++round) trial.round();
    if (n == 0 || trial.sum_of_cosines() > best.sum_of_cosines()) best = std::move(trial);
  }
  for (int round = kTrialRounds; round < kMostRounds && best.round(); ++round) run.check();
  return std::move(best).clusters();
}

}  // namespace idne
