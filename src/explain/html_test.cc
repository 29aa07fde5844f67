#include <gtest/gtest.h>

#include "contains.h"
#include "idne/explain.h"
#include "model/tensors.h"

namespace idne {
namespace {

Explanation two_topics() {
  return {
      {{3, 0.6}, {1, 0.3}},
      {{"Star", 0, 3, 0.9f}, {" & ", {}, {}, 0}, {"bridge", 1, 1, 0.75f}, {" x ", {}, {}, 0}, {"weak", 2, 3, 0.5f}}};
}

const std::vector<ShownTopic> kWords{
    {"court", false, {"court"}}, {"gene", false, {"gene"}}, {"planet", false, {"planet", "<moon>"}}};

TEST(Html, WordsAreMarkedByTheirTopicAboveHalf) {
  const Explanation explanation = two_topics();
  const std::string page = explanation_page({"T", explanation}, kWords);
  EXPECT_TRUE(contains(
      page, "<mark class=\"t1\" title=\"topic 3, 90 % of its attention\">Star</mark> &amp; <mark class=\"t2\""));
  EXPECT_TRUE(contains(page, ">bridge</mark> x weak</div>")) << "half is not more than half";
  EXPECT_TRUE(contains(page, "2 of the 3 words"));
}

TEST(Html, TheMainTopicsAreNamedWithShareAndWords) {
  const Explanation explanation = two_topics();
  const std::string page = explanation_page({"T", explanation}, kWords);
  EXPECT_TRUE(contains(page, "Topic 3</mark> <b>60 %</b>"));
  EXPECT_TRUE(contains(page, "<bdi>planet</bdi>, <bdi>&lt;moon&gt;</bdi>"));
  EXPECT_LT(page.find("Topic 3"), page.find("Topic 1"));
}

TEST(Html, NothingIsLoadedAndNothingRuns) {
  Explanation explanation = two_topics();
  explanation.tokens.push_back({"<script>alert(1)</script><img src=x onerror=y>", {}, {}, 0});
  const std::string page = explanation_page({"</title><script>", explanation}, kWords);
  EXPECT_TRUE(contains(page, "default-src 'none'"));
  for (const std::string_view bad : {"<script", "<img", "<link", "http://", "https://", "url(", "@import"}) {
    EXPECT_FALSE(contains(page, bad)) << bad;
  }
}

TEST(Html, ATextWithoutKnownWordsSaysSo) {
  const Explanation explanation{{}, {{"nothing <known>", {}, {}, 0}}};
  const std::string page = explanation_page({"T", explanation}, kWords);
  EXPECT_TRUE(contains(page, "nothing &lt;known&gt;"));
  EXPECT_TRUE(contains(page, "knows no word"));
  EXPECT_FALSE(contains(page, "class=\"cards"));
}

TEST(Html, APairShowsBothTextsAndTheParts) {
  const Explanation a = two_topics(), b = two_topics();
  PairExplanation pair;
  pair.score = 0.5, pair.cosine = 0.25;
  pair.topics_a = pair.topics_b = {{3, 0.7}, {1, -0.2}};
  pair.topics = {{3, 1, 0.75}}, pair.other_topics = -0.25;
  pair.words = {{0, 1, -0.125}}, pair.other_words = 0.625;
  Model model;
  ModelMaker(model).set_strings(layout::kWordStrings, std::vector<std::string>{"star", "<bridge>"});
  const std::string page = pair_page({"A", a}, {"B&B", b}, pair, model.words().strings, kWords);
  EXPECT_TRUE(contains(page, "<title>A and B&amp;B</title>"));
  EXPECT_TRUE(contains(page, "<bdi>star</bdi></td><td><bdi>&lt;bridge&gt;</bdi>"));
  EXPECT_TRUE(contains(page, "−0.1250"));
  EXPECT_TRUE(contains(page, "class=\"against\""));
  EXPECT_TRUE(contains(page, "0.6250"));
  const std::size_t first = page.find(">Star</mark>");
  EXPECT_NE(page.find(">Star</mark>", first + 1), std::string::npos);
}

TEST(Html, APairWithoutTopicsHasWordsAlone) {
  const Explanation text{{}, {{"star", {}, {}, 0}}};
  PairExplanation pair;
  pair.words = {{0, 0, 0.5}};
  Model model;
  ModelMaker(model).set_strings(layout::kWordStrings, std::vector<std::string>{"star"});
  const std::string page = pair_page({"A", text}, {"B", text}, pair, model.words().strings, {});
  EXPECT_FALSE(contains(page, "Topics that carry"));
  EXPECT_TRUE(contains(page, "Words that carry"));
}

}  // namespace
}  // namespace idne
