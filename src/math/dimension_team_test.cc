#include "math/dimension_team.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

namespace idne {
namespace {

TEST(DimensionTeam, SharesOutAllBlocksInOrder) {
  for (const std::size_t dimensions : {1u, 64u, 65u, 256u, 1000u}) {
    for (const int threads : {0, 1, 2, 3, 7, 100}) {
      DimensionTeam team(dimensions, threads);
      EXPECT_EQ(team.blocks(), (dimensions + kBlock - 1) / kBlock);
      EXPECT_LE(team.size(), std::max<std::size_t>(1, static_cast<std::size_t>(threads)));
      std::size_t next = 0, least = team.blocks(), most = 0;
      for (std::size_t i = 0; i < team.size(); ++i) {
        EXPECT_EQ(team[i].number(), i);
        EXPECT_EQ(team[i].first_block(), next);
        next += team[i].blocks();
        least = std::min(least, team[i].blocks()), most = std::max(most, team[i].blocks());
      }
      EXPECT_EQ(next, team.blocks());
      EXPECT_LE(most - least, 1u) << "nobody has much more than another";
      EXPECT_GE(least, 1u);
    }
  }
}

/// What block b says in gather `round` as its sum i: numbers whose sum depends on the order in which they are added.
float part(std::size_t round, std::size_t b, std::size_t i) {
  return (b % 2 ? -1.0f : 1.0f) * (1e7f / static_cast<float>(b + 1) + static_cast<float>(round + i) * 0.37f);
}

TEST(DimensionTeam, EveryMemberGetsTheSumsInTheOrderOfTheBlocks) {
  for (const int threads : {1, 2, 3, 5}) {
    DimensionTeam team(7 * kBlock, threads);
    team.run([&](std::size_t me) -> Work {
      DimensionTeam::Member& member = team[me];
      for (std::size_t round = 0; round < 500; ++round) {  // nobody waits between two gathers: one may run ahead
        const std::size_t count = round * 7 % 40;          // 0 among them
        const auto own = member.contribute(count);
        EXPECT_EQ(own.size(), member.blocks() * count);
        for (std::size_t at = 0; at < own.size(); ++at) {
          own[at] = part(round, member.first_block() + at / count, at % count);
        }
        std::vector<float> sums(count, 1.5f);
        (co_await member.gather()).add_to(sums);
        for (std::size_t i = 0; i < count; ++i) {
          float expected = 1.5f;
          for (std::size_t b = 0; b < 7; ++b) expected += part(round, b, i);
          EXPECT_EQ(sums[i], expected) << threads << " threads, gather " << round << ", sum " << i;
        }
      }
    });
  }
}

TEST(DimensionTeam, WhatWasGatheredStaysUntilTheNextGather) {
  DimensionTeam team(2 * kBlock, 2);
  team.run([&](std::size_t me) -> Work {
    for (float round = 0; round < 200; ++round) {
      team[me].contribute(1)[0] = round;
      const auto gathered = co_await team[me].gather();
      team[me].contribute(1)[0] = -1;  // for the next one, as a fast member does while a slow one still reads
      float sum = 0;
      gathered.add_to({&sum, 1});
      EXPECT_EQ(sum, 2 * round);
      co_await team[me].gather();
    }
  });
}

/// Where a member throws: before it meets the others, at a gather after some, after the last of them.
class Throws : public testing::TestWithParam<int> {};

TEST_P(Throws, AndAllLeaveAndTheTeamCanRunAgain) {
  const int at = GetParam();
  for (const int threads : {1, 2, 4}) {
    for (int who = 0; who < threads; ++who) {
      DimensionTeam team(4 * kBlock, threads);
      std::atomic<int> left{0};
      const auto body = [&](std::size_t me, bool throws) -> Work {
        const struct Leaving {
          std::atomic<int>& count;
          ~Leaving() { ++count; }
        } leaving{left};
        for (int round = 0; round < 20; ++round) {
          if (throws && round == at && static_cast<int>(me) == who) throw std::runtime_error(std::to_string(me));
          team[me].contribute(3);
          co_await team[me].gather();
          if (round % 5 == 0) co_await team[me].barrier();
        }
      };
      try {
        team.run([&](std::size_t me) { return body(me, true); });
        FAIL() << "nothing was thrown";
      } catch (const std::runtime_error& error) {
        EXPECT_EQ(error.what(), std::to_string(who));
      }
      EXPECT_EQ(left, threads);
      team.run([&](std::size_t me) { return body(me, false); });
      EXPECT_EQ(left, 2 * threads);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(DimensionTeam, Throws, testing::Values(0, 1, 7, 19));

TEST(DimensionTeam, TheLowestMembersExceptionCounts) {
  DimensionTeam team(4 * kBlock, 4);
  try {
    team.run([&](std::size_t me) -> Work {
      co_await team[me].barrier();
      if (me > 0) throw std::runtime_error(std::to_string(me));
      co_await team[me].barrier();
    });
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "1");
  }
}

}  // namespace
}  // namespace idne
