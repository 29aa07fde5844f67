#include "evaluate/auc.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "math/random.h"

namespace idne {
namespace {

/// The definition: every pair, ties half.
double count_pairs(const std::vector<Scored>& predictions) {
  double right = 0, pairs = 0;
  for (const Scored& p : predictions) {
    for (const Scored& n : predictions) {
      if (!p.positive || n.positive) continue;
      ++pairs;
      right += p.score > n.score ? 1 : p.score == n.score ? 0.5 : 0;
    }
  }
  return right / pairs;
}

TEST(AreaUnderRoc, IsTheShareOfPairsInTheRightOrder) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    Random random(seed, Purpose::Generate, 0);
    std::vector<Scored> predictions{{0.5f, true}, {0.5f, false}};
    const std::uint32_t levels = 1 + random.below(40);  // few levels: many ties
    for (std::uint32_t n = random.below(120); n > 0; --n) {
      predictions.push_back({static_cast<float>(random.below(levels)) - 3, random.below(3) == 0});
    }
    EXPECT_NEAR(area_under_roc(predictions), count_pairs(predictions), 1e-12) << "seed " << seed;
  }
}

// python3 -c "from sklearn.metrics import roc_auc_score as a
// print(a([0,0,1,1,0,1,0,1,1,0], [.1,.4,.35,.8,.4,.4,.7,.7,.9,.1]), a([1,0,1,0,0], [-2,3,5,3,-2]))"
// 0.78 0.5833333333333333
TEST(AreaUnderRoc, AgreesWithScikitLearn) {
  EXPECT_NEAR(area_under_roc({{.1f, false},
                              {.4f, false},
                              {.35f, true},
                              {.8f, true},
                              {.4f, false},
                              {.4f, true},
                              {.7f, false},
                              {.7f, true},
                              {.9f, true},
                              {.1f, false}}),
              0.78, 1e-12);
  EXPECT_NEAR(area_under_roc({{-2, true}, {3, false}, {5, true}, {3, false}, {-2, false}}), 0.5833333333333333, 1e-12);
}

TEST(AreaUnderRoc, KnowsTheEnds) {
  EXPECT_EQ(area_under_roc({{1, false}, {2, true}}), 1);
  EXPECT_EQ(area_under_roc({{2, false}, {1, true}}), 0);
  EXPECT_EQ(area_under_roc({{1, false}, {1, true}}), 0.5);
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(area_under_roc({{-infinity, false}, {0, false}, {infinity, true}}), 1);
  EXPECT_EQ(area_under_roc({{-0.0f, false}, {0.0f, true}}), 0.5);  // equal, though not the same bits
}

TEST(AreaUnderRoc, IsNoNumberWithoutPairsOrWithScoresThatAreNone) {
  EXPECT_TRUE(std::isnan(area_under_roc({})));
  EXPECT_TRUE(std::isnan(area_under_roc({{1, true}, {2, true}})));
  EXPECT_TRUE(std::isnan(area_under_roc({{1, false}})));
  EXPECT_TRUE(std::isnan(area_under_roc({{1, false}, {2, true}, {std::nanf(""), true}})));
}

}  // namespace
}  // namespace idne
