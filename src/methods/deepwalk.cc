#include "methods/network_methods.h"

namespace idne {
namespace {

std::vector<OptionSpec> walk_options(std::int64_t length, const std::vector<OptionSpec>& own) {
  std::vector<OptionSpec> table{
      OptionSpec::whole("dim", 128, "dimensions of the space").within(1, 8192),
      OptionSpec::whole("walks", 10, "random walks from each document").within(1, 1000000),
      OptionSpec::whole("walk-length", length, "documents in a walk").within(2, 10000),
      OptionSpec::whole("window", 10, "how far apart two documents of a walk are a pair, at most").within(1, 1000),
  };
  table.insert(table.end(), own.begin(), own.end());
  table.push_back(
      OptionSpec::whole("negatives", 5, "other documents that a place of a walk is told from").within(1, 1000));
  table.push_back(
      OptionSpec::real("learning-rate", 0.025, "step size, which falls to almost nothing").within(1e-9, 10));
  table.push_back(OptionSpec::whole("seed", 1, "seed of all random numbers").within(0, 9e15));
  return table;
}

/// Skip-gram on walks.
class WalkMethod : public NetworkMethod {
 protected:
  Model learn_from(const RememberingWalks& walks, const Corpus& corpus, const Options& options, const Run& run) const {
    SkipGramSettings settings;
    settings.dimensions = options.size("dim");
    settings.negatives = options.size("negatives");
    settings.learning_rate = options.real("learning-rate");
    settings.last_rate = 0.004 * settings.learning_rate;  // 0.0001 of 0.025, as word2vec has it
    const WindowSettings windows{options.size("walks"), options.size("walk-length"), options.size("window"),
                                 settings.negatives, static_cast<std::uint64_t>(options.integer("seed"))};
    const std::vector<std::uint32_t> linked = linked_documents(corpus.network);
    WalkWindows made(linked, corpus.documents(), walks, windows, run);
    const double range = 0.5 / static_cast<double>(settings.dimensions);
    return learn(corpus.documents(), linked, settings, range, windows.seed, made.steps(run), run);
  }
};

class DeepWalk : public WalkMethod {
 public:
  std::string_view name() const override { return "deepwalk"; }
  std::string_view summary() const override { return "links alone: skip-gram on random walks; no new documents"; }
  std::span<const OptionSpec> options() const override {
    static const std::vector<OptionSpec> table = walk_options(40, {});
    return table;
  }
  Model fit(const Corpus& corpus, const Options& options, const Run& run) const override {
    return learn_from({corpus.network, 1, 1}, corpus, options, run);
  }
};

class Node2vec : public WalkMethod {
 public:
  std::string_view name() const override { return "node2vec"; }
  std::string_view summary() const override {
    return "links alone: skip-gram on walks that turn back or go on; no new documents";
  }
  std::span<const OptionSpec> options() const override {
    static const std::vector<OptionSpec> table = walk_options(
        80,
        {OptionSpec::real("p", 1, "the larger, the more rarely a walk goes back where it came from").within(1e-3, 1e3),
         OptionSpec::real("q", 0.5, "the smaller, the farther it goes; above 1 it stays near").within(1e-3, 1e3)});
    return table;
  }
  Model fit(const Corpus& corpus, const Options& options, const Run& run) const override {
    return learn_from({corpus.network, options.real("p"), options.real("q")}, corpus, options, run);
  }
};

}  // namespace

const Method& deepwalk_method() {
  static const DeepWalk method;
  return method;
}

const Method& node2vec_method() {
  static const Node2vec method;
  return method;
}

}  // namespace idne
