#include "methods/graph2gauss.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/kernels.h"
#include "math/pace.h"
#include "methods/training.h"
#include "model/tensors.h"

namespace idne {
namespace {

constexpr std::size_t kValidationPairs = 512;  // links, and as many pairs that are none
constexpr std::size_t kLeastValidation = 16;   // fewer say nothing
constexpr std::uint64_t kRoundsBetween = 10;   // validations

const std::vector<OptionSpec>& graph2gauss_options() {
  static const std::vector<OptionSpec> table{
      OptionSpec::whole("dim", 256, "dimensions of the space: of means, and as many of variances").within(1, 8192),
      OptionSpec::whole("hidden", 512, "width of the hidden layer").within(1, 65536),
      OptionSpec::whole("hops", 2, "distances that are ranked: 1 … this many links, and farther").within(1, 16),
      OptionSpec::whole("rounds", 2000, "training rounds at most").within(0, 1e9),
      OptionSpec::whole("patience", 100, "rounds without a better ranking of held-out links before it stops")
          .within(1, 1e9),
      OptionSpec::real("held-out", 0.1, "share of links held out to know when to stop; 0: all rounds are run")
          .within(0, 0.5),
      OptionSpec::whole("batch", 64, "documents per round, each with one at every distance").within(1, 1e6),
      OptionSpec::real("learning-rate", 1e-3, "Adam's step size").within(1e-9, 10),
      OptionSpec::whole("seed", 1, "seed of all random numbers").within(0, 9e15),
  };
  return table;
}

Graph2GaussSettings graph2gauss_settings(const Options& options) {
  Graph2GaussSettings settings;
  settings.dimensions = static_cast<std::size_t>(options.integer("dim"));
  settings.hidden = static_cast<std::size_t>(options.integer("hidden"));
  settings.hops = static_cast<std::size_t>(options.integer("hops"));
  settings.batch = static_cast<std::size_t>(options.integer("batch"));
  settings.learning_rate = options.real("learning-rate");
  settings.held_out = options.real("held-out");
  settings.seed = static_cast<std::uint64_t>(options.integer("seed"));
  return settings;
}

/// How often a held-out link has a lower energy than a pair that is no link; ties count half.
class Validation {
 public:
  explicit Validation(const HopSampler& sampler) : pairs_(sampler.held_out_links(kValidationPairs)) {
    links_ = pairs_.size();
    const auto others = sampler.unlinked_pairs(links_);
    pairs_.insert(pairs_.end(), others.begin(), others.end());
  }
  bool possible() const { return links_ >= kLeastValidation && pairs_.size() - links_ >= kLeastValidation; }
  double score(Graph2GaussTrainer& trainer) const {
    const std::vector<double> energies = trainer.energies(pairs_);
    double right = 0;
    for (std::size_t a = 0; a < links_; ++a) {
      for (std::size_t b = links_; b < energies.size(); ++b) {
        right += energies[a] < energies[b] ? 1 : energies[a] == energies[b] ? 0.5 : 0;
      }
    }
    return right / static_cast<double>(links_) / static_cast<double>(energies.size() - links_);
  }

 private:
  std::vector<DocumentPair> pairs_;
  std::size_t links_;
};

struct Trained {
  Graph2GaussParameters parameters;
  std::uint64_t rounds = 0;  ///< after which the parameters were taken
  double loss = std::nan("");
};

/// The arrays of parameters by name.
constexpr std::array<std::pair<const char*, std::vector<float> Graph2GaussParameters::*>, 6> kBest{
    {{"best.words", &Graph2GaussParameters::words},
     {"best.hidden_bias", &Graph2GaussParameters::hidden_bias},
     {"best.means", &Graph2GaussParameters::mean},
     {"best.mean_bias", &Graph2GaussParameters::mean_bias},
     {"best.variances", &Graph2GaussParameters::variance},
     {"best.variance_bias", &Graph2GaussParameters::variance_bias}}};

/// Rounds of training, until held-out links are no longer ranked better.
class GaussRounds {
 public:
  GaussRounds(const Corpus& corpus, const Graph2GaussSettings& settings, std::uint64_t rounds, std::uint64_t patience,
              const Run& run)
      : run_(run),
        rounds_(rounds),
        patience_(patience),
        sampler_(corpus, settings, run),
        validation_(sampler_),
        trainer_(corpus, settings, graph2gauss_start(corpus.words(), settings, run.threads), run.threads),
        best_{trainer_.parameters()} {
    if (const SavedState* saved = saved_steps(run)) restore(*saved);
  }

  Trained train() && {
    if (sampler_.empty()) return std::move(best_);
    Pace pace;
    while (done_ < rounds_ && !given_up_) {
      save_or_stop(run_, [&] { return state(); });
      const double loss = trainer_.advance(sampler_.round(++done_));
      if (pace.due() || done_ == rounds_) run_.report({"training", done_, rounds_, loss});
      judge(loss);
    }
    save_steps(run_, [&] { return state(); });
    return std::move(best_);
  }

 private:
  void judge(double loss) {
    if (!validation_.possible()) {
      if (done_ == rounds_) best_ = {trainer_.parameters(), done_, loss};
      return;
    }
    if (done_ % kRoundsBetween != 0 && done_ != rounds_) return;
    if (const double score = validation_.score(trainer_); score > best_score_) {
      best_score_ = score;
      best_ = {trainer_.parameters(), done_, loss};
    } else {
      given_up_ = done_ - best_.rounds >= patience_;
    }
  }

  SavedState state() const {
    SavedState state = steps_state(done_, rounds_, "rounds");
    trainer_.save(state);
    state.set_number("done", done_);
    state.set_number("given_up", given_up_ ? 1 : 0);
    state.set_number("best.rounds", best_.rounds);
    state.set("best.score_and_loss", std::vector{best_score_, best_.loss});
    for (const auto& [name, values] : kBest) state.set(name, best_.parameters.*values);
    return state;
  }

  void restore(const SavedState& state) {
    trainer_.restore(state);
    done_ = state.number("done");
    given_up_ = state.number("given_up") != 0;
    best_.rounds = state.number("best.rounds");
    const std::vector<double> both = state.reals("best.score_and_loss");
    if (both.size() != 2) throw Error("the checkpoint does not fit this run: it has no score");
    best_score_ = both[0];
    best_.loss = both[1];
    for (const auto& [name, values] : kBest) {
      std::vector<float>& own = best_.parameters.*values;
      std::ranges::copy(state.floats(name, own.size()), own.begin());
    }
  }

  const Run& run_;
  const std::uint64_t rounds_, patience_;
  const HopSampler sampler_;
  const Validation validation_;
  Graph2GaussTrainer trainer_;
  Trained best_;
  double best_score_ = -1;
  std::uint64_t done_ = 0;
  bool given_up_ = false;
};

/// The mean of a document's Gaussian.
class Graph2GaussEncoder : public Encoder {
 public:
  Graph2GaussEncoder(MatrixView words, std::span<const float> hidden_bias, MatrixView mean,
                     std::span<const float> mean_bias, std::span<const float> idf)
      : words_(words), hidden_bias_(hidden_bias), mean_(mean), mean_bias_(mean_bias), idf_(idf) {}
  std::size_t dimensions() const override { return mean_.columns; }
  void encode(std::span<const WordCount> words, std::span<float> out) const override {
    std::fill(out.begin(), out.end(), 0.0f);
    if (words.empty()) return;
    double square = 0;
    for (const WordCount& entry : words) square += std::pow(static_cast<double>(entry.count) * idf_[entry.word], 2);
    const double scale = square > 0 ? 1 / std::sqrt(square) : 0;
    std::vector<Term> terms;
    for (const WordCount& entry : words) {
      terms.push_back({entry.word, static_cast<float>(entry.count * scale * idf_[entry.word])});
    }
    std::vector<float> hidden(words_.columns);
    weighted_sum(words_.data, words_.columns, terms.data(), terms.size(), words_.columns, hidden.data());
    terms.clear();
    for (std::uint32_t k = 0; k < hidden.size(); ++k) {
      if (const float h = hidden[k] + hidden_bias_[k]; h > 0) terms.push_back({k, h});
    }
    weighted_sum(mean_.data, mean_.columns, terms.data(), terms.size(), mean_.columns, out.data());
    for (std::size_t k = 0; k < out.size(); ++k) out[k] += mean_bias_[k];
  }

 private:
  MatrixView words_;
  std::span<const float> hidden_bias_;
  MatrixView mean_;
  std::span<const float> mean_bias_, idf_;
};

class Graph2Gauss : public Method {
 public:
  std::string_view name() const override { return "graph2gauss"; }
  std::string_view summary() const override {
    return "a Gaussian from a document's words, ranked by distance in links";
  }
  std::span<const OptionSpec> options() const override { return graph2gauss_options(); }

  Model fit(const Corpus& corpus, const Options& options, const Run& run) const override {
    const Graph2GaussSettings settings = graph2gauss_settings(options);
    Trained trained = GaussRounds(corpus, settings, static_cast<std::uint64_t>(options.integer("rounds")),
                                  static_cast<std::uint64_t>(options.integer("patience")), run)
                          .train();
    Graph2GaussParameters& weights = trained.parameters;
    const std::size_t hidden = settings.hidden, width = settings.dimensions;
    Model model;
    ModelMaker maker(model);
    maker.set(layout::kHiddenWeights, std::move(weights.words), corpus.words(), hidden);
    maker.set(layout::kHiddenBias, std::move(weights.hidden_bias));
    maker.set(layout::kMeanWeights, std::move(weights.mean), hidden, width);
    maker.set(layout::kMeanBias, std::move(weights.mean_bias));
    maker.set(layout::kWordIdf, graph2gauss_input(corpus).idf);
    maker.set(layout::kDocumentVectors, encode_all(corpus.counts, *encoder(model), run), corpus.documents(), width);
    maker.info().rounds = trained.rounds;
    if (!std::isnan(trained.loss)) maker.info().loss = trained.loss;
    return model;
  }

  std::unique_ptr<Encoder> encoder(const Model& model) const override {
    const ModelTensors tensors(model);
    const MatrixView words = tensors.matrix(layout::kHiddenWeights), mean = tensors.matrix(layout::kMeanWeights);
    const auto hidden_bias = tensors.floats(layout::kHiddenBias), mean_bias = tensors.floats(layout::kMeanBias);
    const auto idf = tensors.floats(layout::kWordIdf);
    if (hidden_bias.size() != words.columns || mean.rows != words.columns || mean_bias.size() != mean.columns ||
        idf.size() != words.rows) {
      throw Error("this model's layers do not fit together");
    }
    return std::make_unique<Graph2GaussEncoder>(words, hidden_bias, mean, mean_bias, idf);
  }
};

}  // namespace

const Method& graph2gauss_method() {
  static const Graph2Gauss method;
  return method;
}

}  // namespace idne
