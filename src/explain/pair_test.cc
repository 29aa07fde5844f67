#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "explain/explain.h"
#include "math/random.h"
#include "model/tensors.h"

namespace idne {
namespace {

/// Random words and topics; every fourth word is in the shade of all topics. Two documents keep their words.
Model random_model(const std::string& attention, std::size_t words = 40, std::size_t topics = 5,
                   std::size_t width = 12) {
  Random random(7, Purpose::HeldOut, 0);
  const auto draw = [&random](std::size_t count) {
    std::vector<float> values(count);
    for (float& value : values) value = random.truncated_normal();
    return values;
  };
  Model model;
  ModelMaker maker(model);
  maker.info().method = "idne";
  maker.info().attention = attention;
  std::vector<float> word_vectors = draw(words * width), topic_vectors = draw(topics * width);
  for (std::size_t k = 0; k < topics; ++k) topic_vectors[k * width] = 4;
  for (std::size_t w = 0; w < words; ++w) word_vectors[w * width] = w % 4 == 3 ? -20.0f : 1.0f;
  std::vector<std::string> names;
  for (std::size_t w = 0; w < words; ++w) names.push_back(fmt::format("w{}", w));
  CountMatrix kept;
  kept.add_row(std::vector<WordCount>{{2, 3}, {4, 1}});
  kept.add_row({});
  maker.set(layout::kWordVectors, std::move(word_vectors), words, width);
  maker.set(layout::kTopicVectors, std::move(topic_vectors), topics, width);
  maker.set(layout::kDocumentVectors, draw(2 * width), 2, width);
  maker.set_strings(layout::kWordStrings, names);
  maker.set(layout::kDocumentWords, kept);
  return model;
}

KnownText text_of(const Model& model, const std::string& text) { return known_text(TextEncoder(model), text); }

std::string many_words(std::size_t from, std::size_t step) {
  std::string text;
  for (std::size_t n = 0; n < 30; ++n) text += fmt::format("w{} ", (from + n * step) % 40);
  return text;
}

template <class Parts>
double sum_of(const Parts& parts) {
  double sum = 0;
  for (const auto& part : parts) sum += part.part;
  return sum;
}

double encoded_product(const Model& model, const KnownText& a, const KnownText& b) {
  const TextEncoder encoder(model);
  std::vector<float> x(encoder.dimensions()), y(encoder.dimensions());
  encoder.encode(a.counts, {}, x);
  encoder.encode(b.counts, {}, y);
  double sum = 0;
  for (std::size_t d = 0; d < x.size(); ++d) sum += static_cast<double>(x[d]) * y[d];
  return sum;
}

class PairOf : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Attention, PairOf, testing::Values("relu", "softmax"));

TEST_P(PairOf, PartsAddUpToTheScore) {
  const Model model = random_model(GetParam());
  const KnownText a = text_of(model, many_words(0, 1)), b = text_of(model, many_words(5, 7));
  const PairExplanation pair = explain_pair(TextEncoder(model), a, b, 100000);
  const double tolerance = 1e-5 * std::abs(pair.score);
  EXPECT_NEAR(pair.score, encoded_product(model, a, b), tolerance);
  for (const double sum : {sum_of(pair.words), sum_of(pair.topics), sum_of(pair.words_a), sum_of(pair.words_b),
                           sum_of(pair.topics_a), sum_of(pair.topics_b)}) {
    EXPECT_NEAR(sum, pair.score, tolerance);
  }
  EXPECT_NEAR(pair.other_words, 0, tolerance);
  EXPECT_NEAR(pair.other_topics, 0, tolerance);
}

TEST_P(PairOf, WhatIsNotListedIsTheRest) {
  const Model model = random_model(GetParam());
  const KnownText a = text_of(model, many_words(0, 1)), b = text_of(model, many_words(5, 7));
  const PairExplanation pair = explain_pair(TextEncoder(model), a, b, 4);
  ASSERT_EQ(pair.words.size(), 4u);
  ASSERT_EQ(pair.topics.size(), 4u);
  EXPECT_NEAR(sum_of(pair.words) + pair.other_words, pair.score, 1e-12);
  EXPECT_NEAR(sum_of(pair.topics) + pair.other_topics, pair.score, 1e-12);
}

TEST(Pair, TheLargestPairsAreThoseThatEnumerationFinds) {
  const Model model = random_model("relu");
  const KnownText a = text_of(model, many_words(0, 1)), b = text_of(model, many_words(5, 7));
  const std::vector<WordPair> all = explain_pair(TextEncoder(model), a, b, 100000).words,
                              some = explain_pair(TextEncoder(model), a, b, 9).words;
  ASSERT_GT(all.size(), 100u);
  ASSERT_EQ(some.size(), 9u);
  for (std::size_t n = 0; n < some.size(); ++n) {
    EXPECT_EQ(some[n].a, all[n].a);
    EXPECT_EQ(some[n].b, all[n].b);
    EXPECT_LE(std::abs(some[n].part), std::abs(some[n ? n - 1 : 0].part));
  }
  const MatrixView words = model.word_vectors();
  const TextEncoder encoder(model);
  const auto terms_a = *encoder.terms(a.counts), terms_b = *encoder.terms(b.counts);
  double largest = 0;
  for (const WordTerm& x : terms_a) {
    for (const WordTerm& y : terms_b) {
      double sum = 0;
      for (std::size_t d = 0; d < words.columns; ++d) sum += words.row(x.word)[d] * words.row(y.word)[d];
      largest = std::max(largest, std::abs(sum * x.coefficient * y.coefficient));
    }
  }
  EXPECT_NEAR(std::abs(some[0].part), largest, 1e-6);
}

TEST(Pair, ATextWithItselfHasCosineOne) {
  const Model model = random_model("relu");
  const KnownText text = text_of(model, "w1 w2 w2");
  EXPECT_NEAR(explain_pair(TextEncoder(model), text, text, 3).cosine, 1, 1e-12);
}

TEST(Pair, WordsWithoutAttentionHaveNoPart) {
  const Model model = random_model("relu");
  const KnownText text = text_of(model, "w3 w1");
  const PairExplanation pair = explain_pair(TextEncoder(model), text, text, 100);
  ASSERT_EQ(pair.words.size(), 1u);
  EXPECT_EQ(pair.words[0].a, 1u);
}

TEST(Pair, ATextWithoutKnownWordsHasNoScore) {
  const Model model = random_model("relu");
  const PairExplanation pair = explain_pair(TextEncoder(model), text_of(model, "nothing"), text_of(model, "w1"), 3);
  EXPECT_EQ(pair.score, 0);
  EXPECT_EQ(pair.cosine, 0);
  EXPECT_TRUE(pair.words.empty() && pair.topics.empty());
}

TEST(Pair, MethodsWithoutTopicsHaveWordPairs) {
  Model model;
  ModelMaker maker(model);
  maker.info().method = "lsa";
  maker.set(layout::kWordVectors, {1, 0, 0.5f, 2, 1, 1}, 3, 2);
  maker.set(layout::kWordIdf, std::vector<float>{1, 2, 0.5f});
  maker.set(layout::kDocumentVectors, {0, 0}, 1, 2);
  maker.set_strings(layout::kWordStrings, std::vector<std::string>{"star", "court", "bridge"});
  const KnownText a = text_of(model, "star court court"), b = text_of(model, "bridge court");
  const PairExplanation pair = explain_pair(TextEncoder(model), a, b, 10);
  EXPECT_TRUE(pair.topics.empty());
  EXPECT_EQ(pair.words.size(), 4u);
  EXPECT_NEAR(pair.score, encoded_product(model, a, b), 1e-6);
  EXPECT_NEAR(sum_of(pair.words), pair.score, 1e-6);
}

TEST(Pair, OfTooManyTermsThoseWithTheLongestVectorsAreLookedAt) {
  const Model model = random_model("softmax");
  const TextEncoder encoder(model);
  const auto terms = *encoder.terms(text_of(model, many_words(0, 1)).counts);
  ASSERT_EQ(terms.size(), 30u);
  const MatrixView words = model.word_vectors();
  const auto all = longest_first(words, terms), four = longest_first(words, terms, 4);
  EXPECT_EQ(top_word_pairs(words, all, all, 10000, 1).size(), 900u);
  const auto some = top_word_pairs(words, four, four, 10000, 1);
  ASSERT_EQ(some.size(), 16u);
  for (const WordPair& pair : some) EXPECT_EQ(pair.a % 4, 3u) << "those in the shade have the longest";
}

TEST(DocumentText, IsTheWordsThatTheModelKeeps) {
  const Model model = random_model("relu");
  const KnownText text = document_text(model, 0);
  EXPECT_EQ(text.text, "w2 w2 w2 w4");
  EXPECT_EQ(text.counts, (std::vector<WordCount>{{2, 3}, {4, 1}}));
  EXPECT_EQ(explain(model, text).tokens.size(), 7u);
  EXPECT_TRUE(document_text(model, 1).text.empty());
}

TEST(DocumentText, OfAModelThatKeepsNoneIsAnError) { EXPECT_THROW(document_text(Model(), 0), Error); }

}  // namespace
}  // namespace idne
