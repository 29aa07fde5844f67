#include "methods/idne_batch.h"

#include <gtest/gtest.h>

#include <map>

#include "small_corpus.h"

namespace idne {
namespace {

TEST(DrawDocuments, DependsOnSeedAndStepAlone) {
  const Corpus corpus = small_corpus(30, 40, 1);
  const auto draw = [&](std::uint64_t seed, std::uint64_t step) {
    return PairDraws{Sampling::Node, 16, seed}.documents(corpus.network, step);
  };
  EXPECT_EQ(draw(1, 5), draw(1, 5));
  EXPECT_NE(draw(1, 5), draw(1, 6));
  EXPECT_NE(draw(1, 5), draw(2, 5));
  EXPECT_EQ(draw(1, 5).size(), 48u);
}

TEST(DrawDocuments, ByNodeEveryDocumentIsDrawnByPathOnlyLinkedOnes) {
  const Corpus corpus = small_corpus(30, 40, 1);  // document 29 has no link
  std::vector<int> by_node(30), by_path(30);
  for (std::uint64_t step = 0; step < 2000; ++step) {
    const auto node = PairDraws{Sampling::Node, 4, 1}.documents(corpus.network, step);
    const auto path = PairDraws{Sampling::Path, 4, 1}.documents(corpus.network, step);
    for (std::size_t n = 0; n < 4; ++n) {
      ++by_node[node[n]], ++by_path[path[n]];
      EXPECT_TRUE(node[n] != 29 || node[4 + n] == 29);
    }
  }
  EXPECT_GT(by_node[29], 150);
  EXPECT_EQ(by_path[29], 0);
}

TEST(DrawDocuments, NearHasHalfOfThePairsLinked) {
  // A star: all but the middle (0) are linked to it alone. Of their ten paths one has length 1.
  std::vector<Link> links;
  for (std::uint32_t i = 1; i < 10; ++i) links.push_back({0, i});
  const Network star(11, links, {});  // and 10, which is alone
  const auto linked = [&](Sampling sampling) {
    int pairs = 0, direct = 0;
    for (std::uint64_t step = 0; step < 2000; ++step) {
      const auto drawn = PairDraws{sampling, 4, 1}.documents(star, step);
      for (std::size_t n = 0; n < 4; ++n) {
        EXPECT_TRUE(drawn[n] != 10 || drawn[4 + n] == 10);
        if (drawn[n] == 0 || drawn[n] == 10) continue;
        ++pairs, direct += drawn[4 + n] == 0;
      }
    }
    return static_cast<double>(direct) / pairs;
  };
  EXPECT_NEAR(linked(Sampling::Node), 0.1, 0.02);
  EXPECT_NEAR(linked(Sampling::Near), 0.55, 0.03);
}

TEST(DrawDocuments, BySimilarityTheOtherIsLikeTheFirstAndNotItself) {
  // A star: its points are alike by their neighbour, and the middle is like nobody.
  std::vector<Link> links;
  for (std::uint32_t i = 1; i < 10; ++i) links.push_back({0, i});
  const Network star(11, links, {});  // and 10, which is alone
  const SimRankSamples simrank(star, {}, {});
  for (const Similarity similarity : {Similarity::SimRank, Similarity::Ppr}) {
    int middle = 0, points = 0;
    for (std::uint64_t step = 0; step < 500; ++step) {
      const auto drawn = PairDraws{Sampling::Near, 4, 1, similarity, &simrank}.documents(star, step);
      for (std::size_t n = 0; n < 4; ++n) {
        const std::uint32_t i = drawn[n], j = drawn[4 + n];
        if (i == 10 || (i == 0 && similarity == Similarity::SimRank)) {
          EXPECT_EQ(i, j);
        } else {
          EXPECT_NE(i, j);
          if (i != 0) ++(j == 0 ? middle : points);
        }
      }
    }
    EXPECT_GT(points, 300);
    EXPECT_EQ(middle > 300, similarity == Similarity::Ppr) << middle;
    EXPECT_TRUE(middle == 0 || similarity == Similarity::Ppr) << middle;
  }
}

TEST(BatchMaker, BothViewsHoldTheDocuments) {
  const Corpus corpus = small_corpus(30, 40, 2);
  const auto inverse = inverse_lengths(corpus.counts);
  BatchMaker maker(corpus.counts, corpus.words(), inverse);
  Batch batch;
  for (std::uint64_t step = 0; step < 20; ++step) {  // the same batch is filled again and again
    const auto documents = PairDraws{Sampling::Node, 5, 1}.documents(corpus.network, step);
    maker.make(documents, batch);
    ASSERT_EQ(batch.slots(), documents.size());
    std::map<std::pair<std::uint32_t, std::uint32_t>, float> by_document, by_word;
    for (std::uint32_t slot = 0; slot < documents.size(); ++slot) {
      const auto row = corpus.counts.row(documents[slot]);
      ASSERT_EQ(batch.begin[slot + 1] - batch.begin[slot], row.size());
      float share = 0;
      for (std::size_t k = 0; k < row.size(); ++k) {
        const Term& term = batch.terms[batch.begin[slot] + k];
        EXPECT_EQ(term.row, row[k].word);
        share += term.weight;
        by_document[{slot, term.row}] = term.weight;
      }
      EXPECT_NEAR(share, row.empty() ? 0 : 1, 1e-6);
    }
    for (std::size_t n = 0; n < batch.word_count(); ++n) {
      for (std::uint32_t t = batch.words[n].begin; t < batch.words[n + 1].begin; ++t) {
        by_word[{batch.word_terms[t].row, batch.words[n].word}] = batch.word_terms[t].weight;
      }
    }
    EXPECT_EQ(by_document, by_word);
    EXPECT_EQ(batch.word_terms.size(), by_word.size());
  }
}

TEST(BatchMaker, OfLongDocumentsWordsAreDrawnInProportionToTheirCounts) {
  Corpus corpus = small_corpus(30, 40, 2);
  corpus.counts = {};
  corpus.counts.add_row(std::vector<WordCount>{{0, 50}, {1, 30}, {2, 10}, {3, 5}, {4, 3}, {5, 1}, {6, 1}});
  corpus.counts.add_row(std::vector<WordCount>{{7, 3}, {8, 1}});  // not long
  const auto inverse = inverse_lengths(corpus.counts);
  BatchMaker maker(corpus.counts, corpus.words(), inverse);
  const std::vector<std::uint32_t> documents{0, 1, 0};
  std::vector<double> sum(9);
  constexpr std::uint64_t kSteps = 4000;
  Batch batch, again;
  for (std::uint64_t step = 0; step < kSteps; ++step) {
    maker.make(documents, batch, {4, 1, step});
    ASSERT_LE(batch.begin[1], 4u);
    ASSERT_EQ(batch.begin[2] - batch.begin[1], 2u);
    float share = 0;
    for (std::size_t t = 0; t < batch.begin[1]; ++t) {
      sum[batch.terms[t].row] += static_cast<double>(batch.terms[t].weight) / kSteps;
      share += batch.terms[t].weight;
    }
    EXPECT_NEAR(share, 1, 1e-6);
  }
  const double expected[] = {0.5, 0.3, 0.1, 0.05, 0.03, 0.01, 0.01};
  for (std::size_t word = 0; word < 7; ++word) EXPECT_NEAR(sum[word], expected[word], 0.01) << word;
  maker.make(documents, batch, {4, 1, 5});
  maker.make(documents, again, {4, 1, 5});
  EXPECT_TRUE(std::ranges::equal(batch.terms, again.terms, [](const Term& a, const Term& b) {
    return a.row == b.row && a.weight == b.weight;
  })) << "the same step draws the same words";
}

}  // namespace
}  // namespace idne
