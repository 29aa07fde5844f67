#include "evaluate/classifier.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "math/random.h"

namespace idne {
namespace {

std::vector<std::uint32_t> numbers(std::size_t n) {
  std::vector<std::uint32_t> all(n);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

Lists one_label_each(const std::vector<std::int32_t>& values) {
  Lists labels;
  for (const std::int32_t value : values) {
    labels.values.push_back(value);
    labels.end_row();
  }
  return labels;
}

struct Data {
  std::size_t width;
  std::vector<float> train, test;
  std::vector<std::int32_t> classes;

  Classified classify(std::size_t label_count = 3, std::uint64_t seed = 1) const {
    const std::size_t n = train.size() / width, m = test.size() / width;
    return idne::classify({train.data(), n, width}, numbers(n), one_label_each(classes), label_count,
                          {test.data(), m, width}, numbers(m), seed);
  }
};

/// 24 points in three classes that overlap, and 4 to be told.
Data overlapping() {
  return {3,
          {3,    0.4f,  0.1f,  -1.9f, 0.9f,  0.2f,  -0.7f, -1.2f, 0.9f, 0.7f,  -1.3f, 0.9f, 0.3f,  1.1f,  1,
           -1,   -1.1f, -0.6f, 2.2f,  -1.1f, -1.2f, -0.2f, 2.7f,  0.8f, -1.6f, -1.3f, 1.5f, -0.2f, 0.4f,  0.4f,
           0.7f, 3.2f,  -0.6f, -1.2f, -1.4f, -1.5f, 0.3f,  -1,    1.1f, -0.1f, -0.4f, 1.2f, -1,    -2.3f, 0.3f,
           0.6f, -0.9f, 0,     -2.2f, 0.9f,  1.6f,  0.3f,  0.5f,  2,    2.7f,  -1.1f, 0.8f, -1.9f, 0.6f,  -1.3f,
           2.2f, 1.3f,  -0.2f, 3,     -0.7f, 0.2f,  0.2f,  0.1f,  1,    1.3f,  -1.6f, 1.8f},
          {1, 1.8f, 0.5f, 0.7f, 1.8f, 0.8f, -2, 0.8f, -0.5f, 1.4f, 0.6f, -0.8f},
          {0, 1, 2, 0, 2, 2, 0, 1, 2, 1, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 0, 0, 1, 2}};
}

/// Two tight bunches on two axes.
Data separable() {
  Data data{2, {}, {}, {}};
  for (int k = 0; k < 20; ++k) {
    const float shift = 0.01f * static_cast<float>(k);
    const std::vector<float> point = k % 2 ? std::vector{1.0f, shift} : std::vector{shift, 1.0f};
    data.train.insert(data.train.end(), point.begin(), point.end());
    data.test.insert(data.test.end(), point.rbegin(), point.rend());
    data.classes.push_back(k % 2);
  }
  return data;
}

TEST(Classify, TellsSeparableClassesApart) {
  const Data data = separable();
  const Classified result = data.classify(2);
  std::vector<std::int32_t> turned;
  for (const std::int32_t c : data.classes) turned.push_back(1 - c);
  EXPECT_EQ(micro_auc(result.scores, numbers(20), one_label_each(turned), 2), 1);
}

// With X, y, T as in overlapping():
// u = lambda a: a / np.linalg.norm(a, axis=1)[:, None]
// [LogisticRegression(C=100, class_weight='balanced', solver='liblinear', tol=1e-9, max_iter=10000).fit(u(X), y == k)
//  .predict_proba(u(T))[:, 1] for k in range(3)]        (scikit-learn 1.2.1; transposed)
// Each document has one label, so that its probabilities are divided by their sum, as OneVsRestClassifier does.
TEST(Classify, GivesScikitLearnsProbabilities) {
  std::vector<float> truth{0.1519f, 0.7157f, 0.0798f, 0.0509f, 0.8457f, 0.1092f,
                           0.0001f, 0.9557f, 0.5125f, 0.9617f, 0.0329f, 0.0516f};
  for (std::size_t at = 0; at < truth.size(); at += 3) {
    const float sum = truth[at] + truth[at + 1] + truth[at + 2];
    for (std::size_t k = 0; k < 3; ++k) truth[at + k] /= sum;
  }
  const Classified result = overlapping().classify();
  ASSERT_DOUBLE_EQ(result.c, 100);
  ASSERT_EQ(result.scores.size(), truth.size());
  for (std::size_t k = 0; k < truth.size(); ++k) EXPECT_NEAR(result.scores[k], truth[k], 1e-2) << k;
}

TEST(Classify, ScaleOfRowsDoesNotMatter) {
  const Data data = overlapping();
  Data scaled = data;
  for (std::size_t k = 0; k < scaled.train.size(); ++k) scaled.train[k] *= static_cast<float>(1 << (k / 3 % 4));
  for (float& x : scaled.test) x *= 8;
  EXPECT_EQ(data.classify().scores, scaled.classify().scores);
}

/// Points in 3 dimensions as points of a plane of three in `width`, at an angle to the axes.
std::vector<float> lifted(const std::vector<float>& points, std::size_t width) {
  std::vector<float> result;
  for (std::size_t at = 0; at < points.size(); at += 3) {
    for (std::size_t d = 0; d < width; ++d) {  // columns of a discrete cosine transform are at right angles
      double x = 0;
      for (std::size_t k = 0; k < 3; ++k) {
        x += points[at + k] * std::sqrt(2.0 / static_cast<double>(width)) *
             std::cos(std::acos(-1.0) / static_cast<double>(width) * (static_cast<double>(d) + 0.5) *
                      static_cast<double>(k + 1));
      }
      result.push_back(static_cast<float>(x));
    }
  }
  return result;
}

TEST(Classify, FewerRowsThanDimensionsChangeNothing) {
  const Data data = overlapping();
  const Data wide{40, lifted(data.train, 40), lifted(data.test, 40), data.classes};
  const Classified plain = data.classify(), spanned = wide.classify();
  EXPECT_EQ(plain.c, spanned.c);
  for (std::size_t k = 0; k < plain.scores.size(); ++k) EXPECT_NEAR(plain.scores[k], spanned.scores[k], 5e-3) << k;
}

TEST(Classify, WhatLiesOutsideTheTrainingRowsSpanDoesNotCount) {
  Data data{30, {}, std::vector<float>(60), {}};
  Random random(1, Purpose::Generate, 0);
  for (std::int32_t k = 0; k < 12; ++k) {  // 12 rows within the first 15 dimensions
    for (int d = 0; d < 30; ++d) data.train.push_back(d < 15 ? static_cast<float>(random.uniform() - 0.5) : 0);
    data.classes.push_back(k % 2);
  }
  data.test[20] = 1;  // at right angles to all; the second row is zero
  const Classified result = data.classify(2);
  EXPECT_NEAR(result.scores[0], result.scores[2], 1e-6);
  EXPECT_NEAR(result.scores[1], result.scores[3], 1e-6);
}

TEST(Classify, UsesTheChosenRowsAlone) {
  const Data data = overlapping();
  const Lists labels = one_label_each(data.classes);
  std::vector<float> rows{9, 9, 9};
  rows.insert(rows.end(), data.train.begin(), data.train.end());
  Lists shifted = one_label_each({2});
  shifted.values.insert(shifted.values.end(), labels.values.begin(), labels.values.end());
  for (std::size_t k = 0; k < labels.rows(); ++k) shifted.offsets.push_back(shifted.offsets.back() + 1);
  std::vector<std::uint32_t> chosen = numbers(24);
  for (std::uint32_t& row : chosen) ++row;
  const Classified part =
      classify({rows.data(), 25, 3}, chosen, shifted, 3, {data.test.data(), 4, 3}, std::vector<std::uint32_t>{2, 0}, 1);
  const std::vector<float> all = data.classify().scores;
  EXPECT_EQ(part.scores, (std::vector<float>{all[6], all[7], all[8], all[0], all[1], all[2]}));
}

TEST(Classify, LabelsOfAllOrNoneAreCertain) {
  Data data = separable();
  data.classes.assign(20, 1);
  const Classified result = data.classify(3);
  for (std::size_t row = 0; row < 20; ++row) {
    EXPECT_LT(result.scores[row * 3], 1e-6);
    EXPECT_GT(result.scores[row * 3 + 1], 1 - 1e-6);
    EXPECT_LT(result.scores[row * 3 + 2], 1e-6);
  }
}

TEST(Classify, KnowsALabelWithOneMember) {
  Data data = separable();
  data.train[0] = -1, data.train[1] = 0, data.classes[0] = 2;
  data.test[0] = -1, data.test[1] = 0;
  const Classified result = data.classify(3);
  for (std::size_t row = 1; row < 20; ++row) EXPECT_GT(result.scores[2], result.scores[row * 3 + 2]) << row;
}

TEST(Classify, TakesSeveralLabelsAndNone) {
  // Label 0: first coordinate above zero; label 1: second coordinate above zero.
  std::vector<float> rows;
  Lists labels;
  for (int k = 0; k < 32; ++k) {
    const double angle = (k + 0.5) * std::acos(-1.0) / 16;
    rows.push_back(static_cast<float>(std::cos(angle)));
    rows.push_back(static_cast<float>(std::sin(angle)));
    if (rows[rows.size() - 2] > 0) labels.values.push_back(0);
    if (rows.back() > 0) labels.values.push_back(1);
    labels.end_row();
  }
  const MatrixView view{rows.data(), 32, 2};
  const Classified result = classify(view, numbers(32), labels, 2, view, numbers(32), 1);
  EXPECT_GT(micro_auc(result.scores, numbers(32), labels, 2), 0.999);
}

TEST(Classify, IsDeterministic) { EXPECT_EQ(overlapping().classify().scores, overlapping().classify().scores); }

TEST(Classify, TakesFewRowsAndZeroRows) {
  Data data{2, {1, 0, 0, 0, 0, 1}, {0, 0, 1, 0}, {0, 1, 1}};
  const Classified result = data.classify(2);
  for (const float score : result.scores) EXPECT_TRUE(score >= 0 && score <= 1) << score;
  EXPECT_GT(result.scores[2], result.scores[0]);

  data.train = std::vector<float>(6);
  for (const float score : data.classify(2).scores) EXPECT_TRUE(score >= 0 && score <= 1) << score;
  data = {2, {1, 0}, {0, 1}, {0}};
  EXPECT_EQ(data.classify(2).scores.size(), 2u);
}

TEST(Classify, ScoresAreNoNumbersWhereThereIsNothingToLearnFrom) {
  for (const float score : Data{2, {}, {0, 1}, {}}.classify(2).scores) EXPECT_TRUE(std::isnan(score));
  Data data = overlapping();
  data.train[7] = std::nanf("");
  for (const float score : data.classify().scores) EXPECT_TRUE(std::isnan(score));
}

// python3 -c "from sklearn.metrics import roc_auc_score as a
// print(a([[1,0,0],[0,1,1],[0,0,1],[1,1,0]], [[.9,.2,.3],[.4,.4,.6],[.6,.1,.2],[.5,.7,.3]], average='micro'))"
// 0.7916666666666667
TEST(MicroAuc, AgreesWithScikitLearn) {
  Lists labels;
  for (const auto& row : std::vector<std::vector<std::int32_t>>{{2}, {0}, {1, 2}, {2}, {0, 1}}) {
    labels.values.insert(labels.values.end(), row.begin(), row.end());
    labels.end_row();
  }
  const std::vector<float> scores{.9f, .2f, .3f, .4f, .4f, .6f, .6f, .1f, .2f, .5f, .7f, .3f};
  EXPECT_NEAR(micro_auc(scores, std::vector<std::uint32_t>{1, 2, 3, 4}, labels, 3), 0.7916666666666667, 1e-12);
}

}  // namespace
}  // namespace idne
