#include "math/svd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "dense_svd.h"
#include "math/random.h"
#include "with_threads.h"

namespace idne {
namespace {

using Dense = std::vector<std::vector<double>>;

Dense random_matrix(std::size_t rows, std::size_t columns, double filled, std::uint64_t seed) {
  Random random(seed, Purpose::Generate, 0);
  Dense a(rows, std::vector<double>(columns));
  for (auto& row : a) {
    for (double& x : row) x = random.uniform() < filled ? static_cast<float>(random.uniform() - 0.3) : 0;
  }
  return a;
}

SparseRows sparse(const Dense& a, std::size_t columns) {
  SparseRows result;
  result.columns = columns;
  for (const auto& row : a) {
    for (std::uint32_t c = 0; c < columns; ++c) {
      if (row[c] != 0) result.entries.push_back({c, static_cast<float>(row[c])});
    }
    result.offsets.push_back(result.entries.size());
  }
  return result;
}

/// Values to a thousandth of each, and vectors where the gap to the next value fixes them.
void expect_equal(const TruncatedSvd& found, const DenseSvd& truth, std::size_t rank, std::size_t columns) {
  ASSERT_EQ(found.values.size(), rank);
  ASSERT_EQ(found.right.size(), columns * rank);
  for (std::size_t k = 0; k < rank; ++k) {
    const double value = k < truth.values.size() ? truth.values[k] : 0;
    if (value <= 1e-6 * truth.values[0]) {
      EXPECT_NEAR(found.values[k], 0, 1e-4 * truth.values[0]) << k;
      continue;
    }
    EXPECT_NEAR(found.values[k], value, 1e-3 * value) << k;
    const double above = k > 0 ? truth.values[k - 1] - value : INFINITY;
    const double below = k + 1 < truth.values.size() ? value - truth.values[k + 1] : INFINITY;
    if (std::min(above, below) < 0.02 * value) continue;
    for (std::size_t c = 0; c < columns; ++c) {
      EXPECT_NEAR(found.right[c * rank + k], truth.vectors[k][c], 5e-3) << "vector " << k << " column " << c;
    }
  }
}

TEST(TruncatedSvd, AgreesWithDenseSvd) {
  for (const auto& [rows, columns] :
       {std::pair<std::size_t, std::size_t>{30, 12}, {12, 30}, {20, 20}, {1, 5}, {5, 1}}) {
    const Dense a = random_matrix(rows, columns, 0.6, rows + 1);
    for (const std::size_t rank : {1u, 4u}) {
      SCOPED_TRACE(testing::Message() << rows << " × " << columns << ", rank " << rank);
      expect_equal(truncated_svd(sparse(a, columns), rank, 1, {}), dense_svd(a), rank, columns);
    }
  }
}

TEST(TruncatedSvd, AgreesWhereTheProjectionIsNarrowerThanTheMatrix) {
  // 60 columns, 3 + 32 directions; values fall as in texts: some large ones over a slowly falling rest.
  Dense a = random_matrix(90, 60, 0.1, 5);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t c = 0; c < 8; ++c) a[i][(i % 3) * 20 + c] += 1 + static_cast<double>(i % 3);
  }
  expect_equal(truncated_svd(sparse(a, 60), 3, 1, {}), dense_svd(a), 3, 60);
}

TEST(TruncatedSvd, LeavesRanksThatTheMatrixDoesNotHaveAtZero) {
  Dense a = random_matrix(6, 4, 1, 2);
  for (auto& row : a) row[3] = row[0] + row[1];  // rank 3
  const TruncatedSvd found = truncated_svd(sparse(a, 4), 9, 1, {});
  expect_equal(found, dense_svd(a), 9, 4);
  for (std::size_t k = 4; k < 9; ++k) {
    EXPECT_EQ(found.values[k], 0);
    for (std::size_t c = 0; c < 4; ++c) EXPECT_EQ(found.right[c * 9 + k], 0);
  }
}

TEST(TruncatedSvd, OfNothingIsZeros) {
  for (const std::size_t rows : {0u, 3u}) {
    for (const std::size_t columns : {0u, 4u}) {
      const TruncatedSvd found = truncated_svd(sparse(Dense(rows, std::vector<double>(columns)), columns), 2, 1, {});
      EXPECT_EQ(found.values, std::vector<float>(2));
      EXPECT_EQ(found.right, std::vector<float>(columns * 2));
    }
  }
}

TEST(TruncatedSvd, LargestEntryOfEveryVectorIsPositive) {
  const TruncatedSvd found = truncated_svd(sparse(random_matrix(25, 10, 0.6, 3), 10), 5, 1, {});
  for (std::size_t k = 0; k < 5; ++k) {
    float largest = 0;
    for (std::size_t c = 0; c < 10; ++c) {
      const float x = found.right[c * 5 + k];
      if (std::abs(x) > std::abs(largest)) largest = x;
    }
    EXPECT_GT(largest, 0) << k;
  }
}

TEST(TruncatedSvd, SameBitsAtAnyNumberOfThreads) {
  const SparseRows a = sparse(random_matrix(300, 150, 0.05, 4), 150);  // several pieces of 64 rows
  const TruncatedSvd one = truncated_svd(a, 10, 1, {});
  for (const int threads : {2, 3}) {
    const TruncatedSvd more = truncated_svd(a, 10, 1, with_threads(threads));
    EXPECT_EQ(one.values, more.values);
    EXPECT_EQ(one.right, more.right);
  }
}

TEST(SparseRows, TransposeTurnsRowsIntoColumns) {
  const Dense a{{0, 2, 0}, {1, 3, 0}};
  const SparseRows turned = sparse(a, 3).transposed();
  ASSERT_EQ(turned.rows(), 3u);
  EXPECT_EQ(turned.columns, 2u);
  ASSERT_EQ(turned.row(0).size(), 1u);
  EXPECT_EQ(turned.row(0)[0].row, 1u);
  EXPECT_EQ(turned.row(0)[0].weight, 1);
  ASSERT_EQ(turned.row(1).size(), 2u);
  EXPECT_EQ(turned.row(1)[0].row, 0u);
  EXPECT_EQ(turned.row(1)[1].weight, 3);
  EXPECT_TRUE(turned.row(2).empty());
}

}  // namespace
}  // namespace idne
