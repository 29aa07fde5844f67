#include "text/numbers.h"

#include <gtest/gtest.h>

namespace idne {
namespace {

TEST(WithCommas, EveryThreeDigitsBeforeThePoint) {
  EXPECT_EQ(with_commas(0), "0");
  EXPECT_EQ(with_commas(999), "999");
  EXPECT_EQ(with_commas(1000), "1,000");
  EXPECT_EQ(with_commas(12345678), "12,345,678");
  EXPECT_EQ(with_commas(UINT64_MAX), "18,446,744,073,709,551,615");
  EXPECT_EQ(with_commas("-100"), "-100");
  EXPECT_EQ(with_commas("-1000.2345"), "-1,000.2345");
}

}  // namespace
}  // namespace idne
