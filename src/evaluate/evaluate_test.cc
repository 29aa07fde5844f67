#include "evaluate/evaluate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "evaluate/test_evaluations.h"
#include "model/tensors.h"

namespace idne {
namespace {

Options set(const Method& method, const std::vector<std::pair<std::string, std::string>>& values) {
  Options options(training_options(method));
  for (const auto& [name, value] : values) options.set(name, value);
  return options;
}

Contestant lsa(std::size_t neighbours = 0) {
  return {"lsa", "lsa", set(find_method("lsa"), {{"dim", "8"}, {"neighbours", std::to_string(neighbours)}})};
}
Contestant small_idne() {
  return {"idne", "idne",
          set(find_method("idne"), {{"dim", "16"}, {"steps", "300"}, {"topics", "4"}, {"learning-rate", "0.02"}})};
}

const std::vector<Task> kAllTasks{Task::Classification, Task::InductiveClassification, Task::InductiveLinks};

EvaluateOptions plan(std::vector<Contestant> contestants, std::vector<Task> tasks, std::size_t repeats = 2) {
  EvaluateOptions options;
  options.contestants = std::move(contestants);
  options.tasks = std::move(tasks);
  options.ratios = {0.1};
  options.repeats = repeats;
  return options;
}

idne::Run with_threads(int threads) { return {.threads = threads, .progress = {}, .stopped = {}}; }

/// A document's vector is how many words of the first, the second and the last third of the vocabulary it has.
void count_thirds(std::span<const WordCount> words, std::size_t vocabulary, std::span<float> out) {
  for (float& x : out) x = 0;
  for (const WordCount& entry : words) out[entry.word * 3 / vocabulary] += static_cast<float>(entry.count);
}

/// A method that a test can spoil: `seen` gets each corpus and seed, `spoil` each vector that is made.
class Fake : public Method {
 public:
  std::function<void(const Corpus&, std::int64_t seed)> seen = [](const Corpus&, std::int64_t) {};
  std::function<void(std::span<float>)> spoil_document = [](std::span<float>) {}, spoil_hidden = spoil_document;
  std::function<void()> before_encoder = [] {};
  bool documents_are_texts = true;

  std::string_view name() const override { return "fake"; }
  std::string_view summary() const override { return ""; }
  std::span<const OptionSpec> options() const override {
    static const std::vector<OptionSpec> table{OptionSpec::whole("seed", 5, "").within(0, 1e9)};
    return table;
  }
  Model fit(const Corpus& corpus, const Options& options, const idne::Run&) const override {
    seen(corpus, options.integer("seed"));
    std::vector<float> vectors(corpus.documents() * 3);
    for (std::size_t i = 0; i < corpus.documents(); ++i) {
      const std::span<float> row(vectors.data() + i * 3, 3);
      count_thirds(corpus.counts.row(i), corpus.words(), row);
      spoil_document(row);
    }
    Model model;
    ModelMaker maker(model);
    maker.set(layout::kDocumentVectors, std::move(vectors), corpus.documents(), 3);
    maker.info().rounds = corpus.words();
    return model;
  }
  std::unique_ptr<Encoder> encoder(const Model& model) const override {
    before_encoder();
    return std::make_unique<Thirds>(*this, *model.info().rounds);
  }
  Contestant contestant() const { return {"fake", "fake", Options(options())}; }
  /// Finds this one, and those that there are.
  MethodFinder finder() const {
    return [this](std::string_view method) -> const Method& { return method == "fake" ? *this : find_method(method); };
  }

 private:
  struct Thirds : Encoder {
    Thirds(const Fake& fake, std::size_t words) : fake(fake), words(words) {}
    std::size_t dimensions() const override { return 3; }
    void encode(std::span<const WordCount> document, std::span<float> out) const override {
      count_thirds(document, words, out);
      fake.spoil_hidden(out);
    }
    bool documents_are_texts() const override { return fake.documents_are_texts; }
    const Fake& fake;
    std::size_t words;
  };
};

TEST(Evaluate, FindsPlantedStructure) {
  const Collection collection = three_fields();
  const Evaluation found = evaluate(collection, plan({lsa(), small_idne()}, kAllTasks), {});
  EXPECT_EQ(found.documents, 300u);
  EXPECT_EQ(found.links, collection.links.size());
  EXPECT_EQ(found.labels, 3u);
  EXPECT_EQ(found.labelled, 300u);
  EXPECT_FALSE(found.several_labels);
  EXPECT_FALSE(found.interrupted);
  ASSERT_EQ(found.cells.size(), 6u);
  for (const Cell& cell : found.cells) {
    EXPECT_EQ(cell.failure, "");
    ASSERT_EQ(cell.values.size(), 2u);
    EXPECT_GT(cell.mean(), cell.task == Task::InductiveLinks ? 0.65 : 0.9) << cell.contestant << task_name(cell.task);
    EXPECT_LT(cell.mean(), 1);
  }
}

TEST(Evaluate, FiguresDoNotDependOnThreads) {
  const Collection collection = three_fields();
  const EvaluateOptions options = plan({lsa(1), small_idne()}, kAllTasks, 3);
  const Evaluation one = evaluate(collection, options, with_threads(1));
  for (const int threads : {2, 3}) {
    const Evaluation more = evaluate(collection, options, with_threads(threads));
    ASSERT_EQ(one.cells.size(), more.cells.size());
    for (std::size_t c = 0; c < one.cells.size(); ++c) {
      EXPECT_EQ(one.cells[c].contestant, more.cells[c].contestant);
      EXPECT_EQ(one.cells[c].values, more.cells[c].values) << threads << " threads, cell " << c;
    }
  }
}

TEST(Evaluate, SeedChangesTheSplitsAndContestantsShareThem) {
  const Collection collection = three_fields();
  const Fake fake;
  Contestant twin = fake.contestant();
  twin.name = "twin";
  EvaluateOptions options = plan({fake.contestant(), twin}, {Task::Classification, Task::InductiveLinks}, 3);
  const Evaluation first = evaluate(collection, options, fake.finder(), {});
  ASSERT_EQ(first.cells.size(), 4u);
  EXPECT_EQ(first.cells[0].values, first.cells[2].values);
  EXPECT_EQ(first.cells[1].values, first.cells[3].values);
  EXPECT_NE(first.cells[0].values[0], first.cells[0].values[1]);  // each repeat has a split of its own
  options.seed = 2;
  EXPECT_NE(evaluate(collection, options, fake.finder(), {}).cells[0].values, first.cells[0].values);
}

TEST(Evaluate, NeighboursHaveARowBesideTextAlone) {
  const Collection collection = three_fields();
  const Evaluation found = evaluate(collection, plan({lsa(2)}, kAllTasks), {});
  ASSERT_EQ(found.cells.size(), 4u);
  EXPECT_EQ(found.cells[0].contestant, "lsa");
  EXPECT_EQ(found.cells[3].contestant, "lsa, text only");
  EXPECT_EQ(found.cells[3].task, Task::Classification);
  EXPECT_NE(found.cells[0].values, found.cells[3].values);
  const Evaluation plain = evaluate(collection, plan({lsa()}, kAllTasks), {});
  ASSERT_EQ(plain.cells.size(), 3u);
  EXPECT_EQ(plain.cells[0].values, found.cells[3].values);  // text alone is what it is without neighbours
  EXPECT_EQ(plain.cells[1].values, found.cells[1].values);  // and hidden documents have none
}

TEST(Evaluate, RatiosFollowTheNumberOfLabels) {
  Collection collection = three_fields();
  const Fake fake;
  EvaluateOptions options = plan({fake.contestant()}, {Task::Classification}, 1);
  options.ratios = {};
  const Evaluation single = evaluate(collection, options, fake.finder(), {});
  ASSERT_EQ(single.cells.size(), 5u);
  EXPECT_EQ(single.cells[0].ratio, 0.02);
  EXPECT_EQ(single.cells[4].ratio, 0.1);

  const auto odd = static_cast<std::int32_t>(collection.labels.add("odd"));
  Lists labels;
  for (std::size_t i = 0; i < 300; ++i) {
    for (const std::int32_t label : collection.document_labels.row(i)) labels.values.push_back(label);
    if (i % 2) labels.values.push_back(odd);
    labels.end_row();
  }
  collection.document_labels = labels;
  const Evaluation several = evaluate(collection, options, fake.finder(), {});
  EXPECT_TRUE(several.several_labels);
  EXPECT_EQ(several.labels, 4u);
  ASSERT_EQ(several.cells.size(), 5u);
  EXPECT_EQ(several.cells[0].ratio, 0.1);
  EXPECT_EQ(several.cells[4].ratio, 0.5);
  for (const Cell& cell : several.cells) EXPECT_EQ(cell.failure, "");
}

TEST(Evaluate, HiddenDocumentsAreNotInTheCorpusThatIsLearnt) {
  const Collection collection = three_fields();
  Fake fake;
  std::multiset<std::int64_t> seeds;
  fake.seen = [&](const Corpus& corpus, std::int64_t seed) {
    seeds.insert(seed);
    EXPECT_EQ(corpus.documents(), 270u);
    EXPECT_EQ(corpus.network.documents(), 270u);
    EXPECT_LT(corpus.network.links(), collection.links.size());
    std::vector<std::uint64_t> counts(corpus.words());
    for (std::size_t i = 0; i < corpus.documents(); ++i) {
      for (const WordCount& entry : corpus.counts.row(i)) counts[entry.word] += entry.count;
    }
    EXPECT_EQ(counts, corpus.vocabulary.counts);  // words are counted in what is left
  };
  const auto found =
      evaluate(collection, plan({fake.contestant()}, {Task::InductiveClassification}, 3), fake.finder(), {});
  EXPECT_EQ(found.cells.at(0).values.size(), 3u);
  EXPECT_EQ(seeds, (std::multiset<std::int64_t>{5, 6, 7}));  // a seed of its own for each repeat
}

std::string error_of(const Collection& collection, const std::vector<Task>& tasks) {
  const Fake fake;
  try {
    evaluate(collection, plan({fake.contestant()}, tasks, 1), fake.finder(), {});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Evaluate, HiddenDocumentsAreClassifiedByVectorsOfTheirForm) {
  const Collection collection = three_fields();
  Fake fake;
  const auto values = [&] {
    return evaluate(collection, plan({fake.contestant()}, {Task::InductiveClassification}), fake.finder(), {})
        .cells.at(0)
        .values;
  };
  const std::vector<double> right = values();
  fake.spoil_document = [](std::span<float> row) { std::ranges::reverse(row); };  // of the network; new ones are not
  EXPECT_NE(values(), right);
  fake.documents_are_texts = false;
  EXPECT_EQ(values(), right);
}

TEST(Evaluate, CorpusWithoutLabelsIsAnErrorThatSaysSo) {
  Collection collection = three_fields();
  collection.labels = {};
  collection.document_labels = {};
  for (int i = 0; i < 300; ++i) collection.document_labels.end_row();
  EXPECT_NE(error_of(collection, {Task::Classification}).find("needs labels"), std::string::npos);
  EXPECT_NE(error_of(collection, {Task::InductiveClassification}).find("needs labels"), std::string::npos);
  EXPECT_EQ(error_of(collection, {Task::InductiveLinks}), "");
}

TEST(Evaluate, CorpusWithoutLinksIsAnErrorThatSaysSo) {
  Collection collection = three_fields();
  collection.links.clear();
  EXPECT_NE(error_of(collection, kAllTasks).find("needs links"), std::string::npos);
  EXPECT_EQ(error_of(collection, {Task::Classification, Task::InductiveClassification}), "");
}

TEST(Evaluate, MethodThatCannotEmbedNewDocumentsFailsInInductiveTasksAlone) {
  const Collection collection = three_fields();
  Fake fake;
  fake.before_encoder = [] { throw Error("fake: not inductive"); };
  for (const bool late : {false, true}) {
    if (late) {
      fake.before_encoder = [] {};
      fake.spoil_hidden = [](std::span<float>) { throw Error("fake: not inductive"); };
    }
    const Evaluation found =
        evaluate(collection, plan({fake.contestant(), lsa()}, kAllTasks), fake.finder(), with_threads(2));
    ASSERT_EQ(found.cells.size(), 6u);
    for (const Cell& cell : found.cells) {
      const bool fails = cell.contestant == "fake" && cell.task != Task::Classification;
      EXPECT_EQ(cell.failure, fails ? "fake: not inductive" : "") << cell.contestant << task_name(cell.task);
      EXPECT_EQ(cell.values.size(), fails ? 0u : 2u);
    }
    EXPECT_FALSE(found.interrupted);
  }
}

TEST(Evaluate, OneFailedRepeatIsAFailure) {
  const Collection collection = three_fields();
  Fake fake;
  fake.seen = [](const Corpus&, std::int64_t seed) {
    if (seed == 6) throw Error("diverged");
  };
  const Evaluation found =
      evaluate(collection, plan({fake.contestant()}, {Task::Classification}, 3), fake.finder(), {});
  EXPECT_EQ(found.cells.at(0).failure, "diverged");
  EXPECT_TRUE(found.cells.at(0).values.empty());
}

TEST(Evaluate, VectorsThatAreNotNumbersAreAFailureNotAFigure) {
  const Collection collection = three_fields();
  for (const float bad : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
    for (const int every : {1, 100}) {  // all vectors, or a few
      Fake fake;
      std::atomic<int> n{0};
      fake.spoil_document = fake.spoil_hidden = [&](std::span<float> row) {
        if (n++ % every == 0) row[1] = bad;
      };
      const std::vector<Task> tasks =
          every == 1 ? kAllTasks : std::vector{Task::Classification, Task::InductiveClassification};
      const Evaluation found = evaluate(collection, plan({fake.contestant()}, tasks, 1), fake.finder(), {});
      for (const Cell& cell : found.cells) {
        EXPECT_NE(cell.failure.find("not numbers"), std::string::npos) << task_name(cell.task) << " " << every;
        EXPECT_TRUE(cell.values.empty());
      }
    }
  }
}

TEST(Evaluate, InterruptionReturnsWhatIsDone) {
  const Collection collection = three_fields();
  std::atomic<bool> stop{false};
  Fake fake;
  fake.seen = [&](const Corpus&, std::int64_t seed) { stop = seed == 7; };  // during the third repeat
  const Evaluation found = evaluate(collection, plan({fake.contestant()}, {Task::Classification}, 5), fake.finder(),
                                    {.threads = 1, .progress = {}, .stopped = [&] { return stop.load(); }});
  EXPECT_TRUE(found.interrupted);
  EXPECT_EQ(found.repeats, 5u);
  EXPECT_EQ(found.cells.at(0).values.size(), 2u);
  EXPECT_EQ(found.cells.at(0).failure, "");

  const Evaluation nothing = evaluate(collection, plan({fake.contestant()}, {Task::Classification}, 2), fake.finder(),
                                      {.threads = 2, .progress = {}, .stopped = [] { return true; }});
  EXPECT_TRUE(nothing.interrupted);
  EXPECT_TRUE(nothing.cells.at(0).values.empty());
  EXPECT_NE(nothing.cells.at(0).failure, "");
}

TEST(Tasks, AreFoundByTheirNames) {
  for (const Task task : kAllTasks) EXPECT_EQ(find_task(task_name(task)), task);
  try {
    find_task("guessing");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("inductive-links"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace idne
