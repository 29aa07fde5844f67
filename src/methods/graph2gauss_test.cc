#include "methods/graph2gauss.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "idne/error.h"
#include "math/random.h"
#include "method_checks.h"
#include "small_corpus.h"

namespace idne {
namespace {

TEST(Graph2Gauss, SeparatesDocumentsThatAreFarApart) {
  const Corpus corpus = two_crowds(40);
  const Model model = graph2gauss_method().fit(
      corpus,
      options_with(graph2gauss_method(),
                   {{"dim", "8"}, {"hidden", "64"}, {"rounds", "200"}, {"learning-rate", "0.005"}}),
      {});
  double same = 0, other = 0;
  const auto square = [&](std::size_t i, std::size_t j) {
    double sum = 0;
    for (std::size_t k = 0; k < 8; ++k)
      sum += std::pow(model.documents().vectors.row(i)[k] - model.documents().vectors.row(j)[k], 2);
    return sum;
  };
  for (std::size_t i = 0; i < 40; ++i) {
    for (std::size_t j = 0; j < 40; ++j) same += square(i, j), other += square(i, 40 + j);
  }
  EXPECT_GT(other, 3 * same);
  EXPECT_GT(model.info().rounds.value(), 0u);
}

TEST(Graph2Gauss, StopsEarlyWhenHeldOutLinksGetNoBetter) {
  const Corpus corpus = two_crowds(60);
  int rounds = 0;
  idne::Run run;
  run.stopped = [&rounds] { return ++rounds > 5000; };
  graph2gauss_method().fit(
      corpus,
      options_with(graph2gauss_method(), {{"dim", "4"}, {"hidden", "16"}, {"rounds", "4000"}, {"patience", "30"}}),
      run);
  EXPECT_LT(rounds, 2000);
}

TEST(Graph2Gauss, SameBitsAtAnyNumberOfThreads) {
  const Corpus corpus = small_corpus(300, 200, 5);
  const Options options =
      options_with(graph2gauss_method(), {{"dim", "100"}, {"hidden", "70"}, {"rounds", "12"}, {"batch", "40"}});
  expect_same_bits_at_any_number_of_threads(
      graph2gauss_method(), corpus, options,
      {&layout::kDocumentVectors, &layout::kHiddenWeights, &layout::kMeanWeights, &layout::kMeanBias});
}

TEST(Graph2Gauss, EncoderGivesADocumentItsStoredVector) {
  expect_encoder_gives_stored_vectors(
      graph2gauss_method(), small_corpus(40, 25, 2),
      options_with(graph2gauss_method(), {{"dim", "6"}, {"hidden", "16"}, {"rounds", "5"}}));
}

/// The encoder's arithmetic is the trainer's.
TEST(Graph2Gauss, EncoderAgreesWithThePlainNetwork) {
  const Corpus corpus = small_corpus(20, 9, 3);
  const Model model = graph2gauss_method().fit(
      corpus, options_with(graph2gauss_method(), {{"dim", "2"}, {"hidden", "3"}, {"rounds", "0"}}), {});
  const Graph2GaussInput input = graph2gauss_input(corpus);
  const MatrixView words = ModelTensors(model).matrix(layout::kHiddenWeights),
                   mean = ModelTensors(model).matrix(layout::kMeanWeights);
  for (std::size_t i = 4; i < 20; ++i) {
    std::array<double, 2> expected{ModelTensors(model).floats(layout::kMeanBias)[0],
                                   ModelTensors(model).floats(layout::kMeanBias)[1]};
    for (std::size_t h = 0; h < 3; ++h) {
      double layer = ModelTensors(model).floats(layout::kHiddenBias)[h];
      for (const WordCount& entry : corpus.counts.row(i)) {
        layer += entry.count * static_cast<double>(input.idf[entry.word]) * input.scale[i] * words.row(entry.word)[h];
      }
      for (std::size_t k = 0; k < 2; ++k) expected[k] += std::max(0.0, layer) * mean.row(h)[k];
    }
    for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(model.documents().vectors.row(i)[k], expected[k], 1e-5) << i;
  }
}

TEST(Graph2Gauss, CorporaWithNothingToLearnFrom) {
  for (const Corpus& corpus : odd_corpora()) {
    expect_finite_vectors(
        graph2gauss_method().fit(corpus, options_with(graph2gauss_method(), {{"dim", "4"}, {"rounds", "20"}}), {}),
        corpus);
  }
}

TEST(Graph2Gauss, StopsWhenAsked) {
  const Corpus corpus = small_corpus(60, 30, 1);
  int asked = 0;
  const idne::Run run{.threads = 1, .progress = {}, .stopped = [&asked] { return ++asked > 4; }};
  EXPECT_THROW(
      graph2gauss_method().fit(corpus, options_with(graph2gauss_method(), {{"dim", "4"}, {"hidden", "8"}}), run),
      Interrupted);
}

TEST(Graph2Gauss, LayersThatDoNotFitAreAnError) {
  const Corpus corpus = small_corpus(20, 9, 3);
  const Options options = options_with(graph2gauss_method(), {{"dim", "2"}, {"hidden", "3"}, {"rounds", "0"}});
  const Model good = graph2gauss_method().fit(corpus, options, {});
  EXPECT_NO_THROW(graph2gauss_method().encoder(good));
  struct Wrong {
    const layout::Entry& entry;
    std::size_t rows, columns;  // 0: no matrix
  };
  for (const Wrong& wrong :
       {Wrong{layout::kHiddenWeights, 9, 4}, Wrong{layout::kHiddenWeights, 8, 3}, Wrong{layout::kHiddenBias, 2, 0},
        Wrong{layout::kMeanWeights, 2, 2}, Wrong{layout::kMeanWeights, 3, 3}, Wrong{layout::kMeanBias, 3, 0},
        Wrong{layout::kWordIdf, 8, 0}, Wrong{layout::kHiddenWeights, 27, 0}, Wrong{layout::kMeanWeights, 6, 0}}) {
    Model model = good;
    const auto change = [&] {
      ModelMaker maker(model);
      if (wrong.columns) {
        maker.set(wrong.entry, std::vector<float>(wrong.rows * wrong.columns), wrong.rows, wrong.columns);
      } else {
        maker.set(wrong.entry, std::vector<float>(wrong.rows));
      }
      graph2gauss_method().encoder(model);
    };
    EXPECT_THROW(change(), Error) << wrong.entry.name;
  }
  EXPECT_THROW(graph2gauss_method().encoder(Model()), Error);
}

}  // namespace
}  // namespace idne
