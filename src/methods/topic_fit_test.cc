#include "methods/topic_fit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "math/kernels.h"
#include "math/random.h"
#include "small_corpus.h"

namespace idne {
namespace {

constexpr std::size_t kWidth = 24;

/// `groups` bundles of unit vectors, 20 each, around random directions; one zero row at the end.
std::vector<float> bundles(std::size_t groups, float noise) {
  Random random(5, Purpose::Generate, 0);
  std::vector<float> rows;
  for (std::size_t g = 0; g < groups; ++g) {
    std::vector<float> centre(kWidth);
    for (float& value : centre) value = random.truncated_normal();
    for (int n = 0; n < 20; ++n) {
      for (const float value : centre) rows.push_back(value + noise * random.truncated_normal());
    }
  }
  rows.resize(rows.size() + kWidth);
  return rows;
}

MatrixView view_of(const std::vector<float>& rows) { return {rows.data(), rows.size() / kWidth, kWidth}; }

std::size_t main_topic(MatrixView topics, std::span<const float> vector) {
  std::vector<float> products(topics.rows);
  topic_products(topics, vector, products);
  return static_cast<std::size_t>(std::max_element(products.begin(), products.end()) - products.begin());
}

TEST(TopicFit, EachBundleOfDocumentsGetsATopicOfItsOwn) {
  const std::vector<float> rows = bundles(5, 0.2f);
  const std::vector<float> topics = fit_topics(view_of(rows), nullptr, 5, 1, idne::Run{});
  std::set<std::size_t> found;
  for (std::size_t g = 0; g < 5; ++g) {
    const std::size_t topic = main_topic(view_of(topics), view_of(rows).row(20 * g));
    found.insert(topic);
    for (std::size_t n = 0; n < 20; ++n) {
      EXPECT_EQ(main_topic(view_of(topics), view_of(rows).row(20 * g + n)), topic);
    }
  }
  EXPECT_EQ(found.size(), 5u);
}

TEST(TopicFit, TopicsAddUpToZeroSoThatEveryWordHasOne) {
  const std::vector<float> rows = bundles(4, 0.5f);
  const std::vector<float> topics = fit_topics(view_of(rows), nullptr, 6, 1, idne::Run{});
  for (std::size_t k = 0; k < kWidth; ++k) {
    double sum = 0;
    for (std::size_t t = 0; t < 6; ++t) sum += topics[t * kWidth + k];
    EXPECT_NEAR(sum, 0, 1e-5);
  }
  const auto active = active_words(Activation::Relu, {rows.data(), 80, kWidth}, view_of(topics));
  EXPECT_EQ(std::count(active.begin(), active.end(), 1), 80);
}

TEST(TopicFit, LinksDecideWhereTextsDoNot) {
  // All texts point one way but for noise; links make two camps, odd and even.
  const std::vector<float> all = bundles(1, 1.0f);
  const std::vector<float> rows(all.begin(), all.begin() + 20 * kWidth);
  std::vector<Link> links;
  for (std::uint32_t i = 0; i < 20; ++i) {
    for (std::uint32_t j = i + 2; j < 20; j += 2) links.push_back({i, j, 1});
  }
  const Network network(20, links, {});
  const auto found = [&](const Network* links_or_none, std::size_t most = 20) {  // documents that are with their camp
    const std::vector<float> topics = fit_topics(view_of(rows), links_or_none, 2, 1, idne::Run{}, most);
    int even = 0;
    for (std::size_t i = 0; i < 20; ++i) even += (main_topic(view_of(topics), view_of(rows).row(i)) == 0) == !(i % 2);
    return std::max(even, 20 - even);
  };
  EXPECT_GE(found(&network), 16);
  EXPECT_GE(found(&network, 19), 16) << "by a sample, and neighbours that are drawn";
  EXPECT_LE(found(nullptr), 14) << "texts alone do not tell";
}

TEST(TopicFit, TheSameBitsAtAnyNumberOfThreads) {
  const std::vector<float> rows = bundles(30, 0.7f);
  idne::Run one, three;
  three.threads = 3;
  const auto count = static_cast<std::uint32_t>(rows.size() / kWidth);
  std::vector<Link> links;
  for (std::uint32_t i = 0; i + 1 < count; ++i) links.push_back({i, i + 1, 1});
  const Network network(count, links, {});
  for (const Network* linked : {static_cast<const Network*>(nullptr), &network}) {
    for (const std::size_t most : {1000u, 100u}) {
      EXPECT_EQ(fit_topics(view_of(rows), linked, 12, 1, one, most),
                fit_topics(view_of(rows), linked, 12, 1, three, most));
    }
  }
}

TEST(TopicFit, MoreTopicsThanDocumentsOneTopicOrNoWordsAreNoTrouble) {
  const std::vector<float> rows = bundles(1, 0.5f);
  for (const std::size_t topics : {1u, 50u}) {
    const std::vector<float> fitted = fit_topics(view_of(rows), nullptr, topics, 1, idne::Run{});
    ASSERT_EQ(fitted.size(), topics * kWidth);
    for (const float value : fitted) EXPECT_TRUE(std::isfinite(value));
  }
  const std::vector<float> nothing(3 * kWidth);
  EXPECT_EQ(fit_topics(view_of(nothing), nullptr, 2, 1, idne::Run{}), std::vector<float>(2 * kWidth));
}

TEST(DistinctiveWords, AWordOfAllTopicsComesAfterTheirOwn) {
  // Words 0 to 9 lean to topic 0, 10 to 19 to topic 1; word 20 is the longest, and belongs to both.
  std::vector<float> words;
  for (int w = 0; w < 10; ++w) words.insert(words.end(), {1 + 0.01f * static_cast<float>(w), 0});
  for (int w = 0; w < 10; ++w) words.insert(words.end(), {0, 1 + 0.01f * static_cast<float>(w)});
  words.insert(words.end(), {1.2f, 1.2f});
  const std::vector<float> topics{1, 0, 0, 1};
  CountMatrix counts;
  for (std::uint32_t first : {0u, 10u}) {
    std::vector<std::uint32_t> text{20};
    for (std::uint32_t w = 0; w < 10; ++w) text.push_back(first + w);
    for (int n = 0; n < 3; ++n) counts.add_row(count_words(text));
  }
  const auto lists = distinctive_words(counts, {words.data(), 21, 2}, {topics.data(), 2, 2}, Activation::ReluKept, 2);
  ASSERT_EQ(lists.size(), 2u);
  EXPECT_EQ(lists[0][0], 9u);
  EXPECT_EQ(lists[1][0], 19u);
  EXPECT_TRUE(std::find(lists[0].begin(), lists[0].begin() + 10, 20u) == lists[0].begin() + 10);
  EXPECT_EQ(top_words({words.data(), 21, 2}, {topics.data(), 2, 2}, 1, 1)[0][0].word, 20u) << "by product it is first";
}

TEST(DistinctiveWords, AWordThatNeverMeetsTheOthersGoesLast) {
  std::vector<float> words;
  for (int w = 0; w < 11; ++w) words.insert(words.end(), {2 - 0.1f * static_cast<float>(w), 0});
  const std::vector<float> topics{1, 0, -1, 0};
  CountMatrix counts;
  for (int n = 0; n < 3; ++n) counts.add_row(count_words({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  counts.add_row(count_words({0}));
  counts.add_row({});
  const auto lists = distinctive_words(counts, {words.data(), 11, 2}, {topics.data(), 2, 2}, Activation::Relu, 1);
  EXPECT_EQ(lists[0], (std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0}));
}

}  // namespace
}  // namespace idne
