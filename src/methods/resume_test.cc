#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <set>

#include "idne/checkpoint.h"
#include "method_checks.h"
#include "methods/training.h"
#include "small_corpus.h"
#include "temp_folder.h"

namespace idne {
namespace {

using namespace std::chrono_literals;

void expect_same_model(const Model& a, const Model& b) {
  EXPECT_EQ(a.info(), b.info());
  const auto &first = ModelTensors(a).all(), &second = ModelTensors(b).all();
  ASSERT_EQ(first.size(), second.size());
  for (const auto& [name, tensor] : first) {
    ASSERT_TRUE(second.contains(name)) << name;
    EXPECT_EQ(tensor.shape, second.at(name).shape) << name;
    EXPECT_TRUE(std::ranges::equal(tensor.bytes, second.at(name).bytes)) << name;
  }
}

/// Stops a training as soon as it has begun, then again and again, each time later, and goes on with another number of
/// threads.
struct Interrupting {
  explicit Interrupting(const Method& method, const Corpus& corpus, const Options& options) {
    const TempFolder folder;
    const auto file = folder.path("r.ck");
    for (int stop_after = 1;; stop_after += 1 + stop_after / 8) {
      const bool begun = std::filesystem::exists(file);
      Checkpoint checkpoint(file, begun ? 1h : 0s);
      if (begun) {
        checkpoint.resume_from(file);
        resumed.insert(checkpoint.how_far());
      }
      checkpoint.begin({});
      std::atomic<int> asked{0};
      Run run;
      run.threads = 1 + stop_after % 3;
      run.stopped = [&] { return begun ? ++asked > stop_after : std::filesystem::exists(file); };
      run.checkpoint = &checkpoint;
      try {
        model = method.fit(corpus, options, run);
        break;
      } catch (const Interrupted&) {
      }
    }
    EXPECT_EQ(folder.entries(), 1u);
  }
  Model model;
  std::set<std::string> resumed;  ///< how far it had come each time
};

struct ResumeCase {
  const char* method;
  std::vector<std::pair<const char*, const char*>> options;
};

class Resume : public testing::TestWithParam<ResumeCase> {};

TEST_P(Resume, EndsWithTheBitsOfATrainingThatNobodyInterrupted) {
  const Method& method = find_method(GetParam().method);
  const Corpus corpus = small_corpus(60, 50, 3);
  Options options(method.options());
  for (const auto& [name, value] : GetParam().options) options.set(name, value);
  const Interrupting interrupted(method, corpus, options);
  EXPECT_GT(interrupted.resumed.size(), 3u);
  expect_same_model(method.fit(corpus, options, with_threads(2)), interrupted.model);
}

INSTANTIATE_TEST_SUITE_P(
    Methods, Resume,
    testing::Values(ResumeCase{"idne", {{"preset", "paper"}, {"dim", "130"}, {"steps", "400"}, {"topics", "3"}}},
                    ResumeCase{"idne", {{"dim", "130"}, {"steps", "400"}, {"batch", "8"}}},
                    ResumeCase{"idne", {{"dim", "70"}, {"steps", "300"}, {"attention", "softmax"}, {"start", "text"}}},
                    ResumeCase{"gvnrt", {{"dim", "130"}, {"epochs", "6"}, {"threshold", "1"}, {"batch", "16"}}},
                    ResumeCase{
                        "graph2gauss",
                        {{"dim", "70"}, {"hidden", "70"}, {"rounds", "60"}, {"patience", "20"}, {"batch", "16"}}},
                    ResumeCase{"graph2gauss", {{"dim", "8"}, {"hidden", "8"}, {"rounds", "40"}, {"held-out", "0"}}},
                    ResumeCase{"cane", {{"dim", "20"}, {"steps", "60"}, {"batch", "8"}}},
                    ResumeCase{"idne", {{"dim", "70"}, {"steps", "500"}, {"similarity", "simrank"}}},
                    ResumeCase{"node2vec", {{"dim", "130"}, {"walks", "80"}, {"walk-length", "5"}, {"window", "2"}}},
                    ResumeCase{"verse", {{"dim", "130"}, {"pairs", "1000"}}}),
    [](const auto& info) { return fmt::format("{}_{}", info.param.method, info.index); });

TEST(Resuming, DoesNotMakeTheStartAgain) {
  const Corpus corpus = small_corpus(60, 50, 3);
  const Method& method = find_method("idne");
  const Options options = options_with(method, {{"dim", "64"}, {"steps", "0"}, {"preset", "paper"}});
  const TempFolder folder;
  const auto file = folder.path("r.ck");
  Checkpoint checkpoint(file, 1h);
  checkpoint.begin({});
  idne::Run run;
  run.checkpoint = &checkpoint;
  method.fit(corpus, options, run);
  // Vectors that no start would give show where they come from.
  Checkpoint changed(file, 1h);
  changed.resume_from(file);
  changed.begin({});
  SavedState state = *changed.saved(kSteps);
  state.set("words", std::vector<float>(50 * 64, 0.5f));
  changed.save(state);
  Checkpoint resumed(file, 1h);
  resumed.resume_from(file);
  resumed.begin({});
  run.checkpoint = &resumed;
  const Model model = method.fit(corpus, options, run);
  EXPECT_EQ(model.word_vectors().row(7)[3], 0.5f);
}

TEST(Resuming, AStateThatDoesNotFitTheTrainingIsAnError) {
  for (const char* name : {"idne", "gvnrt", "graph2gauss", "cane", "deepwalk", "verse"}) {
    const Method& method = find_method(name);
    const Options options = options_with(method, {{"dim", "8"}});
    const TempFolder folder;
    const auto file = folder.path("r.ck");
    Checkpoint checkpoint(file, 1h);
    checkpoint.begin({});
    checkpoint.save(SavedState(kSteps, "some steps"));
    checkpoint.resume_from(file);
    idne::Run run;
    run.checkpoint = &checkpoint;
    EXPECT_THROW(method.fit(small_corpus(60, 50, 3), options, run), Error) << name;
  }
}

}  // namespace
}  // namespace idne
