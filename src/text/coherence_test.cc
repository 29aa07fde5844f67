#include "text/coherence.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace idne {
namespace {

/// Each document as its words, once each.
CountMatrix documents(const std::vector<std::vector<std::uint32_t>>& rows) {
  CountMatrix counts;
  for (const auto& row : rows) counts.add_row(count_words(row));
  return counts;
}

TEST(Npmi, IsTheFormulaOnCountsByHand) {
  // Of eight documents: word 0 in four, word 1 in three, both in two.
  const auto rows = documents({{0, 1}, {0, 1}, {0}, {0}, {1}, {2}, {2}, {}});
  const double expected = std::log((2.0 / 8) / ((4.0 / 8) * (3.0 / 8))) / -std::log(2.0 / 8);
  EXPECT_NEAR(npmi(rows, {{0, 1}})[0], expected, 1e-12);
  EXPECT_NEAR(npmi(rows, {{1, 0}})[0], expected, 1e-12);
}

TEST(ExpectedNpmi, APairThatOftenMeetsKeepsItsValueAndOneThatMetOnceMayNotMeetAgain) {
  std::vector<std::vector<std::uint32_t>> rows(400);
  for (std::size_t i = 0; i < 60; ++i) rows[i] = {0, 1};  // always together
  rows[100] = {2, 3};                                     // once, and nowhere else
  for (std::size_t i = 200; i < 240; ++i) rows[i] = {static_cast<std::uint32_t>(i % 2 ? 4 : 5)};  // never
  const auto counts = documents(rows);
  const std::vector<std::uint32_t> words{0, 1, 2, 3, 4, 5, 6};
  const PairCoherence coherence(counts, words);
  EXPECT_NEAR(coherence.expected(0, 1), coherence(0, 1), 0.05);
  EXPECT_EQ(coherence(2, 3), 1);
  EXPECT_LT(coherence.expected(2, 3), 0);
  EXPECT_EQ(coherence(4, 5), -1);
  EXPECT_GT(coherence.expected(4, 5), -1) << "they may meet by chance";
  EXPECT_LT(coherence.expected(4, 5), -0.3);
  EXPECT_EQ(coherence.expected(4, 6), -1) << "a word of no document";
}

TEST(Npmi, IsTheMeanOverPairs) {
  const auto rows = documents({{0, 1}, {0, 1}, {0}, {0}, {1}, {2}, {2}, {}});
  const double met = std::log((2.0 / 8) / ((4.0 / 8) * (3.0 / 8))) / -std::log(2.0 / 8);
  EXPECT_NEAR(npmi(rows, {{0, 1, 2}})[0], (met - 1 - 1) / 3, 1e-12);
}

TEST(Npmi, CountsDocumentsNotOccurrences) {
  const auto once = documents({{0, 1}, {0}, {1}, {}});
  const auto often = documents({{0, 0, 0, 1, 1}, {0, 0}, {1}, {}});
  EXPECT_DOUBLE_EQ(npmi(once, {{0, 1}})[0], npmi(often, {{0, 1}})[0]);
  EXPECT_NEAR(npmi(once, {{0, 1}})[0], 0, 1e-12);  // independent: 1/4 = 1/2 · 1/2
}

TEST(Npmi, ItsEndsAreOneAndMinusOne) {
  const auto rows = documents({{0, 1, 3}, {2, 3}, {3}});
  EXPECT_NEAR(npmi(rows, {{0, 1}})[0], 1, 1e-12);                // only together
  EXPECT_EQ(npmi(rows, {{0, 2}})[0], -1);                        // never together
  EXPECT_EQ(npmi(rows, {{0, 9}})[0], -1);                        // a word of no document
  EXPECT_EQ(npmi(documents({{0, 1}, {0, 1}}), {{0, 1}})[0], 1);  // in every document
}

TEST(Npmi, OneValueAList) {
  const auto rows = documents({{0, 1}, {2}});
  const auto values = npmi(rows, {{0, 1}, {0}, {}, {0, 2}});
  ASSERT_EQ(values.size(), 4u);
  EXPECT_NEAR(values[0], 1, 1e-12);
  EXPECT_EQ(values[1], 0);
  EXPECT_EQ(values[2], 0);
  EXPECT_EQ(values[3], -1);
  EXPECT_TRUE(npmi(rows, {}).empty());
}

TEST(Diversity, IsTheShareOfDistinctWords) {
  EXPECT_DOUBLE_EQ(diversity({{1, 2}, {3, 4}}), 1);
  EXPECT_DOUBLE_EQ(diversity({{1, 2}, {2, 3}}), 0.75);
  EXPECT_DOUBLE_EQ(diversity({{1, 2}, {1, 2}}), 0.5);
  EXPECT_DOUBLE_EQ(diversity({{}, {}}), 0);
}

}  // namespace
}  // namespace idne
