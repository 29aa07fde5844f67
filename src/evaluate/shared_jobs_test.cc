#include "evaluate/shared_jobs.h"

#include <gtest/gtest.h>

#include <map>
#include <mutex>

#include "evaluate/test_evaluations.h"
#include "idne/checkpoint.h"
#include "idne/train.h"
#include "math/test_ranks.h"

namespace idne {
namespace {

Bytes bytes_of(std::size_t number) {
  Packer packer;
  packer.add(number);
  return packer.take();
}

idne::Run run_of(Ranks& ranks, int threads = 2) {
  idne::Run run;
  run.threads = threads;
  run.ranks = &ranks;
  return run;
}

TEST(SharedJobs, EachIsDoneOnceAndToldToAllInOneOrder) {
  for (const std::size_t jobs : {0, 1, 5, 40}) {
    std::mutex mutex;
    std::map<std::size_t, int> done;
    std::vector<std::vector<std::size_t>> told(3);
    run_ranks(3, [&](Ranks& ranks) {
      share_jobs(
          run_of(ranks, 1 + static_cast<int>(ranks.number())), jobs,
          [&](std::size_t job, const idne::Run& alone) {
            EXPECT_EQ(alone.ranks, nullptr);
            const std::lock_guard lock(mutex);
            ++done[job];
            return bytes_of(job * job);
          },
          [&](std::size_t job, std::span<const std::byte> given) {
            EXPECT_EQ(Unpacker(given).next<std::size_t>(), job * job);
            told[ranks.number()].push_back(job);
          });
    });
    EXPECT_EQ(done.size(), jobs);
    for (const auto& [job, times] : done) EXPECT_EQ(times, 1) << job;
    EXPECT_EQ(told[0].size(), jobs);
    EXPECT_EQ(told[1], told[0]);
    EXPECT_EQ(told[2], told[0]);
  }
}

TEST(SharedJobs, AFaultOfOneEndsAllAndIsThrownOnAll) {
  for (const bool in_job : {true, false}) {
    std::atomic<int> thrown{0}, done{0};
    run_ranks(2, [&](Ranks& ranks) {
      try {
        share_jobs(
            run_of(ranks), 1000,
            [&](std::size_t job, const idne::Run&) {
              if (in_job && job == 3) throw Error("broken");
              ++done;
              return bytes_of(job);
            },
            [&](std::size_t, std::span<const std::byte>) {
              if (!in_job && ranks.first()) throw Error("broken");
            });
      } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "broken");
        ++thrown;
      }
    });
    EXPECT_EQ(thrown, 2);
    EXPECT_LT(done, 1000);
  }
}

TEST(SharedJobs, AStopOfOneStopsAll) {
  std::atomic<int> done{0};
  run_ranks(3, [&](Ranks& ranks) {
    idne::Run run = run_of(ranks);
    if (ranks.number() == 2) run.stopped = [&] { return done > 5; };
    share_jobs(
        run, 1000,
        [&](std::size_t job, const idne::Run&) {
          ++done;
          return bytes_of(job);
        },
        [](std::size_t, std::span<const std::byte>) {});
  });
  EXPECT_LT(done, 1000);
}

EvaluateOptions small_plan() {
  EvaluateOptions options;
  for (const MethodInfo& method : known_methods()) {
    if (method.name != "lsa" && method.name != "cane") continue;
    Contestant contestant{std::string(method.name), std::string(method.name), Options(method.options)};
    contestant.options.set("dim", "8");
    if (contestant.options.has("steps")) contestant.options.set("steps", "10");
    options.contestants.push_back(std::move(contestant));
  }
  options.tasks = {Task::Classification, Task::InductiveLinks};
  options.repeats = 3;
  return options;
}

void expect_same(const Evaluation& a, const Evaluation& b) {
  ASSERT_EQ(a.cells.size(), b.cells.size());
  EXPECT_EQ(a.interrupted, b.interrupted);
  for (std::size_t c = 0; c < a.cells.size(); ++c) {
    EXPECT_EQ(a.cells[c].values, b.cells[c].values) << c;
    EXPECT_EQ(a.cells[c].failure, b.cells[c].failure) << c;
  }
}

TEST(SharedJobs, AnEvaluationHasTheFiguresAndFailuresOfOneProcess) {
  const Collection collection = three_fields();
  const EvaluateOptions options = small_plan();  // of which cane cannot do one task
  const Evaluation one = evaluate(collection, options, {});
  for (const std::size_t size : {2, 3}) {
    run_ranks(size, [&](Ranks& ranks) { expect_same(one, evaluate(collection, options, run_of(ranks))); });
  }
}

TEST(SharedJobs, OneProcessKeepsWhatAllHaveDoneForAnyNumberOfThem) {
  using namespace std::chrono_literals;
  const Collection collection = three_fields();
  const EvaluateOptions options = small_plan();
  const Evaluation one = evaluate(collection, options, {});
  const TempFolder folder;
  const auto file = folder.path("e.ck");
  std::string how_far;
  for (const std::size_t size : {2, 3, 2}) {
    std::atomic<std::size_t> told{0};
    run_ranks(size, [&](Ranks& ranks) {
      idne::Run run = run_of(ranks, 1);
      Checkpoint checkpoint(file, 1h);
      if (ranks.first()) {
        run.checkpoint = &checkpoint;
        if (std::filesystem::exists(file)) checkpoint.resume_from(file);
        run.progress = [&](const Progress&) { ++told; };
      }
      if (size == 2 && ranks.number() == 1 && how_far.empty()) run.stopped = [&] { return told > 3; };
      const Evaluation found = evaluate(collection, options, run);
      if (ranks.first()) how_far = checkpoint.how_far();
      if (ranks.first() && !found.interrupted) expect_same(one, found);
    });
  }
  EXPECT_EQ(how_far, "9 of 12 trainings") << "those that failed are tried again";
}

}  // namespace
}  // namespace idne
