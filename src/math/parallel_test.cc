#include "math/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "idne/run.h"

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

TEST(ParallelFor, BeginsNothingMoreAfterAFailure) {
  for (const int threads : {1, 3}) {
    std::atomic<int> begun{0};
    EXPECT_THROW(parallel_for(threads, 1000000,
                              [&](std::size_t, std::size_t) {
                                ++begun;
                                throw std::runtime_error("no");
                              }),
                 std::runtime_error);
    EXPECT_LE(begun, threads);
  }
}

TEST(ParallelParts, ReportsFromTheCallersThread) {
  for (const int threads : {1, 3}) {
    idne::Run run;
    run.threads = threads;
    const auto caller = std::this_thread::get_id();
    std::uint64_t last = 0;
    run.progress = [&](const Progress& p) {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      EXPECT_EQ(p.stage, "counting");
      EXPECT_EQ(p.total, 1000u);
      EXPECT_GE(p.done, last);
      last = p.done;
    };
    std::vector<std::atomic<int>> done(1000);
    parallel_parts(run, "counting", 1000, 7, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) ++done[i];
    });
    for (const auto& count : done) EXPECT_EQ(count, 1);
    EXPECT_EQ(last, 1000u);
  }
}

TEST(ParallelParts, StopWhenToldTo) {
  idne::Run run;
  run.threads = 2;
  std::atomic<int> asked{0};
  run.stopped = [&] { return ++asked > 5; };
  EXPECT_THROW(parallel_parts(run, "counting", 1000, 1, [](std::size_t, std::size_t) {}), Interrupted);
  EXPECT_LE(asked, 8);
}

TEST(RunTeam, ThrowsTheFailureOfTheLowestMember) {
  for (const int threads : {1, 2, 5}) {
    for (int first = 0; first < threads; ++first) {
      try {
        run_team(threads, [&](int t) {
          if (t >= first) throw std::runtime_error(std::to_string(t));
        });
        FAIL() << "nothing was thrown";
      } catch (const std::runtime_error& error) {
        EXPECT_EQ(error.what(), std::to_string(first));
      }
    }
  }
}

}  // namespace
}  // namespace idne
