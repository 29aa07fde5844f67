#include "serve/client_limits.h"

#include <gtest/gtest.h>

namespace idne {
namespace {

using namespace std::chrono_literals;

TEST(ClientLimits, OneClientCannotAskMoreThanItsRateAndOthersDoNotFeelIt) {
  ClientLimits limits(10, 0);
  ClientLimits::Clock::time_point now{};
  int taken = 0;
  for (int n = 0; n < 1000; ++n, now += 10ms)
    taken += limits.enter("a", now) == 0;  // ten seconds at ten times its rate
  EXPECT_NEAR(taken, 10 * 10 + 10 * ClientLimits::kSavedSeconds, 1);
  limits.enter("a", now);  // perhaps the one that it has saved meanwhile
  EXPECT_EQ(limits.enter("a", now), 1) << "seconds until it may come again";
  EXPECT_EQ(limits.enter("b", now), 0);
  EXPECT_EQ(limits.enter("a", now + 1s), 0);
}

TEST(ClientLimits, WorkAtOnce) {
  ClientLimits limits(0, 2);
  const ClientLimits::Clock::time_point now{};
  EXPECT_EQ(limits.enter("a", now), 0);
  EXPECT_EQ(limits.enter("a", now), 0);
  EXPECT_EQ(limits.enter("a", now), 1);
  EXPECT_EQ(limits.enter("b", now), 0);
  limits.leave("a");
  EXPECT_EQ(limits.enter("a", now), 0);
}

TEST(ClientLimits, WithoutLimitsNobodyIsKept) {
  ClientLimits limits(0, 0);
  for (int n = 0; n < 100; ++n) EXPECT_EQ(limits.enter(std::to_string(n), {}), 0);
  EXPECT_EQ(limits.known(), 0u);
}

TEST(ClientLimits, ClientsThatAreQuietAreForgotten) {
  ClientLimits limits(10, 3);
  ClientLimits::Clock::time_point now{};
  for (int n = 0; n < 100'000; ++n, now += 1ms) {
    EXPECT_EQ(limits.enter(std::to_string(n), now), 0);
    limits.leave(std::to_string(n));
  }
  EXPECT_LE(limits.known(), 10'000u);
}

}  // namespace
}  // namespace idne
