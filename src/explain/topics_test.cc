#include "idne/topics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "methods/method.h"
#include "small_corpus.h"
#include "tiny_model.h"

namespace idne {
namespace {

/// A model as `train` leaves it, of two kinds of documents that share no word.
Model trained(const std::string& fit, const std::string& topics = "2") {
  Corpus corpus = small_corpus(60, 40, 3);
  corpus.counts = {};
  std::vector<Link> links;
  for (std::uint32_t i = 0; i + 2 < 60; ++i) links.push_back({i, i + 2, 1});
  corpus.network = Network(60, links, {});
  Random random(1, Purpose::Generate, 1);
  for (std::uint32_t i = 0; i < 60; ++i) {
    std::vector<std::uint32_t> text;
    for (int n = 0; n < 12; ++n) text.push_back(random.below(20) + 20 * (i % 2));
    corpus.counts.add_row(count_words(text));
  }
  const Method& method = find_method("idne");
  Options options(method.options());
  options.set("dim", "16");
  options.set("steps", "20");
  options.set("topics", topics);
  options.set("topic-fit", fit);
  Model model = method.fit(corpus, options, idne::Run{});
  std::vector<std::string> ids;
  for (int i = 0; i < 60; ++i) ids.push_back(fmt::format("d{}", i));
  ModelMaker maker(model);
  maker.info().method = "idne";
  maker.set(layout::kDocumentWords, corpus.counts);
  maker.set_strings(layout::kWordStrings, corpus.vocabulary.words.strings());
  maker.set(layout::kWordCounts, std::vector<std::int64_t>(40, 18));
  maker.set_strings(layout::kDocumentIds, ids);
  maker.set_strings(layout::kDocumentTitles, ids);
  return model;
}

int kind_of(const std::string& word) { return std::stoi(word.substr(1)) / 20; }

TEST(Topics, FittedOnesTellTheKindsOfDocumentsApart) {
  const TopicDescriptions topics = describe_topics(trained("kmeans"), {}, 1);
  ASSERT_EQ(topics.topics.size(), 2u);
  EXPECT_EQ(topics.ranking, WordRanking::Distinctive);
  EXPECT_DOUBLE_EQ(topics.diversity, 1);
  EXPECT_GT(topics.npmi, 0);
  double shares = 0;
  for (const TopicDescription& topic : topics.topics) {
    const int kind = kind_of(topic.words[0].word);
    for (const RankedWord& word : topic.words) EXPECT_EQ(kind_of(word.word), kind);
    ASSERT_EQ(topic.documents.size(), 2u);
    for (const ExampleDocument& document : topic.documents) {
      EXPECT_EQ(std::stoi(document.id.substr(1)) % 2, kind);
      EXPECT_GT(document.share, 0.8);
    }
    shares += topic.share;
  }
  EXPECT_NEAR(shares, 1, 1e-6);
  EXPECT_GE(topics.topics[0].share, topics.topics[1].share);
}

TEST(Topics, ThePapersAreRankedByProduct) {
  const Model model = trained("none");
  const TopicDescriptions own = describe_topics(model, {}, 1);
  EXPECT_EQ(own.ranking, WordRanking::Product);
  for (const TopicDescription& topic : own.topics) {
    EXPECT_TRUE(std::is_sorted(topic.words.begin(), topic.words.end(),
                               [](const RankedWord& a, const RankedWord& b) { return a.score > b.score; }));
  }
  const TopicDescriptions asked = describe_topics(model, {10, 0, WordRanking::Distinctive}, 1);
  EXPECT_GE(asked.npmi, own.npmi) << "the ranking is found anew from the documents' words";
}

TEST(Topics, AsManyWordsAsAreAskedFor) {
  const Model model = trained("kmeans");
  for (const std::size_t count : {1u, 7u, 40u, 400u}) {
    for (auto list : topic_words(model, WordRanking::Distinctive, count, 1)) {
      EXPECT_EQ(list.size(), std::min<std::size_t>(count, 40));
      std::sort(list.begin(), list.end());
      EXPECT_TRUE(std::adjacent_find(list.begin(), list.end()) == list.end());
    }
  }
}

TEST(Topics, OneFittedTopicLosesNoWord) {
  const Model one = trained("kmeans", "1"), many = trained("kmeans", "8");
  EXPECT_TRUE(std::ranges::equal(ModelTensors(one).floats(layout::kDocumentVectors),
                                 ModelTensors(many).floats(layout::kDocumentVectors)));
}

TEST(Topics, AModelWithoutItsDocumentsWordsHasNoExamples) {
  EXPECT_EQ(describe_topics(tiny_model(), {}, 1).topics[0].documents.size(), 0u);
}

TEST(WordNorms, LongestAndShortest) {
  const auto longest = words_by_norm(tiny_model(), 5, true), shortest = words_by_norm(tiny_model(), 1, false);
  ASSERT_EQ(longest.size(), 2u);
  EXPECT_EQ(longest[0].word, "tide");
  EXPECT_NEAR(longest[0].norm, std::sqrt(0.0625 + 4), 1e-6);
  EXPECT_EQ(longest[0].count, 7);
  EXPECT_EQ(shortest[0].word, "moon");
}

TEST(SimilarTopics, ArePairsWithTheLargestCosineFirst) {
  Model model = tiny_model();
  ModelMaker(model).set(layout::kTopicVectors, std::vector<float>{1, 0, 0, 2, 3, 3}, 3, 2);
  const auto pairs = similar_topics(model);
  ASSERT_EQ(pairs.size(), 3u);
  EXPECT_EQ(pairs[0].first, 1u);
  EXPECT_EQ(pairs[0].second, 3u);
  EXPECT_NEAR(pairs[0].cosine, std::sqrt(0.5), 1e-6);
  EXPECT_NEAR(pairs[2].cosine, 0, 1e-6);
}

TEST(Topics, AModelWithoutTopicsSaysSo) {
  EXPECT_THROW(describe_topics(Model(), {}, 1), Error);
  EXPECT_THROW(similar_topics(Model()), Error);
}

}  // namespace
}  // namespace idne
