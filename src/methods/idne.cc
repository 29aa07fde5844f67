#include "methods/idne.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "idne/error.h"
#include "math/buffer.h"
#include "math/kernels.h"
#include "math/random.h"
#include "methods/attention.h"
#include "methods/idne_start.h"
#include "methods/idne_trainer.h"
#include "methods/topic_fit.h"
#include "methods/training.h"
#include "model/tensors.h"
#include "text/families.h"

namespace idne {
namespace {

constexpr std::int64_t kAutomatic = 0;  // of --topics

const std::vector<OptionSpec>& idne_options() {
  static const std::vector<OptionSpec> table{
      OptionSpec::choice("preset", {"best", "paper"}, "defaults: the best that we found, or the paper's"),
      OptionSpec::whole("topics", 32, "number of topic vectors; auto: as many as stay coherent on held-out documents")
          .within(1, kMostTopics)
          .or_word("auto", kAutomatic)
          .by_default_shown("32, or fewer: one per ten documents"),
      OptionSpec::whole("dim", 256, "dimensions of the space").within(1, 8192),
      OptionSpec::whole("steps", 500, "training steps").within(0, 1e12).in_the_paper(std::int64_t{5000}),
      OptionSpec::whole("batch", 64, "positive pairs per step, and as many negative ones")
          .within(1, 4096)
          .in_the_paper(std::int64_t{16}),
      OptionSpec::whole("seed", 1, "seed of all random numbers").within(0, 9e15),
      OptionSpec::real("learning-rate", 1.8e-3, "Adam's step size").within(1e-9, 10).in_the_paper(1e-3),
      OptionSpec::whole("step-words", 256, "words of a longer document that a step draws; 0: all of them")
          .within(0, 1e9)
          .in_the_paper(std::int64_t{0}),
      OptionSpec::choice("decay", {"linear", "none"}, "the step size falls to zero, or stays").in_the_paper("none"),
      OptionSpec::choice("start", {"network", "text", "random"},
                         "word vectors to begin with: from text and links, from text, or random")
          .in_the_paper("random"),
      OptionSpec::real("link-share", 0.15, "weight of the links beside the text in a network start").within(0, 1),
      OptionSpec::real("start-norm", 1.0, "mean length of document vectors at the start, unless it is random")
          .within(0.001, 1000),
      OptionSpec::choice("topic-fit", {"kmeans", "none"},
                         "topics fitted to clusters of documents, or left where the random start put them")
          .in_the_paper("none"),
      OptionSpec::choice("attention", {"relu", "softmax"}, "activation of the topic-word attention"),
      OptionSpec::choice("sampling", {"near", "node", "path"},
                         "positive pairs: by document, half of them linked; by document and its paths; by path")
          .in_the_paper("node"),
      OptionSpec::choice("similarity", {"paths", "simrank", "ppr"},
                         "what makes documents alike: short paths, like neighbours, or where random walks end"),
  };
  return table;
}

/// Topics that are fitted afterwards do not matter here, nor does their number.
IdneSettings idne_settings(const Options& options) {
  IdneSettings settings;
  settings.topics = std::max<std::size_t>(1, options.size("topics"));
  settings.dimensions = options.size("dim");
  settings.batch = options.size("batch");
  settings.seed = static_cast<std::uint64_t>(options.integer("seed"));
  settings.learning_rate = options.real("learning-rate");
  settings.most_words = options.size("step-words");
  if (options.text("decay") == "linear") settings.decay_over = static_cast<std::uint64_t>(options.integer("steps"));
  // Topics that are fitted afterwards say nothing yet about which words to drop.
  settings.activation = options.text("attention") == "softmax"  ? Activation::Softmax
                        : options.text("topic-fit") == "kmeans" ? Activation::ReluKept
                                                                : Activation::Relu;
  const std::string& sampling = options.text("sampling");
  settings.sampling = sampling == "path" ? Sampling::Path : sampling == "node" ? Sampling::Node : Sampling::Near;
  const std::string& similarity = options.text("similarity");
  settings.similarity = similarity == "simrank" ? Similarity::SimRank
                        : similarity == "ppr"   ? Similarity::Ppr
                                                : Similarity::Paths;
  return settings;
}

void check_similarity(const Corpus& corpus, const Options& options) {
  const std::string& similarity = options.text("similarity");
  if (similarity == "paths") return;
  if (options.given("sampling")) {
    throw Error(fmt::format(
        "--sampling says how paths are drawn, and --similarity {} draws none: leave one of them out", similarity));
  }
  if (corpus.spread) {
    throw Error(
        fmt::format("--similarity {} walks over the whole network, but each process has a part of it: "
                    "use --similarity paths, or idne instead of idne-mpi",
                    similarity));
  }
}

/// d = Σ_w X_w W_w / |X| over the active words, which is Σ_k D_k: the attention's columns sum to one.
void mean_of_words(MatrixView vectors, const std::vector<std::uint8_t>& active, std::span<const WordCount> words,
                   std::span<float> out) {
  std::uint64_t length = 0;
  for (const WordCount& entry : words) length += entry.count;
  const float inverse = length ? 1.0f / static_cast<float>(length) : 0.0f;
  std::vector<Term> terms;
  terms.reserve(words.size());
  for (const WordCount& entry : words) {
    if (active[entry.word]) terms.push_back({entry.word, static_cast<float>(entry.count) * inverse});
  }
  weighted_sum(vectors.data, vectors.columns, terms.data(), terms.size(), vectors.columns, out.data());
}

class IdneEncoder : public Encoder {
 public:
  IdneEncoder(MatrixView words, MatrixView topics, Activation activation)
      : words_(words), active_(active_words(activation, words, topics)) {}

  std::size_t dimensions() const override { return words_.columns; }

  void encode(std::span<const WordCount> words, std::span<float> out) const override {
    mean_of_words(words_, active_, words, out);
  }

  std::optional<std::vector<WordTerm>> terms(std::span<const WordCount> words) const override {
    double length = 0;
    for (const WordCount& entry : words) length += entry.count;
    std::vector<WordTerm> terms;
    for (const WordCount& entry : words) {
      if (active_[entry.word]) terms.push_back({entry.word, entry.count / length});
    }
    return terms;
  }

 private:
  MatrixView words_;
  std::vector<std::uint8_t> active_;
};

class Idne : public Method {
 public:
  std::string_view name() const override { return "idne"; }
  std::string_view summary() const override { return "word vectors and topics learned from the links"; }
  std::span<const OptionSpec> options() const override { return idne_options(); }
  std::size_t usual_neighbours() const override { return 2; }
  bool judged_whole() const override { return true; }

  Model fit(const Corpus& corpus, const Options& options, const Run& run) const override {
    return fit(corpus, nullptr, options, run);
  }
  Model fit_freeing(Corpus& corpus, const Options& options, const Run& run) const override {
    return fit(corpus, &corpus.network, options, run);
  }

  double train_further(const Corpus& corpus, const Options& options, Further& further, const Run& run) const override {
    const MatrixView topics = further.topics;
    IdneSettings settings = idne_settings(options);
    settings.dimensions = topics.columns;  // the options of a model need not name it
    const IdneSettings of_start = settings;
    // Other pairs than those that were drawn before.
    settings.seed = Random(settings.seed, Purpose::Further, further.before).bits64();
    // The step size goes on falling as if all steps had been planned at once.
    if (settings.decay_over > 0) {
      settings.learning_rate *=
          static_cast<double>(further.steps) / static_cast<double>(further.before + further.steps);
      settings.decay_over = further.steps;
    }
    settings.topics = topics.rows;
    move_with_start(corpus, further.learned_from, of_start, options, run, further.words);
    IdneTrainer trainer(corpus, settings, further.words, {topics.data, topics.data + topics.rows * topics.columns},
                        run);
    trainer.advance(further.steps, run);
    further.words = trainer.words();
    return trainer.recent_loss();
  }

  std::unique_ptr<Encoder> encoder(const Model& model) const override {
    return std::make_unique<IdneEncoder>(model.word_vectors(), model.topics().vectors, activation_of(model));
  }

 private:
  /// `own_network` is the corpus's if it may be freed, else null.
  Model fit(const Corpus& corpus, Network* own_network, const Options& options, const Run& run) const {
    if (options.integer("topics") == kAutomatic && options.text("topic-fit") == "none") {
      throw Error("--topics auto needs fitted topics (--topic-fit kmeans): only these can be compared");
    }
    check_similarity(corpus, options);
    const IdneSettings settings = idne_settings(options);
    const std::size_t dimensions = settings.dimensions;
    std::vector<float> topics = random_start(settings.topics, dimensions, settings.seed, true, run.threads);
    std::vector<float> words;
    double loss;
    {
      const auto steps = static_cast<std::uint64_t>(options.integer("steps"));
      const SavedState* saved = saved_steps(run);
      IdneTrainer trainer(corpus, settings, saved ? std::vector<float>() : start_words(corpus, settings, options, run),
                          topics, run);
      if (saved) trainer.restore(*saved);
      if (trainer.steps_done() < steps) trainer.advance(steps - trainer.steps_done(), run);
      save_steps(run, [&] { return trainer.state(steps); });
      words = trainer.words();
      loss = trainer.recent_loss();
    }
    const MatrixView word_view{words.data(), corpus.words(), dimensions};
    const IdneEncoder encoder(word_view, {topics.data(), settings.topics, dimensions}, settings.activation);
    give_back_memory();
    // Found before there are vectors of all documents, as it takes memory for a while.
    std::vector<std::size_t> numbers;
    std::optional<TopicClusters> clusters;
    if (options.text("topic-fit") == "kmeans") {
      const bool automatic = options.integer("topics") == kAutomatic;
      numbers = automatic                 ? numbers_of_topics_to_try(corpus.bags())
                : options.given("topics") ? std::vector{settings.topics}
                                          : std::vector{usual_topics(corpus.bags())};
      clusters.emplace(corpus.bags(), corpus.words(), &corpus.network, numbers.back(), run);
    }
    if (own_network) *own_network = Network();
    give_back_memory();
    Model model;
    ModelMaker maker(model);
    maker.set(layout::kDocumentVectors, encode_all(corpus.counts, encoder, run), corpus.documents(), dimensions);
    const std::vector<std::uint32_t> families = word_families(corpus.vocabulary.words.strings(), corpus.languages);
    const auto judged = [&](TopicVectors vectors, bool fitted) {
      return judge_topics(corpus.bags(), word_view, families, std::move(vectors), settings.activation, fitted, run);
    };
    if (clusters) {
      const auto fitted = [&](std::size_t count) {
        return judged(fit_topics(*clusters, model.documents().vectors, count, run), true);
      };
      store_topics(model, best_fitted(numbers, fitted), settings.activation);
    } else {
      store_topics(model, judged({std::move(topics), {}}, false), settings.activation);
    }
    maker.set(layout::kWordVectors, std::move(words), corpus.words(), dimensions);
    if (!std::isnan(loss)) maker.info().loss = loss;
    return model;
  }
};

}  // namespace

const Method& idne_method() {
  static const Idne method;
  return method;
}

}  // namespace idne
