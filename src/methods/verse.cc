#include <algorithm>
#include <cmath>

#include "methods/network_methods.h"

namespace idne {
namespace {

constexpr std::uint64_t kPairsPerStep = 256;

const std::vector<OptionSpec>& verse_options() {
  static const std::vector<OptionSpec> table{
      OptionSpec::whole("dim", 128, "dimensions of the space").within(1, 8192),
      OptionSpec::whole("pairs", 2000, "like documents drawn for each document").within(1, 1e9),
      OptionSpec::real("go-on", 0.85, "probability of one more hop, before each: PageRank's damping").within(0, 0.999),
      OptionSpec::whole("negatives", 3, "documents drawn uniformly for each like one").within(1, 1000),
      OptionSpec::real("learning-rate", 0.005, "step size").within(1e-9, 10),
      OptionSpec::whole("seed", 1, "seed of all random numbers").within(0, 9e15),
  };
  return table;
}

class Verse : public NetworkMethod {
 public:
  std::string_view name() const override { return "verse"; }
  std::string_view summary() const override {
    return "links alone: personalised PageRank as likeness; no new documents";
  }
  std::span<const OptionSpec> options() const override { return verse_options(); }

  Model fit(const Corpus& corpus, const Options& options, const Run& run) const override {
    const Network& network = corpus.network;
    const std::vector<std::uint32_t> linked = linked_documents(network);
    const auto all = static_cast<std::uint32_t>(linked.size());
    SkipGramSettings settings;
    settings.dimensions = options.size("dim");
    settings.negatives = options.size("negatives");
    settings.learning_rate = settings.last_rate = options.real("learning-rate");
    settings.one_space = true;
    // Noise is uniform: a document is as likely as 1/N there, and `negatives` times that among the noise of a pair.
    settings.true_bias = std::log(static_cast<double>(all));
    settings.noise_bias = std::log(static_cast<double>(all) / static_cast<double>(settings.negatives));
    const auto seed = static_cast<std::uint64_t>(options.integer("seed"));
    const double go_on = options.real("go-on");
    const std::uint64_t pairs = options.size("pairs") * linked.size();
    // All documents that a walk meets, from its start on: as likely, taken together, as its end.
    const auto make = [&](std::uint64_t step, SkipGramStep& out) {
      out.clear();
      Random random(seed, Purpose::Restarts, step);
      std::uint32_t from = 0, at = 0;
      bool goes_on = false;
      for (std::uint64_t n = step * kPairsPerStep; n < std::min(pairs, (step + 1) * kPairsPerStep); ++n) {
        if (goes_on) {
          at = network.draw_neighbour(at, random);
        } else {
          from = at = linked[random.below(all)];
        }
        goes_on = random.uniform() < go_on;
        out.inputs.push_back(from);
        out.outputs.push_back(at);
        for (std::size_t k = 0; k < settings.negatives; ++k) out.outputs.push_back(linked[random.below(all)]);
        out.end_window();
      }
    };
    const double range = 1 / std::sqrt(static_cast<double>(settings.dimensions));
    return learn(corpus.documents(), linked, settings, range, seed,
                 {(pairs + kPairsPerStep - 1) / kPairsPerStep, make, UINT64_MAX, {}}, run);
  }
};

}  // namespace

const Method& verse_method() {
  static const Verse method;
  return method;
}

}  // namespace idne
