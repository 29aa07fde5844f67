#include "evaluate/rankers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "math/random.h"

namespace idne {
namespace {

constexpr std::size_t kWords = 12, kDocuments = 40;

/// Documents of a few words each, one of them of none.
Corpus random_corpus() {
  Corpus corpus{{}, {}, Network(kDocuments, {}, {})};
  Random random(3, Purpose::Split, 0);
  corpus.vocabulary.counts.resize(kWords);
  for (std::size_t w = 0; w < kWords; ++w) corpus.vocabulary.words.add(std::string(1, static_cast<char>('a' + w)));
  for (std::size_t i = 0; i < kDocuments; ++i) {
    std::vector<WordCount> row;
    for (std::uint32_t w = 0; w < kWords && i != 7; ++w) {
      if (random.uniform() < 0.3) row.push_back({w, 1 + static_cast<std::uint32_t>(random.uniform() * 4)});
    }
    corpus.counts.add_row(row);
  }
  return corpus;
}

double count_of(std::span<const WordCount> row, std::uint32_t word) {
  for (const WordCount& entry : row) {
    if (entry.word == word) return entry.count;
  }
  return 0;
}

double documents_with(const Corpus& corpus, std::uint32_t word) {
  double with = 0;
  for (std::size_t i = 0; i < kDocuments; ++i) with += count_of(corpus.counts.row(i), word) > 0;
  return with;
}

/// The cosine, by whole vectors.
double tfidf_cosine(const Corpus& corpus, std::span<const WordCount> a, std::span<const WordCount> b) {
  double product = 0, a_square = 0, b_square = 0;
  for (std::uint32_t w = 0; w < kWords; ++w) {
    const double idf = std::log((1.0 + kDocuments) / (1.0 + documents_with(corpus, w))) + 1;
    const auto weight = [&](double count) { return count > 0 ? (1 + std::log(count)) * idf : 0; };
    const double x = weight(count_of(a, w)), y = weight(count_of(b, w));
    product += x * y;
    a_square += x * x;
    b_square += y * y;
  }
  return product > 0 ? product / std::sqrt(a_square * b_square) : 0;
}

double bm25_score(const Corpus& corpus, std::span<const WordCount> text, std::size_t document) {
  double words = 0, score = 0;
  for (std::size_t i = 0; i < kDocuments; ++i) words += static_cast<double>(corpus.counts.length(i));
  const double relative = static_cast<double>(corpus.counts.length(document)) / (words / kDocuments);
  for (std::uint32_t w = 0; w < kWords; ++w) {
    const double n = documents_with(corpus, w), f = count_of(corpus.counts.row(document), w);
    const double idf = std::log(1 + (kDocuments - n + 0.5) / (n + 0.5));
    score += count_of(text, w) * idf * f * 2.2 / (f + 1.2 * (0.25 + 0.75 * relative));
  }
  return score;
}

template <class Score>
void expect_ranked_by(const Adviser& ranker, std::span<const WordCount> text, const Score& score) {
  const auto ranked = ranker.links(text, kDocuments);
  std::size_t scored = 0;
  for (std::size_t i = 0; i < kDocuments; ++i) scored += score(i) > 0;
  ASSERT_EQ(ranked.size(), scored) << "those that share a word";
  for (std::size_t k = 0; k + 1 < ranked.size(); ++k) EXPECT_GE(score(ranked[k]) + 1e-6, score(ranked[k + 1]));
  const auto first = ranker.links(text, 5);
  EXPECT_TRUE(std::equal(first.begin(), first.end(), ranked.begin()));
}

TEST(Rankers, RankAsADirectCountDoes) {
  const Corpus corpus = random_corpus();
  const auto tfidf = make_ranker(*find_ranker("tfidf"), corpus, nullptr, 0, {});
  const auto bm25 = make_ranker(*find_ranker("bm25"), corpus, nullptr, 0, {});
  const std::vector<std::vector<WordCount>> texts{
      {{0, 1}, {3, 2}, {5, 1}}, {{1, 5}}, {{2, 1}, {8, 1}, {9, 3}, {11, 1}}};
  for (const auto& text : texts) {
    expect_ranked_by(*tfidf, text, [&](std::size_t i) { return tfidf_cosine(corpus, text, corpus.counts.row(i)); });
    expect_ranked_by(*bm25, text, [&](std::size_t i) { return bm25_score(corpus, text, i); });
  }
  EXPECT_TRUE(tfidf->links({}, 5).empty());
  EXPECT_TRUE(bm25->links({}, 5).empty());
  EXPECT_TRUE(bm25->labels(texts[0]).empty());
}

TEST(Rankers, TfidfLearnsLabelsFromWords) {
  const Corpus corpus = random_corpus();
  Lists labels;  // whether a document has word 4
  for (std::size_t i = 0; i < kDocuments; ++i) {
    labels.values.push_back(count_of(corpus.counts.row(i), 4) > 0 ? 1 : 0);
    labels.end_row();
  }
  const auto ranker = make_ranker(*find_ranker("tfidf"), corpus, &labels, 2, {});
  const auto with = ranker->labels(std::vector<WordCount>{{3, 1}, {4, 1}}),
             without = ranker->labels(std::vector<WordCount>{{3, 1}, {5, 1}});
  ASSERT_EQ(with.size(), 2u);
  EXPECT_EQ(with[0].label, 1u);
  EXPECT_EQ(without.at(0).label, 0u);
  EXPECT_NEAR(with[0].probability + with[1].probability, 1, 1e-6);
  EXPECT_TRUE(ranker->labels({}).empty());
}

TEST(Rankers, AreFoundByTheirNames) {
  for (const RankerInfo& ranker : known_rankers()) EXPECT_EQ(find_ranker(ranker.name)->name, ranker.name);
  EXPECT_EQ(find_ranker("idne"), nullptr);
}

}  // namespace
}  // namespace idne
