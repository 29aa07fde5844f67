#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

#include "evaluate/evaluate.h"
#include "evaluate/splits.h"
#include "evaluate/suggest_metrics.h"
#include "evaluate/test_evaluations.h"

namespace idne {
namespace {

const std::vector<Task> kSuggestTasks{Task::SuggestLinks, Task::SuggestLabels};

/// LSA, which `seen` looks over the shoulder of: an encoder is found by its method's name, so it keeps that.
class Spy : public Method {
 public:
  std::function<void(const Corpus&, const Options&)> seen = [](const Corpus&, const Options&) {};
  bool whole = false, can_embed = true;

  std::string_view name() const override { return "lsa"; }
  std::string_view summary() const override { return ""; }
  std::span<const OptionSpec> options() const override { return lsa().options(); }
  Model fit(const Corpus& corpus, const Options& options, const idne::Run& run) const override {
    seen(corpus, options);
    return lsa().fit(corpus, options, run);
  }
  bool inductive() const override { return can_embed; }
  bool judged_whole() const override { return whole; }
  std::unique_ptr<Encoder> encoder(const Model& model) const override { return lsa().encoder(model); }

  Contestant contestant() const {
    Contestant one{"spy", "spy", Options(training_options(lsa()))};
    one.options.set("dim", "8");
    return one;
  }
  MethodFinder finder() const {
    return [this](std::string_view method) -> const Method& { return method == "spy" ? *this : find_method(method); };
  }

 private:
  static const Method& lsa() { return find_method("lsa"); }
};

Contestant ranker(const std::string& name) { return {name, name, Options(std::span<const OptionSpec>{})}; }

EvaluateOptions suggest_plan(std::vector<Contestant> contestants, std::vector<Task> tasks, std::size_t repeats = 2) {
  EvaluateOptions options;
  options.contestants = std::move(contestants);
  options.tasks = std::move(tasks);
  options.repeats = repeats;
  return options;
}

const Cell& cell_of(const Evaluation& evaluation, std::string_view contestant, std::string_view metric) {
  for (const Cell& cell : evaluation.cells) {
    if (cell.contestant == contestant && cell.metric == metric) return cell;
  }
  throw Error("no such cell");
}

TEST(EvaluateSuggestions, EveryMethodHasTwoRowsAndEveryRankerOne) {
  const Collection collection = three_fields();
  Spy spy;
  for (const bool whole : {false, true}) {
    spy.whole = whole;
    const Evaluation found = evaluate(
        collection, suggest_plan({spy.contestant(), ranker("tfidf"), ranker("bm25")}, kSuggestTasks), spy.finder(), {});
    const std::string other = whole ? "spy, vectors only" : "spy, whole";
    std::multiset<std::string> rows;
    for (const Cell& cell : found.cells) rows.insert(cell.contestant);
    for (const std::string& row : {std::string("spy"), other, std::string("tfidf"), std::string("bm25")}) {
      EXPECT_EQ(rows.count(row), 7u) << row;
    }
    for (const Cell& cell : found.cells) {
      if (cell.contestant == "bm25" && cell.task == Task::SuggestLabels) {
        EXPECT_NE(cell.failure.find("has no labels"), std::string::npos);
        continue;
      }
      EXPECT_EQ(cell.failure, "") << cell.contestant << " " << cell.metric;
      ASSERT_EQ(cell.values.size(), 2u);
      EXPECT_EQ(cell.repeats, (std::vector<std::size_t>{0, 1}));
      EXPECT_GE(cell.mean(), cell.metric == "p@1" ? 0.6 : 0.0) << cell.contestant << cell.metric;
      EXPECT_LE(cell.mean(), 1);
    }
    // With one label per document the first guess is all that micro F1 looks at.
    EXPECT_EQ(cell_of(found, "spy", "p@1").values, cell_of(found, "spy", "micro_f1").values);
  }
}

TEST(EvaluateSuggestions, TheRowsChangePlacesWithWhatAMethodIsJudgedBy) {
  const Collection collection = three_fields();
  Spy spy;
  const Evaluation apart = evaluate(collection, suggest_plan({spy.contestant()}, kSuggestTasks), spy.finder(), {});
  spy.whole = true;
  const Evaluation whole = evaluate(collection, suggest_plan({spy.contestant()}, kSuggestTasks), spy.finder(), {});
  for (const Task task : kSuggestTasks) {
    for (const std::string_view metric : metrics_of(task)) {
      EXPECT_EQ(cell_of(apart, "spy", metric).values, cell_of(whole, "spy, vectors only", metric).values);
      EXPECT_EQ(cell_of(apart, "spy, whole", metric).values, cell_of(whole, "spy", metric).values);
    }
  }
}

TEST(EvaluateSuggestions, TheSplitIsTheInductiveOne) {
  const Collection collection = three_fields();
  Spy spy;
  std::vector<std::vector<std::uint64_t>> lengths;  // of the documents that each training saw
  spy.seen = [&](const Corpus& corpus, const Options& options) {
    EXPECT_EQ(options.integer("neighbours"), 0) << "hidden documents have none";
    EXPECT_EQ(corpus.documents(), 270u);
    auto& all = lengths.emplace_back();
    for (std::size_t i = 0; i < corpus.documents(); ++i) all.push_back(corpus.counts.length(i));
  };
  const auto options = suggest_plan({spy.contestant()}, {Task::InductiveLinks, Task::SuggestLinks}, 2);
  evaluate(collection, options, spy.finder(), {});
  ASSERT_EQ(lengths.size(), 4u);
  EXPECT_EQ(lengths[0], lengths[1]);
  EXPECT_EQ(lengths[2], lengths[3]);
  EXPECT_NE(lengths[0], lengths[2]);
}

TEST(EvaluateSuggestions, HiddenDocumentsNeverAreCandidates) {
  // Each document has a twin with the same words, and is in a group with it alone. A hidden document whose twin is seen
  // has it first; one whose twin is hidden too is not asked for, and nobody is offered itself.
  const TempFolder folder;
  std::string lines;
  for (int i = 0; i < 200; ++i) {
    const std::string word = "word" + std::string(1, static_cast<char>('a' + i / 2 % 26)) +
                             std::string(1, static_cast<char>('a' + i / 52)) + "x";
    lines += "{\"id\": \"d" + std::to_string(i) + "\", \"text\": \"" + word + " " + word + "\", \"groups\": [\"g" +
             std::to_string(i / 2) + "\"]}\n";
  }
  folder.write("documents.jsonl", lines);
  const Collection collection = read_collection(folder.path(), {}, {});
  EvaluateOptions options = suggest_plan({ranker("tfidf"), ranker("bm25")}, {Task::SuggestLinks});
  options.words = {1, 1};
  for (const Cell& cell : evaluate(collection, options, {}).cells) {
    EXPECT_EQ(cell.values, (std::vector<double>{1, 1})) << cell.contestant << " " << cell.metric << cell.failure;
  }
}

TEST(EvaluateSuggestions, RankersHaveNoVectorsToJudge) {
  const Collection collection = three_fields();
  const Evaluation found =
      evaluate(collection, suggest_plan({ranker("tfidf")}, {known_tasks().begin(), known_tasks().end()}, 1), {});
  for (const Cell& cell : found.cells) {
    EXPECT_EQ(cell.failure.find("no vectors") != std::string::npos, !is_suggesting(cell.task)) << task_name(cell.task);
    EXPECT_EQ(cell.metric == "micro_auc", !is_suggesting(cell.task));
  }
}

TEST(EvaluateSuggestions, MethodThatCannotEmbedNewDocumentsSaysSo) {
  const Collection collection = three_fields();
  Spy spy;
  spy.can_embed = false;
  const Evaluation found =
      evaluate(collection, suggest_plan({spy.contestant(), ranker("bm25")}, {Task::SuggestLinks}, 1), spy.finder(), {});
  ASSERT_EQ(found.cells.size(), 6u) << "and has one row";
  for (const Cell& cell : found.cells) {
    EXPECT_EQ(cell.failure, cell.contestant == "bm25" ? "" : "lsa cannot embed new documents");
  }
}

TEST(EvaluateSuggestions, FiguresDoNotDependOnThreads) {
  const Collection collection = three_fields();
  const Spy spy;
  const EvaluateOptions options = suggest_plan({spy.contestant(), ranker("tfidf")}, kSuggestTasks);
  const Evaluation one = evaluate(collection, options, spy.finder(), {.threads = 1, .progress = {}, .stopped = {}});
  for (const int threads : {3, 8}) {
    const Evaluation more =
        evaluate(collection, options, spy.finder(), {.threads = threads, .progress = {}, .stopped = {}});
    for (std::size_t c = 0; c < one.cells.size(); ++c) EXPECT_EQ(one.cells[c].values, more.cells[c].values);
  }
}

TEST(EvaluateSuggestions, CorpusThatLacksWhatIsAskedForIsAnError) {
  Collection collection = three_fields();
  collection.links.clear();
  const auto error_of = [&](Task task) -> std::string {
    try {
      evaluate(collection, suggest_plan({ranker("tfidf")}, {task}, 1), {});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(error_of(Task::SuggestLinks).find("suggest-links needs links"), std::string::npos);
  EXPECT_EQ(error_of(Task::SuggestLabels), "");
  collection.labels = {};
  collection.document_labels = {};
  for (int i = 0; i < 300; ++i) collection.document_labels.end_row();
  EXPECT_NE(error_of(Task::SuggestLabels).find("suggest-labels needs labels"), std::string::npos);
}

}  // namespace
}  // namespace idne
