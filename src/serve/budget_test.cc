#include "serve/budget.h"

#include <gtest/gtest.h>

#include <optional>

namespace idne {
namespace {

TEST(Budget, ChargesTakeAndGiveBack) {
  Budget budget(100'000);
  Charge a(budget), b(budget);
  EXPECT_TRUE(a.set(60'000));
  EXPECT_FALSE(b.set(50'000));
  EXPECT_EQ(budget.used(), 60'000u);
  EXPECT_TRUE(a.set(40'000));
  EXPECT_TRUE(b.set(50'000));
  EXPECT_FALSE(a.set(50'001));
  EXPECT_EQ(budget.used(), 90'000u) << "a charge that does not fit stays as it was";
  b.clear();
  EXPECT_EQ(budget.used(), 40'000u);
}

TEST(Budget, AChargeMovesWithWhatItIsFor) {
  Budget budget(100'000);
  std::optional<Charge> first(std::in_place, budget);
  EXPECT_TRUE(first->set(10'000));
  Charge second(budget);
  EXPECT_TRUE(second.set(20'000));
  second = std::move(*first);
  EXPECT_EQ(budget.used(), 10'000u);
  EXPECT_TRUE(first->set(5'000)) << "what was moved from can be used again";
  first.reset();
  EXPECT_EQ(budget.used(), 10'000u);
  { const Charge third(std::move(second)); }
  EXPECT_EQ(budget.used(), 0u);
}

TEST(Budget, LittleThingsAreFree) {
  Budget budget(0);
  Charge charge(budget);
  EXPECT_TRUE(charge.set(Charge::kFree));
  EXPECT_FALSE(charge.set(Charge::kFree + 1));
  EXPECT_EQ(budget.used(), 0u);
}

}  // namespace
}  // namespace idne
