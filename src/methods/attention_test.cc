#include "methods/attention.h"

#include <gtest/gtest.h>

#include <cmath>

namespace idne {
namespace {

TEST(Attention, ReluDividesThePositiveProducts) {
  std::vector<float> weights(3);
  attention_weights(Activation::Relu, std::vector<float>{3, -1, 1}, 7, weights);
  EXPECT_EQ(weights, (std::vector<float>{0.75f, 0, 0.25f}));
}

TEST(Attention, AWordThatNoTopicWantsHasNone) {
  std::vector<float> weights(2);
  attention_weights(Activation::Relu, std::vector<float>{-3, -1}, 1, weights);
  EXPECT_EQ(weights, (std::vector<float>{0, 0}));
}

TEST(Attention, WithoutTheGateSuchAWordGoesToTheLeastUnwilling) {
  std::vector<float> weights{-3, -1, -2};
  attention_weights(Activation::ReluKept, weights, 1, weights);
  EXPECT_EQ(weights, (std::vector<float>{0, 1, 0}));
  attention_weights(Activation::ReluKept, std::vector<float>{3, -1, 1}, 1, weights);
  EXPECT_EQ(weights, (std::vector<float>{0.75f, 0, 0.25f})) << "else it is Relu";
}

TEST(Attention, SoftmaxSharpensWithTheCountAndDoesNotOverflow) {
  std::vector<float> weights(2);
  attention_weights(Activation::Softmax, std::vector<float>{1, 0}, 2, weights);
  EXPECT_NEAR(weights[0], 1 / (1 + std::exp(-2)), 1e-6);
  attention_weights(Activation::Softmax, std::vector<float>{1000, 999}, 100, weights);
  EXPECT_NEAR(weights[0], 1, 1e-6);
  EXPECT_NEAR(weights[1], 0, 1e-6);
}

TEST(Attention, ActiveWordsAreThoseWithAPositiveProduct) {
  const std::vector<float> words{1, 0, -1, 0, 0, -1, 0, 0}, topics{1, -1, -2, 5};
  const MatrixView word_view{words.data(), 4, 2}, topic_view{topics.data(), 2, 2};
  EXPECT_EQ(active_words(Activation::Relu, word_view, topic_view), (std::vector<std::uint8_t>{1, 1, 1, 0}));
  EXPECT_EQ(active_words(Activation::ReluKept, word_view, topic_view), (std::vector<std::uint8_t>{1, 1, 1, 1}));
  EXPECT_EQ(active_words(Activation::Softmax, word_view, topic_view), (std::vector<std::uint8_t>{1, 1, 1, 1}));
}

TEST(Attention, TopWordsAreSortedAndTiesGoByNumber) {
  const std::vector<float> words{1, 3, 3, 2}, topics{1, -1};
  const auto best = top_words({words.data(), 4, 1}, {topics.data(), 2, 1}, 3, 2);
  ASSERT_EQ(best.size(), 2u);
  EXPECT_EQ(best[0][0].word, 1u);
  EXPECT_EQ(best[0][1].word, 2u);
  EXPECT_EQ(best[0][2].word, 3u);
  EXPECT_EQ(best[1][0].word, 0u);
  EXPECT_FLOAT_EQ(best[1][0].score, -1);
}

}  // namespace
}  // namespace idne
