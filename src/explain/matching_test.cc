#include "explain/matching.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "math/random.h"

namespace idne {
namespace {

/// The largest sum over all ways to give each row a column of its own.
double best_by_trying(const std::vector<double>& values, std::size_t columns) {
  const std::size_t rows = values.size() / columns;
  std::vector<std::size_t> order(columns);
  std::iota(order.begin(), order.end(), std::size_t{0});
  double best = -1e9;
  do {
    double sum = 0;
    for (std::size_t r = 0; r < rows; ++r) sum += values[r * columns + order[r]];
    best = std::max(best, sum);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

TEST(BestMatching, IsAsGoodAsTheBestOfAllWays) {
  Random random(1, Purpose::Generate, 0);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t columns = 1 + random.below(6), rows = 1 + random.below(static_cast<std::uint32_t>(columns));
    std::vector<double> values(rows * columns);
    for (double& value : values) value = random.below(10) - 3.0;  // with ties, and below zero
    const auto found = best_matching(values, columns);
    ASSERT_EQ(found.size(), rows);
    double sum = 0;
    for (std::size_t r = 0; r < rows; ++r) {
      EXPECT_EQ(std::count(found.begin(), found.end(), found[r]), 1);
      sum += values[r * columns + found[r]];
    }
    EXPECT_DOUBLE_EQ(sum, best_by_trying(values, columns));
  }
}

TEST(BestMatching, OfNothingIsNothing) { EXPECT_TRUE(best_matching({}, 0).empty()); }

}  // namespace
}  // namespace idne
