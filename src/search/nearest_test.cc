#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "idne/search.h"
#include "math/random.h"

namespace idne {
namespace {

TEST(Nearest, AgreesWithSortingAllCosines) {
  constexpr std::size_t kRows = 9000, kColumns = 10;
  Random random(1, Purpose::Generate, 0);
  std::vector<float> values(kRows * kColumns);
  for (float& value : values) value = random.truncated_normal();
  const MatrixView rows{values.data(), kRows, kColumns};
  const auto query = rows.row(77);
  std::vector<std::pair<double, std::size_t>> all;
  for (std::size_t i = 0; i < kRows; ++i) {
    double product = 0, a = 0, b = 0;
    for (std::size_t k = 0; k < kColumns; ++k) {
      product += static_cast<double>(rows.row(i)[k]) * query[k];
      a += static_cast<double>(rows.row(i)[k]) * rows.row(i)[k];
      b += static_cast<double>(query[k]) * query[k];
    }
    all.emplace_back(-product / std::sqrt(a * b), i);
  }
  std::sort(all.begin(), all.end());
  for (const int threads : {1, 3}) {
    const auto hits = nearest(rows, query, 20, threads);
    ASSERT_EQ(hits.size(), 20u);
    EXPECT_EQ(hits[0].row, 77u);
    for (std::size_t n = 0; n < hits.size(); ++n) {
      EXPECT_EQ(hits[n].row, all[n].second);
      EXPECT_NEAR(hits[n].score, -all[n].first, 1e-5);
    }
  }
}

TEST(Nearest, ZeroRowsAndZeroQueriesScoreZero) {
  const std::vector<float> values{0, 0, 1, 0, -1, 0}, zero{0, 0};
  const MatrixView rows{values.data(), 3, 2};
  const auto hits = nearest(rows, std::vector<float>{2, 0}, 10, 1);
  ASSERT_EQ(hits.size(), 3u);
  EXPECT_EQ(hits[0].row, 1u);
  EXPECT_EQ(hits[1].row, 0u);
  EXPECT_EQ(hits[1].score, 0);
  for (const Hit& hit : nearest(rows, zero, 10, 1)) EXPECT_EQ(hit.score, 0);
}

}  // namespace
}  // namespace idne
