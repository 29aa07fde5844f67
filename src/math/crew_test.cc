#include "math/crew.h"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "idne/run.h"

namespace idne {
namespace {

TEST(Crew, NobodyPassesBeforeAllHaveCome) {
  for (const std::size_t members : {1u, 2u, 3u, 7u}) {  // more than cores too
    for (const int threads : {1, 2, 7}) {
      Crew crew(members);
      constexpr std::size_t kRounds = 300;
      std::vector<std::atomic<std::size_t>> came(kRounds);
      crew.run(threads, [&](std::size_t me) -> Work {
        for (auto& count : came) {
          ++count;
          co_await crew.meet(me);
          EXPECT_EQ(count, members);
        }
      });
    }
  }
}

TEST(Crew, MembersAreDoneByFewerThreadsThanThereAreOfThem) {
  Crew crew(5);
  const auto caller = std::this_thread::get_id();
  int meetings = 0;
  crew.run(1, [&](std::size_t me) -> Work {
    for (int round = 0; round < 10; ++round) {
      co_await crew.meet(me);
      EXPECT_EQ(std::this_thread::get_id(), caller);
      ++meetings;
    }
  });
  EXPECT_EQ(meetings, 50);
}

TEST(Crew, NobodyWaitsForAThreadThatHasNotBegun) {
  if (hardware_threads() < 2) GTEST_SKIP() << "one core only";
  // Member 0 holds its thread for a while, as a busy machine would; what member 1 has to do then is done before.
  Crew crew(3);
  std::atomic<bool> held{false};
  std::atomic<int> others{0};
  crew.run(2, [&](std::size_t me) -> Work {
    if (me == 0) {
      held = true;
      const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(60);
      while (others < 2 && std::chrono::steady_clock::now() < patience) std::this_thread::yield();
    } else {
      while (!held) std::this_thread::yield();
      ++others;
    }
    co_await crew.meet(me);
    EXPECT_EQ(others, 2);  // member 2 is the held thread's, as a rule
  });
}

TEST(Crew, MembersMayEndAtDifferentMeetings) {
  Crew crew(3);
  std::atomic<int> rounds{0};
  crew.run(3, [&](std::size_t me) -> Work {
    for (std::size_t round = 0; round < 10 * me; ++round) {
      co_await crew.meet(me);
      ++rounds;
    }
  });
  EXPECT_EQ(rounds, 30);
}

Work part(Crew& crew, std::size_t me, int depth, int& reached) {
  if (depth == 0) throw std::runtime_error("deep");
  co_await crew.meet(me);
  ++reached;
  co_await part(crew, me, depth - 1, reached);
}

TEST(Crew, WhatAPartThrowsComesOutWhereItIsAwaited) {
  Crew crew(2);
  std::vector<int> reached(2);
  std::vector<std::string> caught(2);
  crew.run(2, [&](std::size_t me) -> Work {
    try {
      co_await part(crew, me, 3, reached[me]);
    } catch (const std::runtime_error& error) {
      caught[me] = error.what();
    }
    co_await crew.meet(me);
  });
  EXPECT_EQ(reached, std::vector(2, 3));
  EXPECT_EQ(caught, std::vector<std::string>(2, "deep"));
}

TEST(Crew, TheOthersLeaveWhenOneThrowsAndItCanRunAgain) {
  for (const std::size_t who : {0u, 1u, 2u}) {
    Crew crew(3);
    std::atomic<int> left{0};
    const auto body = [&](std::size_t me, bool throws) -> Work {
      const struct Leaving {
        std::atomic<int>& count;
        ~Leaving() { ++count; }
      } leaving{left};
      for (int round = 0; round < 20; ++round) {
        if (throws && round == 7 && me >= who) throw std::runtime_error(std::to_string(me));
        co_await crew.meet(me);
      }
    };
    try {
      crew.run(2, [&](std::size_t me) { return body(me, true); });
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(error.what(), std::to_string(who)) << "the lowest member's counts";
    }
    EXPECT_EQ(left, 3);
    crew.run(2, [&](std::size_t me) { return body(me, false); });
    EXPECT_EQ(left, 6);
  }
}

}  // namespace
}  // namespace idne
