#include "math/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace idne {
namespace {

TEST(Philox, GivesThePublishedNumbers) {
  // Known answers of Random123's philox4x32-10.
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}),
            (std::array<std::uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
            (std::array<std::uint32_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (std::array<std::uint32_t, 4>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, StreamsDependOnSeedPurposeAndIndex) {
  std::set<std::uint64_t> first;
  for (std::uint64_t seed : {0ull, 1ull, 1ull << 40}) {
    for (Purpose purpose : {Purpose::Pairs, Purpose::WordStart}) {
      for (std::uint64_t index : {0ull, 1ull, 2ull, 1ull << 35}) first.insert(Random(seed, purpose, index).bits64());
    }
  }
  EXPECT_EQ(first.size(), 3u * 2u * 4u);
}

TEST(Random, NeighbouringStreamsShareNoNumbers) {
  // Step t + 1 must not draw step t's numbers shifted by a few.
  std::set<std::uint32_t> one, both;
  Random a(1, Purpose::Pairs, 7), b(1, Purpose::Pairs, 8);
  for (int k = 0; k < 2000; ++k) one.insert(a.bits32());
  both = one;
  for (int k = 0; k < 2000; ++k) both.insert(b.bits32());
  EXPECT_GE(both.size(), one.size() + 1998);
}

TEST(Random, BelowIsUniform) {
  Random random(3, Purpose::Pairs, 0);
  std::vector<int> seen(7);
  constexpr int kDraws = 70000;
  for (int k = 0; k < kDraws; ++k) ++seen[random.below(7)];
  double chi_square = 0;
  for (const int count : seen) chi_square += std::pow(count - kDraws / 7.0, 2) / (kDraws / 7.0);
  EXPECT_LT(chi_square, 22.5);  // 6 degrees of freedom, p = 0.001
}

TEST(Random, UniformFillsTheUnitInterval) {
  Random random(5, Purpose::Pairs, 0);
  double sum = 0, least = 1, most = 0;
  for (int k = 0; k < 100000; ++k) {
    const double x = random.uniform();
    sum += x, least = std::min(least, x), most = std::max(most, x);
  }
  EXPECT_GE(least, 0);
  EXPECT_LT(most, 1);
  EXPECT_NEAR(sum / 100000, 0.5, 0.005);
}

TEST(Random, TruncatedNormalHasItsDistribution) {
  Random random(9, Purpose::WordStart, 0);
  std::vector<double> values(200000);
  for (double& value : values) value = random.truncated_normal();
  std::sort(values.begin(), values.end());
  EXPECT_GE(values.front(), -2.0001);
  EXPECT_LE(values.back(), 2.0001);
  const auto normal = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
  double largest = 0;  // Kolmogorov–Smirnov against the cut normal
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double expected = (normal(values[k]) - normal(-2)) / (normal(2) - normal(-2));
    largest = std::max(largest, std::abs(expected - static_cast<double>(k) / static_cast<double>(values.size())));
  }
  EXPECT_LT(largest, 1.95 / std::sqrt(static_cast<double>(values.size())));  // p = 0.001
}

}  // namespace
}  // namespace idne
