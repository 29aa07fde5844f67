#include "methods/sample.h"

#include <gtest/gtest.h>

namespace idne {
namespace {

using Numbers = std::vector<std::uint32_t>;

TEST(EvenSample, IsAllOrEvenlySpread) {
  EXPECT_EQ(even_sample(3, 5), (Numbers{0, 1, 2}));
  EXPECT_EQ(even_sample(3, 3), (Numbers{0, 1, 2}));
  EXPECT_EQ(even_sample(0, 3), Numbers{});
  const Numbers some = even_sample(1000, 100);
  ASSERT_EQ(some.size(), 100u);
  for (std::uint32_t n = 0; n < 100; ++n) EXPECT_EQ(some[n] / 10, n);
  EXPECT_EQ(some, even_sample(1000, 100));
}

TEST(EvenSample, MissesNoDocumentsThatComeInTurns) {
  std::vector<int> met(4);
  for (const std::uint32_t i : even_sample(2000, 300)) ++met[i % 4];
  for (const int count : met) EXPECT_GT(count, 40);
}

TEST(RowsOf, AreThoseRows) {
  CountMatrix counts;
  counts.add_row(count_words({0, 1, 1}));
  counts.add_row({});
  counts.add_row(count_words({2}));
  const CountMatrix rows = rows_of(counts, {2, 0});
  ASSERT_EQ(rows.rows(), 2u);
  EXPECT_EQ(rows.row(0)[0].word, 2u);
  EXPECT_EQ(rows.row(1).size(), 2u);
}

}  // namespace
}  // namespace idne
