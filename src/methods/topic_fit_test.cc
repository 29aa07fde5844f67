#include "methods/topic_fit.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>

#include "math/random.h"
#include "small_corpus.h"
#include "text/coherence.h"
#include "text/families.h"
#include "with_threads.h"

namespace idne {
namespace {

/// `groups` fields of 20 documents each, with ten words of their own and ten that all share; one document without
/// words. Documents of a field are linked in a ring if `linked`.
Corpus fields(std::uint32_t groups, bool linked) {
  Corpus corpus;
  const std::uint32_t words = 10 * groups + 10;
  for (std::uint32_t w = 0; w < words; ++w) {
    corpus.vocabulary.words.add(fmt::format("w{}x", w));
    corpus.vocabulary.counts.push_back(1);
  }
  Random random(5, Purpose::Generate, 0);
  std::vector<Link> links;
  for (std::uint32_t i = 0; i < 20 * groups; ++i) {
    std::vector<std::uint32_t> text;
    for (int n = 0; n < 8; ++n) text.push_back(i / 20 * 10 + random.below(10));
    for (int n = 0; n < 3; ++n) text.push_back(words - 1 - random.below(10));
    corpus.counts.add_row(count_words(text));
    if (linked && i % 20 != 19) links.push_back({i, i + 1, 1});
  }
  corpus.counts.add_row({});
  corpus.network = Network(corpus.counts.rows(), links, {});
  return corpus;
}

/// Word vectors of a random direction each, and the documents' means of them: as good as any for fitting.
struct Vectors {
  std::vector<float> words, documents;
  explicit Vectors(const Corpus& corpus) : words(corpus.words() * kWidth), documents(corpus.documents() * kWidth) {
    Random random(6, Purpose::Generate, 0);
    for (float& value : words) value = random.truncated_normal();
    for (std::size_t i = 0; i < corpus.documents(); ++i) {
      for (const WordCount& entry : corpus.counts.row(i)) {
        for (std::size_t k = 0; k < kWidth; ++k) {
          documents[i * kWidth + k] += static_cast<float>(entry.count) * words[entry.word * kWidth + k];
        }
      }
    }
  }
  static constexpr std::size_t kWidth = 64;
  MatrixView word_view() const { return {words.data(), words.size() / kWidth, kWidth}; }
  MatrixView document_view() const { return {documents.data(), documents.size() / kWidth, kWidth}; }
};

std::vector<float> fitted(const Corpus& corpus, std::size_t topics, const idne::Run& run = {},
                          std::size_t most = 20000) {
  const TopicClusters clusters(corpus.counts, corpus.words(), &corpus.network, topics, run, most);
  return fit_topics(clusters, Vectors(corpus).document_view(), topics, run).vectors;
}

MatrixView view_of(const std::vector<float>& rows) {
  return {rows.data(), rows.size() / Vectors::kWidth, Vectors::kWidth};
}

std::size_t main_topic(MatrixView topics, std::span<const float> vector) {
  std::vector<float> products(topics.rows);
  topic_products(topics, vector, products);
  return static_cast<std::size_t>(std::max_element(products.begin(), products.end()) - products.begin());
}

TEST(TopicFit, EachFieldGetsATopicOfItsOwn) {
  for (const bool linked : {false, true}) {
    const Corpus corpus = fields(5, linked);
    const std::vector<float> topics = fitted(corpus, 5);
    const Vectors vectors(corpus);
    std::set<std::size_t> found;
    for (std::size_t g = 0; g < 5; ++g) {
      const std::size_t topic = main_topic(view_of(topics), vectors.document_view().row(20 * g));
      found.insert(topic);
      for (std::size_t n = 0; n < 20; ++n) {
        EXPECT_EQ(main_topic(view_of(topics), vectors.document_view().row(20 * g + n)), topic) << g << " " << n;
      }
    }
    EXPECT_EQ(found.size(), 5u);
  }
}

TEST(TopicFit, TopicsAddUpToZeroSoThatEveryWordHasOne) {
  const Corpus corpus = fields(4, true);
  const std::vector<float> topics = fitted(corpus, 6);
  for (std::size_t k = 0; k < Vectors::kWidth; ++k) {
    double sum = 0;
    for (std::size_t t = 0; t < 6; ++t) sum += topics[t * Vectors::kWidth + k];
    EXPECT_NEAR(sum, 0, 1e-5);
  }
  const auto active = active_words(Activation::Relu, Vectors(corpus).word_view(), view_of(topics));
  EXPECT_EQ(std::count(active.begin(), active.end(), 1), 50);
}

TEST(TopicClusters, LinksDecideWhereATextDoesNot) {
  // The last document has words of all fields alike; its links are with the second field.
  Corpus corpus = fields(3, true);
  std::vector<Link> links;
  for (std::uint32_t i = 0; i + 1 < 60; ++i) {
    if (i % 20 != 19) links.push_back({i, i + 1, 1});
  }
  corpus.counts.add_row(count_words({0, 1, 10, 11, 20, 21, 35, 36}));
  for (std::uint32_t i = 20; i < 30; ++i) links.push_back({i, 61, 1});
  corpus.network = Network(corpus.documents(), links, {});
  for (const std::size_t most : {62u, 61u}) {  // of all, and of some that are drawn
    const TopicClusters clusters(corpus.counts, corpus.words(), &corpus.network, 3, {}, most);
    const Clusters found = clusters.find(3, {});
    ASSERT_EQ(clusters.documents().back(), 61u);
    const auto second = std::ranges::lower_bound(clusters.documents(), 20u) - clusters.documents().begin();
    EXPECT_EQ(found.of_row.back(), found.of_row[static_cast<std::size_t>(second)]);
  }
}

TEST(TopicClusters, LinksThatJoinUnlikeDocumentsDoNotCount) {
  const Corpus corpus = fields(2, false);
  std::vector<Link> links;
  for (std::uint32_t i = 0; i < 20; ++i) links.push_back({i, i + 20, 1});  // each with one of the other field
  const Network across(corpus.documents(), links, {});
  const Clusters with = TopicClusters(corpus.counts, corpus.words(), &across, 2, {}).find(2, {});
  const Clusters without = TopicClusters(corpus.counts, corpus.words(), nullptr, 2, {}).find(2, {});
  EXPECT_EQ(with.of_row, without.of_row);
}

TEST(TopicFit, TheSameBitsAtAnyNumberOfThreads) {
  const Corpus corpus = fields(12, true);
  for (const std::size_t most : {1000u, 100u}) {
    EXPECT_EQ(fitted(corpus, 12, {}, most), fitted(corpus, 12, with_threads(3), most));
  }
}

TEST(TopicFit, MoreTopicsThanDocumentsOneTopicOrNoWordsAreNoTrouble) {
  for (const std::size_t topics : {1u, 50u, 300u}) {
    const std::vector<float> vectors = fitted(fields(1, true), topics);
    ASSERT_EQ(vectors.size(), topics * Vectors::kWidth);
    for (const float value : vectors) EXPECT_TRUE(std::isfinite(value));
  }
  Corpus nothing = fields(1, false);
  nothing.counts = {};
  for (int n = 0; n < 3; ++n) nothing.counts.add_row({});
  nothing.network = Network(3, {}, {});
  EXPECT_EQ(fitted(nothing, 2), std::vector<float>(2 * Vectors::kWidth));
}

TEST(TopicFit, DocumentsThatAreAllZeroGiveZeros) {
  const Corpus corpus = fields(2, false);
  const TopicClusters clusters(corpus.counts, corpus.words(), nullptr, 3, {});
  const std::vector<float> zeros(corpus.documents() * 8);
  EXPECT_EQ(fit_topics(clusters, {zeros.data(), corpus.documents(), 8}, 3, {}).vectors, std::vector<float>(3 * 8));
}

TEST(NumberOfTopics, IsTheLargestThatIsNotClearlyWorseThanTheBest) {
  EXPECT_EQ(best_number({{4, 0.30, 0.02}, {8, 0.29, 0.01}, {16, 0.27, 0.05}}), 1u);
  EXPECT_EQ(best_number({{4, 0.30, 0.05}, {8, 0.20, 0.01}, {16, 0.28, 0.01}}), 2u);
  EXPECT_EQ(best_number({{4, 0.30, 0.25}, {8, 0.10, 0.01}}), 0u)
      << "few topics have a large error, but a third is less";
  EXPECT_EQ(best_number({{4, 0.10, 0.0}, {8, 0.20, 0.0}}), 1u);
  EXPECT_EQ(best_number({{1, 0, 0}, {5, 0, 0}}), 0u);
  EXPECT_EQ(best_number({{7, -1, 0}}), 0u);
}

TEST(NumberOfTopics, SmallCorporaGetFew) {
  const auto of = [](std::size_t documents) {
    CountMatrix counts;
    for (std::size_t i = 0; i < documents; ++i) counts.add_row(count_words({0}));
    counts.add_row({});
    return counts;
  };
  EXPECT_EQ(usual_topics(of(0)), 1u);
  EXPECT_EQ(usual_topics(of(1)), 1u);
  EXPECT_EQ(usual_topics(of(60)), 6u);
  EXPECT_EQ(usual_topics(of(1000)), 32u);
  EXPECT_EQ(numbers_of_topics_to_try(of(10)), std::vector<std::size_t>{1});
  EXPECT_EQ(numbers_of_topics_to_try(of(85)), (std::vector<std::size_t>{2, 3, 4, 6, 8}));
  EXPECT_EQ(numbers_of_topics_to_try(of(5000)).back(), 64u);
}

std::vector<std::uint32_t> own_families(std::size_t words) {
  std::vector<std::uint32_t> families(words);
  std::iota(families.begin(), families.end(), 0u);
  return families;
}

TEST(DistinctiveWords, AreThoseThatWeighMostInTheTopicsDocuments) {
  // Topic 0 is drawn to words 0 to 11, topic 1 to 12 to 23. Word 0 has the largest product, but hardly occurs.
  std::vector<float> words{9, 0};
  for (int w = 1; w < 12; ++w) words.insert(words.end(), {1, 0});
  for (int w = 0; w < 12; ++w) words.insert(words.end(), {0, 1});
  const std::vector<float> topics{1, 0, 0, 1};
  CountMatrix counts;
  for (int n = 0; n < 12; ++n) {
    std::vector<std::uint32_t> first, second;
    for (std::uint32_t w = 1; w < 12; ++w) first.push_back(w), second.push_back(w + 12);
    if (n == 0) first.push_back(0);
    for (int more = 0; more < 4; ++more) first.push_back(5);  // word 5 is what topic 0 is about
    counts.add_row(count_words(first));
    counts.add_row(count_words(second));
  }
  const auto lists = distinctive_words(counts, {words.data(), 24, 2}, {topics.data(), 2, 2}, Activation::ReluKept,
                                       own_families(24), 2);
  ASSERT_EQ(lists.size(), 2u);
  EXPECT_EQ(lists[0].words[0], 5u);
  EXPECT_TRUE(std::find(lists[0].words.begin(), lists[0].words.begin() + 10, 0u) == lists[0].words.begin() + 10);
  EXPECT_EQ(top_words({words.data(), 24, 2}, {topics.data(), 2, 2}, 1, 1)[0][0].word, 0u) << "by product it is first";
  EXPECT_TRUE(std::is_sorted(lists[0].weights.begin(), lists[0].weights.begin() + 10, std::greater()));
  EXPECT_NEAR(std::accumulate(lists[0].weights.begin(), lists[0].weights.end(), 0.0), 1, 1e-5) << "they are all words";
}

TEST(DistinctiveWords, OneFormOfAWordIsShownAndNumbersAreNot) {
  std::vector<float> words;
  for (int w = 0; w < 14; ++w) words.insert(words.end(), {1, 0});
  words.insert(words.end(), {0, 1});
  const std::vector<float> topics{1, 0, 0, 1};
  CountMatrix counts;
  for (int n = 0; n < 3; ++n) {
    std::vector<std::uint32_t> text{3, 3, 3, 4, 4};  // 3 and 4 are forms of one word, 5 is a number
    for (std::uint32_t w = 0; w < 14; ++w) text.push_back(w);
    counts.add_row(count_words(text));
    counts.add_row(count_words({14}));
  }
  auto families = own_families(15);
  families[4] = 3;
  families[5] = kNoFamily;
  const auto list =
      distinctive_words(counts, {words.data(), 15, 2}, {topics.data(), 2, 2}, Activation::ReluKept, families, 1)[0]
          .words;
  ASSERT_EQ(list.size(), 14u) << "word 14 weighs nothing there";
  const auto place = [&](std::uint32_t word) { return std::find(list.begin(), list.end(), word) - list.begin(); };
  EXPECT_EQ(place(3), 0);
  EXPECT_GE(place(4), 12);
  EXPECT_GE(place(5), 12);
}

TEST(HeldOutCoherence, WordsThatMetByChanceDoNotHoldUp) {
  // Every document has ten words of a hundred by chance; those that happen to meet do so on one half alone.
  Random random(3, Purpose::Generate, 0);
  CountMatrix counts;
  for (int i = 0; i < 200; ++i) {
    std::vector<std::uint32_t> text;
    for (int n = 0; n < 10; ++n) text.push_back(random.below(100));
    counts.add_row(count_words(text));
  }
  std::vector<float> words;
  for (int w = 0; w < 100; ++w) words.insert(words.end(), {w % 2 ? 1.0f : -1.0f, 0.3f});
  const std::vector<float> topics{1, 0, -1, 0};
  const MatrixView word_view{words.data(), 100, 2}, topic_view{topics.data(), 2, 2};
  std::vector<std::vector<std::uint32_t>> lists;
  for (auto& list : distinctive_words(counts, word_view, topic_view, Activation::ReluKept, own_families(100), 1)) {
    list.words.resize(10);
    lists.push_back(list.words);
  }
  const double flattering = npmi(counts, lists)[0];
  const auto held_out = held_out_coherence(counts, word_view, topic_view, Activation::ReluKept, own_families(100), 1);
  EXPECT_GT(flattering, held_out[0] + 0.05);
  EXPECT_EQ(held_out, held_out_coherence(counts, word_view, topic_view, Activation::ReluKept, own_families(100), 3));
}

TEST(DistinctiveWords, AWordThatNeverMeetsTheOthersGoesLast) {
  std::vector<float> words;
  for (int w = 0; w < 11; ++w) words.insert(words.end(), {2 - 0.1f * static_cast<float>(w), 0});
  const std::vector<float> topics{1, 0, -1, 0};
  CountMatrix counts;
  for (int n = 0; n < 3; ++n) counts.add_row(count_words({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  counts.add_row(count_words({0}));
  counts.add_row({});
  const auto lists =
      distinctive_words(counts, {words.data(), 11, 2}, {topics.data(), 2, 2}, Activation::Relu, own_families(11), 1);
  EXPECT_EQ(lists[0].words, (std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0}));
}

}  // namespace
}  // namespace idne
