#include "idne/topic_relations.h"
#include "idne/topics.h"

#include <gtest/gtest.h>

#include "explain/topic_test_models.h"
#include "idne/error.h"
#include "with_threads.h"

namespace idne {
namespace {

/// Four topics, of which 1 and 2 are in the same documents and share a word, and so do 3 and 4; word 4 + k is topic k's
/// own.
Model two_pairs() {
  const std::vector<std::vector<float>> words{{1, 1, 0, 0}, {1, 1, 0, 0}, {0, 0, 1, 1}, {0, 0, 1, 1},
                                              {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
  const std::vector<WordCount> first{{0, 1}, {1, 1}, {4, 1}, {5, 1}}, second{{2, 1}, {3, 1}, {6, 1}, {7, 1}};
  std::vector<std::vector<WordCount>> documents;
  for (int i = 0; i < 10; ++i) documents.push_back(i % 2 ? first : second);
  documents.push_back({});
  return model_of(words, documents);
}

TEST(SimilarTopics, ShareDocumentsAndWords) {
  const auto pairs = similar_topics(two_pairs(), {});
  ASSERT_EQ(pairs.size(), 6u);
  EXPECT_EQ(pairs[0].first, 1u);
  EXPECT_EQ(pairs[0].second, 2u);
  EXPECT_EQ(pairs[1].first, 3u);
  EXPECT_EQ(pairs[1].second, 4u);
  EXPECT_NEAR(pairs[0].documents, 1, 1e-9) << "always in the same documents";
  EXPECT_GT(pairs[0].words, 0);
  EXPECT_LT(pairs[0].words, 1) << "each has a word of its own";
  for (const SimilarTopics& pair : pairs) {
    EXPECT_NEAR(pair.similarity, (pair.documents + pair.words) / 2, 1e-12);
    EXPECT_LT(pair.first, pair.second);
  }
  EXPECT_LT(pairs[2].similarity, 0) << "never in one document";
}

TEST(SimilarTopics, ByChanceHaveNone) {
  // Every document is of one topic, all topics alike: the correlation is −1/3, which is no relation at all.
  const std::vector<std::vector<float>> words{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
  std::vector<std::vector<WordCount>> documents;
  for (std::uint32_t i = 0; i < 8; ++i) documents.push_back({{i % 4, 1}});
  for (const SimilarTopics& pair : similar_topics(model_of(words, documents), {}))
    EXPECT_NEAR(pair.similarity, 0, 1e-9);
}

TEST(SimilarTopics, AreTheSameAtAnyNumberOfThreads) {
  const Model model = trained("kmeans", "8");
  const auto one = similar_topics(model, {}), three = similar_topics(model, with_threads(3));
  ASSERT_EQ(one.size(), three.size());
  for (std::size_t n = 0; n < one.size(); ++n) EXPECT_EQ(one[n].similarity, three[n].similarity);
}

TEST(SimilarTopics, GoByWordsAloneWhereDocumentsAreNotKept) {
  Model model = two_pairs();
  ModelMaker(model).remove(layout::kDocumentWords);
  const auto pairs = similar_topics(model, {});
  EXPECT_EQ(pairs[0].second, 2u);
  EXPECT_EQ(pairs[0].similarity, pairs[0].words);
}

TEST(SimilarTopics, AModelWithoutTopicsSaysSo) {
  EXPECT_THROW(similar_topics(Model(), {}), Error);
  EXPECT_THROW(topic_tree(Model(), {}), Error);
}

TEST(NearTopics, AreBeyondChanceAndBeyondMostOthers) {
  EXPECT_EQ(near_similarity({}), 0.05);
  EXPECT_EQ(near_similarity({{1, 2, 0.01, 0, 0}, {1, 3, 0.01, 0, 0}}), 0.05);
  const double near = near_similarity({{1, 2, 0.5, 0, 0}, {1, 3, 0, 0, 0}, {2, 3, 0, 0, 0}});
  EXPECT_GT(near, 0.05);
  EXPECT_LT(near, 0.5);
}

TEST(TopicTree, MergesWhatBelongsTogetherFirst) {
  const TopicTree tree = topic_tree(two_pairs(), {});
  ASSERT_EQ(tree.nodes.size(), 7u);
  EXPECT_EQ(tree.root().topics.size(), 4u);
  EXPECT_NEAR(tree.root().share, 1, 1e-6);
  EXPECT_EQ(tree.nodes[4].topics, (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(tree.nodes[5].topics, (std::vector<std::size_t>{3, 4}));
  EXPECT_GE(tree.nodes[4].similarity, tree.nodes[6].similarity);
  EXPECT_EQ(tree.groups(), (std::vector<std::size_t>{4, 5}));
  EXPECT_EQ(tree.nodes[4].name, "w0, w1") << "the words that its two topics share";
  EXPECT_EQ(tree.nodes[6].name, "4 topics") << "they share no word";
}

TEST(TopicTree, SimilarityFallsTowardsTheRoot) {
  const TopicTree tree = topic_tree(trained("kmeans", "8"), with_threads(2));
  ASSERT_EQ(tree.nodes.size(), 15u);
  for (const TopicTree::Node& node : tree.nodes) {
    if (node.is_topic()) continue;
    for (const std::size_t half : {node.first, node.second}) {
      EXPECT_LE(node.similarity, tree.nodes[half].similarity + 1e-12);
    }
    EXPECT_GE(tree.nodes[node.first].share, tree.nodes[node.second].share);
  }
}

TEST(TopicTree, OneTopicIsATreeToo) {
  const TopicTree tree = topic_tree(trained("kmeans", "1"), {});
  ASSERT_EQ(tree.nodes.size(), 1u);
  EXPECT_TRUE(tree.root().is_topic());
  EXPECT_NE(tree_svg(tree, "One").find("</svg>"), std::string::npos);
}

TEST(TreePicture, HasEveryTopicAndEscapesNames) {
  Model model = two_pairs();
  ModelMaker(model).set_strings(layout::kTopicNames, std::vector<std::string>{"a < b & c", "", "", ""});
  const std::string svg = tree_svg(topic_tree(model, {}), "Topics of <x>");
  EXPECT_NE(svg.find("a &lt; b &amp; c"), std::string::npos);
  EXPECT_EQ(svg.find("<x>"), std::string::npos);
  EXPECT_NE(svg.find("prefers-color-scheme:dark"), std::string::npos);
  for (int topic = 1; topic <= 4; ++topic) {
    EXPECT_NE(svg.find(fmt::format("<title>topic {}: ", topic)), std::string::npos);
  }
}

TEST(TopicRelations, StopWhenTheyAreTold) {
  idne::Run run;
  run.stopped = [] { return true; };
  EXPECT_THROW(similar_topics(two_pairs(), run), Interrupted);
  EXPECT_THROW(match_topics(two_pairs(), two_pairs(), 2, run), Interrupted);
}

}  // namespace
}  // namespace idne
