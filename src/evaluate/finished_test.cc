#include "evaluate/finished.h"

#include <gtest/gtest.h>

#include <atomic>

#include "contains.h"
#include "evaluate/test_evaluations.h"
#include "idne/train.h"

namespace idne {
namespace {

using namespace std::chrono_literals;

EvaluateOptions small_evaluation() {
  EvaluateOptions options;
  for (const MethodInfo& method : known_methods()) {
    if (method.name != "idne" && method.name != "lsa") continue;
    Contestant contestant{std::string(method.name), std::string(method.name), Options(method.options)};
    contestant.options.set("dim", "16");
    if (contestant.options.has("steps")) contestant.options.set("steps", "20");
    options.contestants.push_back(std::move(contestant));
  }
  options.tasks = {known_tasks().begin(), known_tasks().end()};
  options.repeats = 2;
  return options;
}

void expect_same_figures(const Evaluation& a, const Evaluation& b, bool seconds_too) {
  ASSERT_EQ(a.cells.size(), b.cells.size());
  for (std::size_t c = 0; c < a.cells.size(); ++c) {
    EXPECT_EQ(a.cells[c].values, b.cells[c].values) << c;
    EXPECT_EQ(a.cells[c].repeats, b.cells[c].repeats) << c;
    EXPECT_EQ(a.cells[c].failure, b.cells[c].failure) << c;
    if (seconds_too) {
      EXPECT_EQ(a.cells[c].train_seconds, b.cells[c].train_seconds) << c;
    }
  }
}

TEST(FinishedJobs, AnEvaluationStoppedAgainAndAgainGivesTheSameFigures) {
  const Collection collection = three_fields();
  const EvaluateOptions options = small_evaluation();
  const Evaluation expected = evaluate(collection, options, {});
  const TempFolder folder;
  const auto file = folder.path("e.ck");
  const auto written = [&] {
    std::error_code none;
    return std::filesystem::last_write_time(file, none);
  };
  for (int round = 0;; ++round) {
    ASSERT_LT(round, 20);
    Checkpoint checkpoint(file, 1h);
    if (round > 0) checkpoint.resume_from(file);
    const auto before = written();
    idne::Run run;
    run.threads = 1 + round % 2;
    run.checkpoint = &checkpoint;
    run.stopped = [&] { return round < 3 && written() != before; };
    const Evaluation evaluation = evaluate(collection, options, run);
    EXPECT_EQ(evaluation.interrupted, round < 3);
    if (!evaluation.interrupted) {
      expect_same_figures(expected, evaluation, false);
      break;
    }
  }
  // Nothing is left to be done, and the times are those that were measured.
  Checkpoint first(file, 1h), second(file, 1h);
  first.resume_from(file), second.resume_from(file);
  idne::Run run;
  run.checkpoint = &first;
  const Evaluation again = evaluate(collection, options, run);
  run.checkpoint = &second;
  expect_same_figures(again, evaluate(collection, options, run), true);
  expect_same_figures(again, expected, false);
}

TEST(FinishedJobs, OfAnotherEvaluationAreRefused) {
  const Collection collection = three_fields();
  EvaluateOptions options = small_evaluation();
  options.tasks = {Task::InductiveLinks};
  options.repeats = 1;
  const TempFolder folder;
  const auto file = folder.path("e.ck");
  const auto said = [&](const EvaluateOptions& asked, const Collection& of) -> std::string {
    Checkpoint checkpoint(file, 1h);
    if (std::filesystem::exists(file)) checkpoint.resume_from(file);
    idne::Run run;
    run.checkpoint = &checkpoint;
    try {
      evaluate(of, asked, run);
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing";
  };
  EXPECT_EQ(said(options, collection), "nothing");
  EXPECT_EQ(said(options, collection), "nothing");
  EvaluateOptions other = options;
  other.repeats = 2;
  EXPECT_TRUE(contains(said(other, collection), "made with --repeats 1, this run has 2"));
  other = options;
  other.contestants[0].options.set("steps", "21");
  EXPECT_TRUE(contains(said(other, collection), "made with idne's --steps 20, this run has 21"));
  Collection changed = three_fields();
  changed.links.pop_back();
  EXPECT_TRUE(contains(said(options, changed), "another corpus: the links differ"));
}

}  // namespace
}  // namespace idne
