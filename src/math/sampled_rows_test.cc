#include "math/sampled_rows.h"

#include <gtest/gtest.h>

#include <vector>

#include "math/random.h"

namespace idne {
namespace {

constexpr std::size_t kSparse = 9, kDense = 70, kFeatures = kSparse + kDense + 1;

/// Rows with two sparse features each and a constant, as plain numbers and as the library has them.
struct Rows {
  std::vector<std::vector<float>> plain;
  SparseFeatures sparse{kSparse};
  std::vector<float> dense;
  std::vector<float> curvature, in;

  explicit Rows(std::size_t count) {
    Random random(5, Purpose::Generate, 0);
    const auto number = [&] { return static_cast<float>(random.uniform() - 0.5); };
    for (std::uint32_t r = 0; r < count; ++r) {
      std::vector<float> row(kFeatures);
      for (const std::uint32_t column : {r % 4, 4 + r % 5}) sparse.add(column, row[column] = number());
      sparse.end_row();
      for (std::size_t d = 0; d < kDense; ++d) dense.push_back(row[kSparse + d] = number());
      row.back() = 1;
      plain.push_back(row);
      curvature.push_back(static_cast<float>(random.uniform() * (r % 10 == 0 ? 1 : 0.01)));
    }
    for (std::size_t k = 0; k < kFeatures; ++k) in.push_back(number());
  }
  Packed<float> packed() const { return {{dense.data(), plain.size(), kDense, kDense}, {}}; }

  std::vector<double> product() const {
    std::vector<double> out(kFeatures);
    for (std::size_t r = 0; r < plain.size(); ++r) {
      double margin = 0;
      for (std::size_t k = 0; k < kFeatures; ++k) margin += static_cast<double>(plain[r][k]) * in[k];
      for (std::size_t k = 0; k < kFeatures; ++k) out[k] += margin * static_cast<double>(curvature[r]) * plain[r][k];
    }
    return out;
  }
};

TEST(SampledRows, AllOfThemGiveTheProduct) {
  const Rows rows(300);
  SampledRows all;
  all.choose(rows.sparse, rows.packed(), rows.curvature, 300);
  EXPECT_EQ(all.size(), 300u);
  std::vector<float> out(kFeatures, 7.0f);
  all.multiply(rows.in, out);
  const std::vector<double> expected = rows.product();
  for (std::size_t k = 0; k < kFeatures; ++k) EXPECT_NEAR(out[k], expected[k], 1e-4) << k;
}

TEST(SampledRows, SomeStandForTheOthers) {
  const Rows rows(20'000);
  SampledRows some;
  some.choose(rows.sparse, rows.packed(), rows.curvature, 3000);
  EXPECT_NEAR(static_cast<double>(some.size()), 3000, 10);
  std::vector<float> constant(kFeatures), out(kFeatures);
  constant.back() = 1;
  some.multiply(constant, out);
  double sum = 0;
  for (const float value : rows.curvature) sum += static_cast<double>(value);
  EXPECT_NEAR(out.back(), sum, 0.001 * sum);
  some.multiply(rows.in, out);
  const std::vector<double> expected = rows.product();
  double distance = 0, length = 0;
  for (std::size_t k = 0; k < kFeatures; ++k) {
    distance += (out[k] - expected[k]) * (out[k] - expected[k]), length += expected[k] * expected[k];
  }
  EXPECT_LT(distance, 0.01 * length);
}

TEST(SampledRows, RowsWithoutCurvatureAreNotTaken) {
  Rows rows(50);
  SampledRows some;
  for (std::size_t r = 0; r < 50; ++r) rows.curvature[r] = r == 13 ? 0.5f : 0.0f;
  some.choose(rows.sparse, rows.packed(), rows.curvature, 20);
  EXPECT_EQ(some.size(), 1u);
  for (float& value : rows.curvature) value = 0;
  some.choose(rows.sparse, rows.packed(), rows.curvature, 20);
  EXPECT_EQ(some.size(), 0u);
  std::vector<float> out(kFeatures, 7.0f);
  some.multiply(rows.in, out);
  EXPECT_EQ(out, std::vector<float>(kFeatures));
}

}  // namespace
}  // namespace idne
