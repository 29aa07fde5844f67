#include "methods/gvnrt.h"

#include <cmath>

#include "math/kernels.h"
#include "methods/training.h"
#include "model/tensors.h"
#include "network/walks.h"

namespace idne {
namespace {

const std::vector<OptionSpec>& gvnrt_options() {
  static const std::vector<OptionSpec> table{
      OptionSpec::whole("dim", 256, "dimensions of the space").within(1, 8192),
      OptionSpec::whole("walks", 10, "random walks from each document").within(1, 10000),
      OptionSpec::whole("walk-length", 40, "documents in a walk").within(1, 10000),
      OptionSpec::whole("window", 5, "how far apart two documents of a walk co-occur").within(1, 10000),
      OptionSpec::real("threshold", 5, "co-occurrences up to this much are dropped").within(0, 1e9),
      OptionSpec::whole("epochs", 4, "passes over the co-occurrences").within(0, 1e6),
      OptionSpec::whole("batch", 64, "co-occurrences per step, and as many zero ones").within(1, 65536),
      OptionSpec::real("learning-rate", 1e-3, "Adam's step size").within(1e-9, 10),
      OptionSpec::whole("seed", 1, "seed of all random numbers").within(0, 9e15),
  };
  return table;
}

GvnrtSettings gvnrt_settings(const Options& options) {
  GvnrtSettings settings;
  settings.dimensions = static_cast<std::size_t>(options.integer("dim"));
  settings.batch = static_cast<std::size_t>(options.integer("batch"));
  settings.learning_rate = options.real("learning-rate");
  settings.seed = static_cast<std::uint64_t>(options.integer("seed"));
  return settings;
}

WalkSettings walks_from(const Options& options) {
  WalkSettings settings;
  settings.walks = static_cast<std::size_t>(options.integer("walks"));
  settings.length = static_cast<std::size_t>(options.integer("walk-length"));
  settings.window = static_cast<std::size_t>(options.integer("window"));
  settings.threshold = options.real("threshold");
  settings.seed = static_cast<std::uint64_t>(options.integer("seed"));
  return settings;
}

/// Co-occurrences without those of documents that have no words: they could not learn, nor teach.
SparseRows training_counts(const Corpus& corpus, const WalkSettings& settings, const Run& run) {
  SparseRows all = cooccurrences(draw_walks(corpus.network, settings, run), corpus.documents(), settings, run);
  SparseRows kept;
  kept.columns = all.columns;
  for (std::size_t i = 0; i < all.rows(); ++i) {
    for (const Term& entry : all.row(i)) {
      if (!corpus.counts.row(i).empty() && !corpus.counts.row(entry.row).empty()) kept.entries.push_back(entry);
    }
    kept.offsets.push_back(kept.entries.size());
  }
  return kept;
}

/// The mean of the words' vectors.
class GvnrtEncoder : public Encoder {
 public:
  explicit GvnrtEncoder(MatrixView words) : words_(words) {}
  std::size_t dimensions() const override { return words_.columns; }
  void encode(std::span<const WordCount> words, std::span<float> out) const override {
    std::uint64_t length = 0;
    for (const WordCount& entry : words) length += entry.count;
    std::vector<Term> terms;
    terms.reserve(words.size());
    for (const WordCount& entry : words) {
      terms.push_back({entry.word, static_cast<float>(entry.count) / static_cast<float>(length)});
    }
    weighted_sum(words_.data, words_.columns, terms.data(), terms.size(), words_.columns, out.data());
  }
  std::optional<std::vector<WordTerm>> terms(std::span<const WordCount> words) const override {
    double length = 0;
    for (const WordCount& entry : words) length += entry.count;
    std::vector<WordTerm> terms;
    for (const WordCount& entry : words) terms.push_back({entry.word, entry.count / length});
    return terms;
  }

 private:
  MatrixView words_;
};

class Gvnrt : public Method {
 public:
  std::string_view name() const override { return "gvnrt"; }
  std::string_view summary() const override { return "word vectors that factorise co-occurrences on random walks"; }
  std::span<const OptionSpec> options() const override { return gvnrt_options(); }

  Model fit(const Corpus& corpus, const Options& options, const Run& run) const override {
    const GvnrtSettings settings = gvnrt_settings(options);
    const auto epochs = static_cast<std::uint64_t>(options.integer("epochs"));
    const SparseRows counts = training_counts(corpus, walks_from(options), run);
    std::vector<float> words;
    double loss;
    {
      const SavedState* saved = saved_steps(run);
      GvnrtTrainer trainer(corpus, settings, saved ? GvnrtParameters() : gvnrt_start(corpus, settings, run.threads),
                           run.threads);
      if (saved) trainer.restore(*saved);
      std::uint64_t total = 0;
      for (std::uint64_t e = 0; e < epochs; ++e) {
        const GvnrtEpoch epoch(counts, settings, e);
        const std::uint64_t before = total, done = trainer.steps_done();  // every epoch has as many steps
        total += epoch.steps();
        if (done < total) trainer.advance(epoch, done - before, epoch.steps(), epochs * epoch.steps(), run);
      }
      save_steps(run, [&] { return trainer.state(total); });
      words = trainer.parameters().words;
      loss = trainer.recent_loss();
    }
    Model model;
    ModelMaker maker(model);
    const std::size_t width = settings.dimensions;
    const GvnrtEncoder encoder({words.data(), corpus.words(), width});
    maker.set(layout::kDocumentVectors, encode_all(corpus.counts, encoder, run), corpus.documents(), width);
    maker.set(layout::kWordVectors, std::move(words), corpus.words(), width);
    if (!std::isnan(loss)) maker.info().loss = loss;
    return model;
  }

  std::unique_ptr<Encoder> encoder(const Model& model) const override {
    return std::make_unique<GvnrtEncoder>(ModelTensors(model).matrix(layout::kWordVectors));
  }
};

}  // namespace

const Method& gvnrt_method() {
  static const Gvnrt method;
  return method;
}

}  // namespace idne
