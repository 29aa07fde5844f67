#include "math/sparse_features.h"

#include <gtest/gtest.h>

#include "targets.h"

namespace idne {
namespace {

/// Every third number of a random matrix.
SparseFeatures thinned(const std::vector<float>& values, std::size_t columns) {
  SparseFeatures rows(columns);
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (k % 3 == 0) rows.add(static_cast<std::uint32_t>(k % columns), values[k]);
    if (k % columns == columns - 1) rows.end_row();
  }
  return rows;
}

TEST(SparseFeatures, ProductsAreThePlainOnes) {
  constexpr std::size_t kRows = 23, kColumns = 17;
  const std::vector<float> values = noise(kRows * kColumns, 1);
  const SparseFeatures rows = thinned(values, kColumns);
  ASSERT_EQ(rows.rows(), kRows);
  const std::vector<float> right = noise(kColumns * kSparseLanes, 2), left = noise(kRows * kSparseLanes, 3);
  on_every_target([&](const std::string& target) {
    std::vector<float> product(kRows * kSparseLanes), transposed(kColumns * kSparseLanes);
    for (const auto& [begin, end] : {std::pair{0, 9}, {9, 23}}) {
      const auto from = static_cast<std::size_t>(begin), to = static_cast<std::size_t>(end);
      rows.multiply(right.data(), from, to, product.data());
      rows.multiply_transposed(left.data(), from, to, transposed.data());
    }
    std::vector<double> expected(product.size()), expected_transposed(transposed.size());
    for (std::size_t k = 0; k < values.size(); k += 3) {
      const std::size_t r = k / kColumns, c = k % kColumns;
      for (std::size_t lane = 0; lane < kSparseLanes; ++lane) {
        const auto value = static_cast<double>(values[k]);
        expected[r * kSparseLanes + lane] += value * static_cast<double>(right[c * kSparseLanes + lane]);
        expected_transposed[c * kSparseLanes + lane] += value * static_cast<double>(left[r * kSparseLanes + lane]);
      }
    }
    for (std::size_t k = 0; k < product.size(); ++k) ASSERT_NEAR(product[k], expected[k], 1e-5) << target;
    for (std::size_t k = 0; k < transposed.size(); ++k) {
      ASSERT_NEAR(transposed[k], expected_transposed[k], 1e-5) << target;
    }
  });
}

TEST(SparseFeatures, FusedTargetsGiveTheSameBits) {
  const SparseFeatures rows = thinned(noise(40 * 31, 4), 31);
  const std::vector<float> in = noise(40 * kSparseLanes, 5);
  std::vector<float> first;
  const bool any = on_every_fused_target([&](const std::string& target) {
    std::vector<float> out(31 * kSparseLanes);
    rows.multiply_transposed(in.data(), 0, 40, out.data());
    if (first.empty()) first = out;
    EXPECT_EQ(first, out) << target;
  });
  if (!any) GTEST_SKIP() << kNoFusedMultiplyAdd;
}

}  // namespace
}  // namespace idne
