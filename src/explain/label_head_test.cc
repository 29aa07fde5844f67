#include "explain/label_head.h"

#include <gtest/gtest.h>

#include <cmath>

#include "math/random.h"

namespace idne {
namespace {

/// Documents on a line, label 1 with probability σ(3 x), else label 0: what the head learns can be compared with that.
struct Line {
  std::vector<float> rows;
  Lists labels;
  std::vector<double> truth;  ///< probability of label 1

  explicit Line(std::size_t count, std::uint64_t seed) {
    Random random(seed, Purpose::HeldOut, 0);
    for (std::size_t i = 0; i < count; ++i) {
      const double angle = 3 * random.uniform() - 1.5;
      rows.push_back(static_cast<float>(std::cos(angle)));
      rows.push_back(static_cast<float>(std::sin(angle)));
      truth.push_back(1 / (1 + std::exp(-3 * std::sin(angle))));
      labels.values.push_back(random.uniform() < truth.back() ? 1 : 0);
      labels.end_row();
    }
  }
  MatrixView view() const { return {rows.data(), rows.size() / 2, 2}; }
};

TEST(LabelHead, ProbabilitiesAreThoseThatMadeTheLabels) {
  const Line train(4000, 1), test(200, 2);
  const std::vector<float> weights = fit_label_head(train.view(), train.labels, 2, {});
  ASSERT_EQ(weights.size(), 6u);
  double error = 0;
  for (std::size_t i = 0; i < test.view().rows; ++i) {
    const auto p = label_probabilities({weights.data(), 2, 3}, test.view().row(i), true);
    EXPECT_NEAR(p[0] + p[1], 1, 1e-12);
    error += std::abs(p[1] - test.truth[i]) / static_cast<double>(test.view().rows);
  }
  EXPECT_LT(error, 0.03);
}

TEST(LabelHead, SameBitsAtAnyNumberOfThreads) {
  const Line line(300, 3);
  idne::Run three;
  three.threads = 3;
  EXPECT_EQ(fit_label_head(line.view(), line.labels, 2, {}), fit_label_head(line.view(), line.labels, 2, three));
}

TEST(LabelHead, TheLengthOfAVectorDoesNotMatter) {
  const Line line(300, 3);
  const std::vector<float> weights = fit_label_head(line.view(), line.labels, 2, {});
  const std::vector<float> one{0.6f, 0.8f}, ten{6, 8};
  EXPECT_NEAR(label_probabilities({weights.data(), 2, 3}, one, false)[1],
              label_probabilities({weights.data(), 2, 3}, ten, false)[1], 1e-7);
}

TEST(LabelHead, RareLabelsGetTheirFrequencyAlone) {
  Line line(100, 4);
  line.labels.values[7] = 2;
  const std::vector<float> weights = fit_label_head(line.view(), line.labels, 4, {});
  ASSERT_EQ(weights.size(), 12u);
  for (const std::size_t label : {2u, 3u}) {
    EXPECT_EQ(weights[label * 3], 0);
    EXPECT_EQ(weights[label * 3 + 1], 0);
    EXPECT_LT(weights[label * 3 + 2], -3);
  }
}

TEST(LabelHead, DocumentsWithoutLabelsOrVectorsAreLeftOut) {
  const Line line(200, 5);
  Line more = line;
  more.rows.insert(more.rows.end(), {1, 0, 0, 0});
  more.labels.end_row();
  more.labels.values.push_back(1);
  more.labels.end_row();
  EXPECT_EQ(fit_label_head(line.view(), line.labels, 2, {}), fit_label_head(more.view(), more.labels, 2, {}));
}

TEST(LabelHead, ThereIsNoneWithoutTwoLabelsToLearn) {
  Line line(50, 6);
  EXPECT_TRUE(fit_label_head(line.view(), Lists{std::vector<std::int64_t>(51), {}}, 0, {}).empty());
  std::fill(line.labels.values.begin(), line.labels.values.end(), 0);
  EXPECT_TRUE(fit_label_head(line.view(), line.labels, 2, {}).empty());
}

TEST(LabelHead, KnowsWhetherDocumentsHaveSeveralLabels) {
  EXPECT_TRUE(one_label_each(std::vector<std::int64_t>{0, 1, 1, 2}));
  EXPECT_FALSE(one_label_each(std::vector<std::int64_t>{0, 1, 3}));
  EXPECT_TRUE(one_label_each(std::vector<std::int64_t>{}));
}

}  // namespace
}  // namespace idne
