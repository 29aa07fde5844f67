#include "idne/explain.h"

#include <gtest/gtest.h>

namespace idne {
namespace {

/// Two topics along the axes, four words: one for each topic, one for both, one for none.
Model small_model(const std::string& attention = "relu") {
  Model model;
  model.metadata["method"] = "idne";
  model.metadata["attention"] = attention;
  model.add("words.vectors", {4, 0, 0, 2, 1, 3, -1, -1}, {4, 2});
  model.add("topics.vectors", {1, 0, 0, 1}, {2, 2});
  model.add("topics.shares", {0.6f, 0.4f}, {2});
  model.add("topics.npmi", {0.5f, -0.1f}, {2});
  model.add("documents.vectors", std::vector<float>{}, {0, 2});
  model.add_strings("words.strings", std::vector<std::string>{"star", "court", "bridge", "lost"});
  return model;
}

Explanation explained(const Model& model, std::string_view text) { return explain(model, TextEncoder(model), text); }

TEST(Explain, WordsGetTheirStrongestTopicAndItsAttention) {
  const Model model = small_model();
  const Explanation e = explained(model, "Star, court: bridge lost unknown.");
  ASSERT_EQ(e.tokens.size(), 8u);
  EXPECT_EQ(e.tokens[0].text, "Star");
  EXPECT_EQ(e.tokens[0].topic, 1u);
  EXPECT_FLOAT_EQ(e.tokens[0].weight, 1);
  EXPECT_EQ(e.tokens[1].text, ", ");
  EXPECT_FALSE(e.tokens[1].word);
  EXPECT_EQ(e.tokens[2].topic, 2u);
  EXPECT_EQ(e.tokens[4].topic, 2u);
  EXPECT_FLOAT_EQ(e.tokens[4].weight, 0.75f);
  EXPECT_TRUE(e.tokens[6].word) << "a word that no topic wants is still known";
  EXPECT_FALSE(e.tokens[6].topic);
  EXPECT_EQ(e.tokens[6].weight, 0);
  EXPECT_EQ(e.tokens[7].text, " unknown.");
}

TEST(Explain, SharesAreAttentionOverAllKnownWords) {
  const Model model = small_model();
  const Explanation e = explained(model, "star star bridge lost");
  ASSERT_EQ(e.topics.size(), 2u);
  EXPECT_EQ(e.topics[0].topic, 1u);
  EXPECT_DOUBLE_EQ(e.topics[0].share, (2 + 0.25) / 4);
  EXPECT_DOUBLE_EQ(e.topics[1].share, 0.75 / 4);
}

TEST(Explain, SoftmaxLooksAtTheCount) {
  const Model model = small_model("softmax");
  EXPECT_GT(explained(model, "bridge bridge").tokens[0].weight, explained(model, "bridge").tokens[0].weight);
  EXPECT_TRUE(explained(model, "lost").tokens[0].topic) << "with softmax every word has topics";
}

TEST(Explain, TokensJoinedAreTheText) {
  const Model model = small_model();
  for (const std::string text : {"", "   ", "star", "<b>star</b>\n\t court", "\xff\xfe star \xc3",
                                 "深層学習 star 🙂", "nothing known here", "ＳＴＡＲ star"}) {
    std::string joined;
    for (const ExplainedToken& token : explained(model, text).tokens) joined += token.text;
    EXPECT_EQ(joined, text);
  }
}

TEST(Explain, ATextWithoutKnownWordsHasNoTopics) {
  const Model model = small_model();
  EXPECT_TRUE(explained(model, "nothing known").topics.empty());
}

}  // namespace
}  // namespace idne
