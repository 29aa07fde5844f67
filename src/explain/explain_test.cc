#include "idne/explain.h"

#include <gtest/gtest.h>

#include "model/tensors.h"

namespace idne {
namespace {

/// Two topics along the axes, four words: one for each topic, one for both, one for none.
Model small_model(const std::string& attention = "relu") {
  Model model;
  ModelMaker maker(model);
  maker.info().method = "idne";
  maker.info().attention = attention;
  maker.set(layout::kWordVectors, {4, 0, 0, 2, 1, 3, -1, -1}, 4, 2);
  maker.set(layout::kTopicVectors, {1, 0, 0, 1}, 2, 2);
  maker.set(layout::kTopicShares, std::vector<float>{0.6f, 0.4f});
  maker.set(layout::kTopicNpmi, std::vector<float>{0.5f, -0.1f});
  maker.set(layout::kDocumentVectors, std::vector<float>{}, 0, 2);
  maker.set_strings(layout::kWordStrings, std::vector<std::string>{"star", "court", "bridge", "lost"});
  return model;
}

/// An explanation with the text that it points into.
struct Explained {
  KnownText text;
  Explanation explanation;
  Explained(const Model& model, std::string words)
      : text(known_text(TextEncoder(model), std::move(words))), explanation(explain(model, text)) {}
};

TEST(Explain, WordsGetTheirStrongestTopicAndItsAttention) {
  const Model model = small_model();
  const Explained explained(model, "Star, court: bridge lost unknown.");
  const Explanation& e = explained.explanation;
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
  const Explanation e = Explained(model, "star star bridge lost").explanation;
  ASSERT_EQ(e.topics.size(), 2u);
  EXPECT_EQ(e.topics[0].topic, 1u);
  EXPECT_DOUBLE_EQ(e.topics[0].share, (2 + 0.25) / 4);
  EXPECT_DOUBLE_EQ(e.topics[1].share, 0.75 / 4);
}

TEST(Explain, SoftmaxLooksAtTheCount) {
  const Model model = small_model("softmax");
  const auto first = [&](const char* text) { return Explained(model, text).explanation.tokens[0]; };
  EXPECT_GT(first("bridge bridge").weight, first("bridge").weight);
  EXPECT_TRUE(first("lost").topic) << "with softmax every word has topics";
}

TEST(Explain, TokensJoinedAreTheText) {
  const Model model = small_model();
  for (const std::string text : {"", "   ", "star", "<b>star</b>\n\t court", "\xff\xfe star \xc3",
                                 "深層学習 star 🙂", "nothing known here", "ＳＴＡＲ star"}) {
    std::string joined;
    const Explained explained(model, text);
    for (const ExplainedToken& token : explained.explanation.tokens) joined += token.text;
    EXPECT_EQ(joined, text);
  }
}

TEST(Explain, ATextWithoutKnownWordsHasNoTopics) {
  const Model model = small_model();
  EXPECT_TRUE(Explained(model, "nothing known").explanation.topics.empty());
}

}  // namespace
}  // namespace idne
