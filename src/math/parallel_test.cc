#include "math/parallel.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace idne {
namespace {

TEST(ParallelFor, DoesEverythingOnce) {
  for (const int threads : {1, 2, 5}) {
    std::vector<std::atomic<int>> done(1000);
    parallel_for(threads, done.size(), [&](std::size_t i, std::size_t worker) {
      EXPECT_LT(worker, static_cast<std::size_t>(threads));
      ++done[i];
    });
    for (const auto& count : done) EXPECT_EQ(count, 1);
  }
}

TEST(ParallelFor, NothingToDoIsFine) {
  parallel_for(3, 0, [](std::size_t, std::size_t) { FAIL(); });
}

TEST(ParallelFor, ThrowsTheFailureOfTheLowestIndex) {
  for (const int threads : {1, 3}) {
    try {
      parallel_for(threads, 100, [](std::size_t i, std::size_t) {
        if (i == 40 || i == 70) throw std::runtime_error(std::to_string(i));
      });
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "40");
    }
  }
}

TEST(Barrier, NobodyPassesBeforeAllArrive) {
  // With more threads than cores too, where it must sleep and not spin.
  for (const int threads : {2, 3, 7}) {
    Barrier barrier(threads);
    constexpr int kRounds = 300;
    std::vector<std::atomic<int>> arrived(kRounds);
    run_team(threads, [&](int) {
      for (int round = 0; round < kRounds; ++round) {
        ++arrived[static_cast<std::size_t>(round)];
        barrier.wait();
        EXPECT_EQ(arrived[static_cast<std::size_t>(round)], threads);
      }
    });
  }
}

}  // namespace
}  // namespace idne
