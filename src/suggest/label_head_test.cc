#include "suggest/label_head.h"

#include <gtest/gtest.h>
#include <linear.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "math/random.h"
#include "model/tensors.h"
#include "suggest/frequencies.h"
#include "suggest/label_fit.h"
#include "suggest/label_rows.h"
#include "with_threads.h"

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

/// A head that sees vectors alone.
LabelWeights fit_vectors(MatrixView vectors, const Lists& labels, std::size_t count, const idne::Run& run = {}) {
  return fit_label_head({.labels = {labels.offsets, labels.values}, .label_count = count, .vectors = vectors}, run);
}
std::vector<double> probabilities(const LabelWeights& weights, std::size_t labels, std::span<const float> vector,
                                  bool one_label) {
  return LabelHead(weights, labels, nullptr, one_label).probabilities({}, vector);
}

TEST(LabelHead, ProbabilitiesAreThoseThatMadeTheLabels) {
  const Line train(4000, 1), test(200, 2);
  const LabelWeights weights = fit_vectors(train.view(), train.labels, 2);
  ASSERT_EQ(weights.rows.size(), 6u);
  double error = 0;
  for (std::size_t i = 0; i < test.view().rows; ++i) {
    const auto p = probabilities(weights, 2, test.view().row(i), true);
    EXPECT_NEAR(p[0] + p[1], 1, 1e-12);
    error += std::abs(p[1] - test.truth[i]) / static_cast<double>(test.view().rows);
  }
  EXPECT_LT(error, 0.03);
}

/// Documents in `width` dimensions with up to three labels each, which depend on the first dimensions.
struct Tagged {
  std::vector<float> rows;
  Lists labels;
  std::size_t width;

  Tagged(std::size_t count, std::size_t width, std::size_t label_count, std::uint64_t seed) : width(width) {
    Random random(seed, Purpose::HeldOut, 0);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < width; ++k) rows.push_back(random.truncated_normal());
      for (std::size_t k = 0; k < label_count; ++k) {
        const float margin = rows[i * width + k % width] + 0.5f * random.truncated_normal();
        if (margin > 0.5f + 0.1f * static_cast<float>(k)) labels.values.push_back(static_cast<std::int32_t>(k));
      }
      labels.end_row();
    }
  }
  MatrixView view() const { return {rows.data(), rows.size() / width, width}; }
};

/// LIBLINEAR's weights for a label, at its optimum as far as it goes.
std::vector<double> liblinear(const Tagged& data, std::int32_t label, double c) {
  set_print_string_function([](const char*) {});
  const MatrixView rows = data.view();
  std::vector<std::vector<feature_node>> nodes;
  std::vector<feature_node*> x;
  std::vector<double> y;
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const auto own = data.labels.row(i);
    if (own.empty()) continue;  // the head learns from documents that have labels
    double square = 0;
    for (const float value : rows.row(i)) square += static_cast<double>(value) * value;
    nodes.emplace_back();
    for (std::size_t k = 0; k < rows.columns; ++k) {
      nodes.back().push_back({static_cast<int>(k + 1), rows.row(i)[k] / std::sqrt(square)});
    }
    nodes.back().push_back({static_cast<int>(rows.columns + 1), 1.0});
    nodes.back().push_back({-1, 0.0});
    y.push_back(std::find(own.begin(), own.end(), label) != own.end() ? 1 : -1);
  }
  for (auto& row : nodes) x.push_back(row.data());
  problem all{static_cast<int>(x.size()), static_cast<int>(rows.columns + 1), y.data(), x.data(), -1};
  parameter how{};
  how.solver_type = L2R_LR;
  how.eps = 1e-6;
  how.C = c;
  ::model* fitted = ::train(&all, &how);
  std::vector<double> weights(fitted->w, fitted->w + rows.columns + 1);
  if (fitted->label[0] != 1) {  // its weights are for the label that it met first
    for (double& weight : weights) weight = -weight;
  }
  free_and_destroy_model(&fitted);
  return weights;
}

TEST(LabelHead, ProbabilitiesAreLiblinears) {
  const Tagged data(700, 12, 5, 1);
  const LabelWeights weights = fit_vectors(data.view(), data.labels, 5);
  ASSERT_EQ(weights.rows.size(), 5u * 13);
  const LabelledDocuments documents{
      .labels = {data.labels.offsets, data.labels.values}, .label_count = 5, .vectors = data.view()};
  const LabelFit fit = choose_fit(documents, documents_to_learn_from(documents), {});
  LabelWeights truth;
  for (std::int32_t k = 0; k < 5; ++k) {
    for (const double weight : liblinear(data, k, fit.c)) truth.rows.push_back(static_cast<float>(fit.slope * weight));
    truth.rows.back() += static_cast<float>(fit.shift);
  }
  for (std::size_t i = 0; i < data.view().rows; ++i) {
    const auto found = probabilities(weights, 5, data.view().row(i), false);
    const auto wanted = probabilities(truth, 5, data.view().row(i), false);
    for (std::size_t k = 0; k < 5; ++k) ASSERT_NEAR(found[k], wanted[k], 2e-3) << i << ", label " << k;
  }
}

TEST(LabelHead, SameBitsAtAnyNumberOfThreads) {
  const Tagged data(400, 12, 110, 2);  // more labels than are learned together
  const auto one = fit_vectors(data.view(), data.labels, 110, {});
  for (const int threads : {2, 3, 16}) {
    EXPECT_EQ(one, fit_vectors(data.view(), data.labels, 110, with_threads(threads))) << threads;
  }
}

TEST(LabelHead, StopsWhenToldTo) {
  const Tagged data(400, 12, 40, 3);
  for (const int threads : {1, 3}) {
    std::atomic<int> asked{0};
    idne::Run run = with_threads(threads);
    run.stopped = [&] { return ++asked > 10; };
    EXPECT_THROW(fit_vectors(data.view(), data.labels, 40, run), Interrupted);
  }
}

TEST(LabelHead, TheLengthOfAVectorDoesNotMatter) {
  const Line line(300, 3);
  const LabelWeights weights = fit_vectors(line.view(), line.labels, 2);
  const std::vector<float> one{0.6f, 0.8f}, ten{6, 8};
  EXPECT_NEAR(probabilities(weights, 2, one, false)[1], probabilities(weights, 2, ten, false)[1], 1e-7);
}

TEST(LabelHead, RareLabelsGetTheirFrequencyAlone) {
  Line line(100, 4);
  line.labels.values[7] = 2;
  const LabelWeights weights = fit_vectors(line.view(), line.labels, 4);
  ASSERT_EQ(weights.rows.size(), 12u);
  for (const std::size_t label : {2u, 3u}) {
    EXPECT_EQ(weights.rows[label * 3], 0);
    EXPECT_EQ(weights.rows[label * 3 + 1], 0);
    EXPECT_LT(weights.rows[label * 3 + 2], -3);
  }
}

TEST(LabelHead, DocumentsWithoutLabelsOrVectorsAreLeftOut) {
  const Line line(200, 5);
  Line more = line;
  more.rows.insert(more.rows.end(), {1, 0, 0, 0});
  more.labels.end_row();
  more.labels.values.push_back(1);
  more.labels.end_row();
  EXPECT_EQ(fit_vectors(line.view(), line.labels, 2, {}), fit_vectors(more.view(), more.labels, 2, {}));
}

TEST(LabelHead, ThereIsNoneWithoutTwoLabelsToLearn) {
  Line line(50, 6);
  EXPECT_TRUE(fit_vectors(line.view(), Lists{std::vector<std::int64_t>(51), {}}, 0, {}).empty());
  std::fill(line.labels.values.begin(), line.labels.values.end(), 0);
  EXPECT_TRUE(fit_vectors(line.view(), line.labels, 2, {}).empty());
}

/// Documents of two words and two dimensions: a word is there or not, the vector points up or right.
struct Pairs {
  CountMatrix words;
  std::vector<float> vectors;
  Lists labels;

  /// What decides: the word, or the vector.
  Pairs(std::size_t count, bool word_decides, std::uint64_t seed) {
    Random random(seed, Purpose::HeldOut, 0);
    for (std::size_t i = 0; i < count; ++i) {
      const bool word = random.uniform() < 0.5, up = random.uniform() < 0.5;
      words.add_row(std::vector<WordCount>{{word ? 1u : 0u, 1}, {2, 2}});
      vectors.insert(vectors.end(), {up ? 0.0f : 1.0f, up ? 1.0f : 0.0f});
      labels.values.push_back((word_decides ? word : up) ? 1 : 0);
      labels.end_row();
    }
  }
  MatrixView view() const { return {vectors.data(), vectors.size() / 2, 2}; }
  Tfidf tfidf() const { return {document_frequencies(words, 3), words.rows()}; }
  LabelledDocuments documents(const Tfidf& tfidf) const {
    return {.labels = {labels.offsets, labels.values},
            .label_count = 2,
            .vectors = view(),
            .words = &words,
            .tfidf = &tfidf};
  }
  /// The share of documents whose label comes first.
  double right(const LabelHead& head) const {
    double hits = 0;
    for (std::size_t i = 0; i < words.rows(); ++i) {
      const auto p = head.probabilities(words.row(i), view().row(i));
      hits += (p[1] > p[0]) == (labels.values[i] == 1);
    }
    return hits / static_cast<double>(words.rows());
  }
};

TEST(LabelHead, WordsDecideWhereTheVectorCannotAndTheVectorWhereWordsCannot) {
  for (const bool word_decides : {false, true}) {
    const Pairs train(300, word_decides, 1), test(100, word_decides, 2);
    const Tfidf tfidf = train.tfidf();
    const LabelWeights both = fit_label_head(train.documents(tfidf), {});
    EXPECT_EQ(test.right({both, 2, &tfidf, true}), 1);
    LabelledDocuments without_words = train.documents(tfidf);
    without_words.words = nullptr;
    const LabelWeights vectors = fit_label_head(without_words, {});
    EXPECT_EQ(test.right({vectors, 2, &tfidf, true}) == 1, !word_decides);
    LabelledDocuments without_vectors = train.documents(tfidf);
    without_vectors.vectors = {};
    const LabelWeights words = fit_label_head(without_vectors, {});
    const LabelHead head(words, 2, &tfidf, true);
    EXPECT_EQ(words.rows.size(), 2u) << "the constants";
    double hits = 0;
    for (std::size_t i = 0; i < 100; ++i) {
      hits += (head.probabilities(test.words.row(i), {})[1] > 0.5) == (test.labels.values[i] == 1);
    }
    EXPECT_EQ(hits == 100, word_decides);
  }
}

TEST(LabelHead, WordsVectorAndConstantAddUpToTheLogOdds) {
  const Pairs train(300, true, 3);
  const Tfidf tfidf = train.tfidf();
  const LabelWeights weights = fit_label_head(train.documents(tfidf), {});
  const LabelHead head(weights, 2, &tfidf, false);
  for (const std::size_t label : {0u, 1u}) {
    const auto parts = head.word_parts(label, train.words.row(0));
    ASSERT_EQ(parts.size(), 2u);
    double sum = head.constant(label) + parts[0] + parts[1];
    for (std::size_t d = 0; d < 2; ++d) sum += static_cast<double>(head.direction(label)[d] * train.view().row(0)[d]);
    EXPECT_NEAR(head.probabilities(train.words.row(0), train.view().row(0))[label], 1 / (1 + std::exp(-sum)), 1e-6);
    EXPECT_EQ(parts[0] > 0, static_cast<std::int32_t>(label) == train.labels.values[0]);
  }
}

/// Many labels of a few documents each: a label's documents share a word that few others have.
struct Many {
  CountMatrix words;
  std::vector<float> vectors;
  Lists labels;
  static constexpr std::size_t kLabels = 1000, kWords = 700;

  Many() {
    Random random(7, Purpose::HeldOut, 0);
    for (std::uint32_t i = 0; i < 2 * kLabels; ++i) {
      const std::uint32_t label = i % kLabels;
      words.add_row(count_words({label % 50, 50 + label / 50, 100 + random.below(600)}));
      for (int d = 0; d < 4; ++d) vectors.push_back(random.truncated_normal());
      labels.values.push_back(static_cast<std::int32_t>(label));
      labels.end_row();
    }
  }
};

TEST(LabelHead, AThousandRareLabelsAreLearnedTheSameAtAnyNumberOfThreads) {
  const Many many;
  const Tfidf tfidf(document_frequencies(many.words, Many::kWords), many.words.rows());
  const LabelledDocuments documents{.labels = {many.labels.offsets, many.labels.values},
                                    .label_count = Many::kLabels,
                                    .vectors = {many.vectors.data(), many.words.rows(), 4},
                                    .words = &many.words,
                                    .tfidf = &tfidf};
  const LabelWeights weights = fit_label_head(documents, {});
  EXPECT_EQ(weights, fit_label_head(documents, with_threads(3)));
  EXPECT_LE(weights.word_weights.size(), 2'000'000u);
  const LabelHead head(weights, Many::kLabels, &tfidf, true);
  std::size_t hits = 0;
  for (std::size_t i = 0; i < 200; ++i) {
    const auto p = head.probabilities(many.words.row(i), {many.vectors.data() + i * 4, 4});
    for (const double x : p) ASSERT_TRUE(std::isfinite(x));
    hits += std::max_element(p.begin(), p.end()) - p.begin() == many.labels.values[i];
  }
  EXPECT_GT(hits, 180u);
}

TEST(LabelHead, OfAModelIsWhatItsDocumentsTeachAndOldModelsGoByTheVectorAlone) {
  const Pairs pairs(200, true, 5);
  Model model;
  ModelMaker maker(model);
  maker.set_strings(layout::kWordStrings, std::vector<std::string>{"a", "b", "c"});
  maker.set_strings(layout::kLabelNames, std::vector<std::string>{"x", "y"});
  maker.set(layout::kDocumentVectors, pairs.vectors, 200, 2);
  maker.set(layout::kDocumentLabels, pairs.labels);
  maker.set(layout::kDocumentWords, pairs.words);
  learn_labels(model, {});
  const Tfidf tfidf(document_frequencies(model.documents().words, model.words().strings.size()), 200);
  EXPECT_EQ(pairs.right(LabelHead(model, tfidf)), 1);
  EXPECT_TRUE(LabelHead(model, tfidf).sees_words());

  Model old = model;
  ModelMaker changed(old);
  changed.remove(layout::kDocumentWords);
  learn_labels(old, {});
  EXPECT_FALSE(changed.has(layout::kWordLabels));
  EXPECT_FALSE(changed.has(layout::kWordLabelWeights));
  const LabelHead head(old, tfidf);
  EXPECT_FALSE(head.empty());
  EXPECT_FALSE(head.sees_words());
  EXPECT_EQ(head.probabilities(pairs.words.row(0), pairs.view().row(0)), head.probabilities({}, pairs.view().row(0)));
  EXPECT_EQ(head.word_parts(0, pairs.words.row(0)), std::vector<double>(2));
}

TEST(LabelHead, ATextWithoutWordsAndVectorGetsFrequencies) {
  const Pairs pairs(200, true, 6);
  const Tfidf tfidf = pairs.tfidf();
  const LabelWeights weights = fit_label_head(pairs.documents(tfidf), {});
  for (const double p : LabelHead(weights, 2, &tfidf, true).probabilities({}, std::vector<float>(2))) {
    EXPECT_TRUE(std::isfinite(p));
  }
}

TEST(LabelHead, KnowsWhetherDocumentsHaveSeveralLabels) {
  const std::vector<std::int32_t> values{0, 1, 0};
  EXPECT_TRUE(one_label_each({std::vector<std::int64_t>{0, 1, 1, 2}, values}));
  EXPECT_FALSE(one_label_each({std::vector<std::int64_t>{0, 1, 3}, values}));
  EXPECT_TRUE(one_label_each({}));
}

}  // namespace
}  // namespace idne
