#include "idne/topics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "explain/topic_test_models.h"
#include "tiny_model.h"

namespace idne {
namespace {

int kind_of(const std::string& word) { return std::stoi(word.substr(1)) / 20; }

TEST(Topics, FittedOnesTellTheKindsOfDocumentsApart) {
  const TopicDescriptions topics = describe_topics(trained("kmeans"), {}, {});
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
  const TopicDescriptions own = describe_topics(model, {}, {});
  EXPECT_EQ(own.ranking, WordRanking::Product);
  for (const TopicDescription& topic : own.topics) {
    EXPECT_TRUE(std::is_sorted(topic.words.begin(), topic.words.end(),
                               [](const RankedWord& a, const RankedWord& b) { return a.score > b.score; }));
  }
  const TopicDescriptions asked = describe_topics(model, {10, 0, WordRanking::Distinctive}, {});
  EXPECT_GE(asked.npmi, own.npmi) << "the ranking is found anew from the documents' words";
}

TEST(Topics, AsManyWordsAsAreAskedFor) {
  const Model model = trained("kmeans");
  for (const std::size_t count : {1u, 7u, 40u, 400u}) {
    for (auto list : topic_words(model, WordRanking::Distinctive, count, 1)) {
      EXPECT_GE(list.size(), std::min<std::size_t>(count, 10));
      EXPECT_LE(list.size(), std::min<std::size_t>(count, 40)) << "those that weigh anything in the topic";
      std::sort(list.begin(), list.end());
      EXPECT_TRUE(std::adjacent_find(list.begin(), list.end()) == list.end());
    }
  }
}

TEST(Topics, ByProductAsManyWordsAsAreAskedFor) {
  for (const std::size_t count : {1u, 7u, 400u}) {
    for (const auto& list : topic_words(trained("kmeans"), WordRanking::Product, count, 1)) {
      EXPECT_EQ(list.size(), std::min<std::size_t>(count, 40));
    }
  }
}

TEST(Topics, OneFittedTopicLosesNoWord) {
  const Model one = trained("kmeans", "1"), many = trained("kmeans", "8");
  EXPECT_TRUE(std::ranges::equal(ModelTensors(one).floats(layout::kDocumentVectors),
                                 ModelTensors(many).floats(layout::kDocumentVectors)));
}

TEST(Topics, AModelWithoutItsDocumentsWordsHasNoExamples) {
  EXPECT_EQ(describe_topics(tiny_model(), {}, {}).topics[0].documents.size(), 0u);
}

TEST(WordNorms, LongestAndShortest) {
  const auto longest = words_by_norm(tiny_model(), 5, true), shortest = words_by_norm(tiny_model(), 1, false);
  ASSERT_EQ(longest.size(), 2u);
  EXPECT_EQ(longest[0].word, "tide");
  EXPECT_NEAR(longest[0].norm, std::sqrt(0.0625 + 4), 1e-6);
  EXPECT_EQ(longest[0].count, 7);
  EXPECT_EQ(shortest[0].word, "moon");
}

TEST(Topics, AModelWithoutTopicsSaysSo) { EXPECT_THROW(describe_topics(Model(), {}, {}), Error); }

}  // namespace
}  // namespace idne
