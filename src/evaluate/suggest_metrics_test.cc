#include "evaluate/suggest_metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "math/random.h"

namespace idne {
namespace {

using Numbers = std::vector<std::uint32_t>;

std::array<double, 3> links(const Numbers& ranked, const Numbers& truth) {
  LinkScores scores;
  scores.add(ranked, truth);
  return scores.figures();
}

TEST(LinkScores, CountByHand) {
  // The second and the fourth of the ten are true, of three true ones.
  const auto [recall, hit, mrr] = links({7, 3, 9, 5, 0, 1, 2, 4, 6, 8}, {3, 5, 20});
  EXPECT_DOUBLE_EQ(recall, 2.0 / 3);
  EXPECT_DOUBLE_EQ(hit, 1);
  EXPECT_DOUBLE_EQ(mrr, 1.0 / 2);
}

TEST(LinkScores, TenPlacesCannotHoldMoreThanTen) {
  Numbers all(40);
  std::iota(all.begin(), all.end(), 0u);
  EXPECT_DOUBLE_EQ(links(all, all)[0], 1);
  EXPECT_DOUBLE_EQ(links({1, 2, 3}, all)[0], 0.3);  // a short list misses the rest
}

TEST(LinkScores, BelowTheFirstTenOnlyTheRankCounts) {
  Numbers ranked(2000);
  std::iota(ranked.begin(), ranked.end(), 0u);
  EXPECT_EQ(links(ranked, {10}), (std::array{0.0, 0.0, 1.0 / 11}));
  EXPECT_EQ(links(ranked, {999}), (std::array{0.0, 0.0, 1.0 / 1000}));
  EXPECT_EQ(links(ranked, {1000}), (std::array{0.0, 0.0, 0.0})) << "ranks beyond 1000 count as none";
  EXPECT_EQ(links({}, {10}), (std::array{0.0, 0.0, 0.0}));
}

TEST(LinkScores, AreMeansOverDocuments) {
  LinkScores scores;
  EXPECT_TRUE(std::isnan(scores.figures()[0]));
  scores.add(Numbers{1}, Numbers{1});
  scores.add(Numbers{1}, Numbers{2});
  EXPECT_EQ(scores.figures(), (std::array{0.5, 0.5, 0.5}));
}

TEST(LinkScores, AgreeWithADirectCount) {
  Random random(1, Purpose::Split, 0);
  for (int round = 0; round < 200; ++round) {
    Numbers ranked(30);
    std::iota(ranked.begin(), ranked.end(), 0u);
    shuffle(ranked, random);
    ranked.resize(static_cast<std::size_t>(random.uniform() * 30));
    std::set<std::uint32_t> truth{static_cast<std::uint32_t>(random.uniform() * 30)};
    while (random.uniform() < 0.9) truth.insert(static_cast<std::uint32_t>(random.uniform() * 30));
    double hits = 0, reciprocal = 0;
    for (std::size_t k = ranked.size(); k-- > 0;) {
      if (!truth.contains(ranked[k])) continue;
      reciprocal = 1.0 / static_cast<double>(k + 1);
      hits += k < 10;
    }
    const double most = std::min<double>(10, static_cast<double>(truth.size()));
    const auto [recall, hit, mrr] = links(ranked, Numbers(truth.begin(), truth.end()));
    ASSERT_DOUBLE_EQ(recall, hits / most);
    ASSERT_DOUBLE_EQ(hit, hits > 0);
    ASSERT_DOUBLE_EQ(mrr, reciprocal);
  }
}

TEST(LabelScores, OneLabelPerDocument) {
  LabelScores scores(true);
  scores.add(std::vector<LabelGuess>{{0, 0.7}, {1, 0.2}, {2, 0.1}}, Numbers{0});
  scores.add(std::vector<LabelGuess>{{1, 0.4}, {2, 0.35}, {0, 0.25}}, Numbers{2});
  const auto [first, recall, f1, ece] = scores.figures();
  EXPECT_DOUBLE_EQ(first, 0.5);
  EXPECT_DOUBLE_EQ(recall, 1);
  EXPECT_DOUBLE_EQ(f1, 0.5);  // the first alone, however probable: as p@1
  EXPECT_NEAR(ece, (0.3 + 0.4) / 2, 1e-12);
}

TEST(LabelScores, SeveralLabelsPerDocument) {
  LabelScores scores(false);
  // Three labels of one half or more, two of them right; of the four true ones three places can hold three.
  scores.add(std::vector<LabelGuess>{{4, 0.9}, {0, 0.6}, {1, 0.5}, {2, 0.49}}, Numbers{1, 2, 3, 4});
  scores.add(std::vector<LabelGuess>{{0, 0.3}, {1, 0.2}}, Numbers{1});  // nothing is probable enough
  const auto [first, recall, f1, ece] = scores.figures();
  EXPECT_DOUBLE_EQ(first, 0.5);
  EXPECT_DOUBLE_EQ(recall, (2.0 / 3 + 1) / 2);
  EXPECT_DOUBLE_EQ(f1, 2.0 * 2 / (3 + 5));
  EXPECT_NEAR(ece, (0.1 + 0.3) / 2, 1e-12);
}

TEST(LabelScores, CalibrationIsOfBinsNotOfDocuments) {
  LabelScores scores(true);
  // In one bin, 0.72 in the mean and three of four right: 0.03 off. Alone in the last bin, 1 and right.
  for (const double p : {0.70, 0.71, 0.73, 0.74})
    scores.add(std::vector<LabelGuess>{{0, p}}, Numbers{p < 0.74 ? 0u : 1u});
  scores.add(std::vector<LabelGuess>{{0, 1.0}}, Numbers{0});
  EXPECT_NEAR(scores.figures()[3], 4 * 0.03 / 5, 1e-12);
}

TEST(LabelScores, ADocumentWithoutGuessesIsAMiss) {
  LabelScores scores(true);
  scores.add({}, Numbers{0});
  EXPECT_TRUE(std::isnan(scores.figures()[0])) << "nothing was ever guessed";
  scores.add(std::vector<LabelGuess>{{0, 1.0}}, Numbers{0});
  const auto [first, recall, f1, ece] = scores.figures();
  EXPECT_DOUBLE_EQ(first, 0.5);
  EXPECT_DOUBLE_EQ(recall, 0.5);
  EXPECT_DOUBLE_EQ(f1, 2.0 / 3);
  EXPECT_DOUBLE_EQ(ece, 0);
  scores.add(std::vector<LabelGuess>{{0, std::nan("")}}, Numbers{0});
  EXPECT_TRUE(std::isnan(scores.figures()[0]));
}

TEST(Metrics, OnlyTheCalibrationErrorIsBestWhenSmall) {
  for (const Task task : known_tasks()) {
    for (const std::string_view metric : metrics_of(task)) EXPECT_EQ(less_is_better(metric), metric == "ece");
  }
}

}  // namespace
}  // namespace idne
