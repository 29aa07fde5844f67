#include "methods/cane.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "math/dense.h"
#include "math/pace.h"
#include "math/parallel.h"
#include "math/random.h"
#include "methods/cane_batch.h"
#include "methods/row_adam.h"
#include "methods/training.h"
#include "model/tensors.h"

namespace idne {
namespace {

constexpr float kStartDeviation = 0.3f;
constexpr double kNegativePower = 0.75;
constexpr int kTries = 32;  // for a negative that is at neither end of the link

const std::vector<OptionSpec>& cane_options() {
  static const std::vector<OptionSpec> table{
      OptionSpec::whole("dim", 200, "dimensions of the space: half for structure, half for text").within(2, 4096),
      OptionSpec::whole("steps", 4000, "training steps").within(0, 1e9),
      OptionSpec::whole("batch", 64, "links in a step").within(1, 4096),
      OptionSpec::real("rate", 1e-3, "learning rate of Adam").within(1e-9, 1),
      OptionSpec::real("text-weight", 1, "weight of text against text in the loss").within(0, 1e6),
      OptionSpec::real("structure-weight", 0.3, "weight of structure against structure").within(0, 1e6),
      OptionSpec::real("cross-weight", 0.3, "weight of text against structure").within(0, 1e6),
      OptionSpec::whole("length", 300, "words of a text that are used, at most").within(1, 4096),
      OptionSpec::whole("contexts", 32, "neighbours drawn for the mean of a document's text vectors").within(1, 65536),
      OptionSpec::whole("seed", 1, "seed of all random numbers").within(0, 9e15),
  };
  return table;
}

struct Settings {
  explicit Settings(const Options& options)
      : dimensions(static_cast<std::size_t>(options.integer("dim")) / 2),
        steps(static_cast<std::uint64_t>(options.integer("steps"))),
        batch(static_cast<std::size_t>(options.integer("batch"))),
        rate(options.real("rate")),
        weights{static_cast<float>(options.real("text-weight")), static_cast<float>(options.real("structure-weight")),
                static_cast<float>(options.real("cross-weight"))},
        longest(static_cast<std::size_t>(options.integer("length"))),
        contexts(static_cast<std::size_t>(options.integer("contexts"))),
        seed(static_cast<std::uint64_t>(options.integer("seed"))) {
    if (options.integer("dim") % 2 != 0) {
      throw Error(fmt::format("cane: dim is {}, but it must be even: half of it is for structure, half for text",
                              options.integer("dim")));
    }
  }
  std::size_t dimensions;  ///< of each half
  std::uint64_t steps;
  std::size_t batch;
  double rate;
  CaneWeights weights;
  std::size_t longest, contexts;
  std::uint64_t seed;
};

/// Draws indices in proportion to fixed weights.
class Draw {
 public:
  template <class Weight>
  Draw(std::size_t count, Weight weight) : sums_(count) {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sums_[i] = sum += weight(static_cast<std::uint32_t>(i));
  }
  bool possible() const { return !sums_.empty() && sums_.back() > 0; }
  std::uint32_t operator()(Random& random) const {
    const auto at = std::upper_bound(sums_.begin(), sums_.end(), random.uniform() * sums_.back());
    // Rounding may put the number at the very end: then the first that reaches it.
    const auto last = at == sums_.end() ? std::lower_bound(sums_.begin(), sums_.end(), sums_.back()) : at;
    return static_cast<std::uint32_t>(last - sums_.begin());
  }

 private:
  std::vector<double> sums_;
};

/// Links in proportion to their weights, in either direction; negatives in proportion to degree^0.75.
class Edges {
 public:
  explicit Edges(const Network& network)
      : network_(network),
        starts_(network.documents(), [&](std::uint32_t i) { return network.degree(i); }),
        negatives_(network.documents(), [&](std::uint32_t i) { return std::pow(network.degree(i), kNegativePower); }) {}

  bool any() const { return starts_.possible(); }

  /// The same for the same (seed, step), whoever asks.
  void draw(std::uint64_t seed, std::uint64_t step, std::span<CaneEdge> edges) const {
    Random random(seed, Purpose::Edges, step);
    for (CaneEdge& edge : edges) {
      edge.from = starts_(random);
      edge.to = network_.draw_neighbour(edge.from, random);
      int tries = 0;
      do edge.other = negatives_(random);
      while ((edge.other == edge.from || edge.other == edge.to) && ++tries < kTries);
    }
  }

 private:
  const Network& network_;
  Draw starts_, negatives_;
};

/// Normal, cut at two standard deviations.
std::vector<float> random_matrix(std::size_t rows, std::size_t columns, std::uint64_t seed, CaneStart what) {
  std::vector<float> values(rows * columns);
  for (std::size_t i = 0; i < rows; ++i) {
    Random random = cane_random(seed, what, i);
    for (std::size_t k = 0; k < columns; ++k) values[i * columns + k] = kStartDeviation * random.truncated_normal();
  }
  return values;
}

CaneParameters random_parameters(const Corpus& corpus, const Settings& settings) {
  const std::size_t d = settings.dimensions;
  return {.words = random_matrix(corpus.words(), d, settings.seed, CaneStart::Words),
          .filters = random_matrix(d, 2 * d, settings.seed, CaneStart::Filters),
          .attention = random_matrix(d, d, settings.seed, CaneStart::Attention),
          .structure = random_matrix(corpus.documents(), d, settings.seed, CaneStart::Structure)};
}

void learn(const Corpus& corpus, const CaneTexts& texts, const Settings& settings, CaneParameters& parameters,
           const Run& run) {
  const Edges source(corpus.network);
  if (!source.any()) return;
  const std::size_t d = settings.dimensions;
  CaneBatch batch(texts, corpus.words(), d, settings.weights);
  RowAdam words(parameters.words, d), structure(parameters.structure, d);
  RowAdam filters(parameters.filters, parameters.filters.size());
  RowAdam attention(parameters.attention, parameters.attention.size());
  std::vector<CaneEdge> edges(settings.batch);
  Pace pace;
  double recent_loss = 0;  // of an edge, a running mean
  std::uint64_t step = 0;
  const auto state = [&] {
    SavedState state = steps_state(step, settings.steps);
    state.set_number("done", step);
    state.set("loss", std::vector{recent_loss});
    words.save("words", state);
    structure.save("structure", state);
    filters.save("filters", state);
    attention.save("attentions", state);
    return state;
  };
  if (const SavedState* saved = saved_steps(run)) {
    step = saved->number("done");
    recent_loss = saved->real("loss");
    words.restore("words", *saved);
    structure.restore("structure", *saved);
    filters.restore("filters", *saved);
    attention.restore("attentions", *saved);
  }
  for (; step < settings.steps; ++step) {
    save_or_stop(run, state);
    source.draw(settings.seed, step, edges);
    const double loss = batch.run(parameters, edges, run.threads) / static_cast<double>(edges.size());
    Adam adam{};
    adam.rate = adam_rate(settings.rate, step);
    words.step(adam, batch.words(), batch.word_gradients(), run.threads);
    structure.step(adam, batch.documents(), batch.structure_gradients(), run.threads);
    filters.step(adam, batch.filter_gradients());
    attention.step(adam, batch.attention_gradients());
    recent_loss = step == 0 ? loss : 0.99 * recent_loss + 0.01 * loss;
    if (pace.due() || step + 1 == settings.steps) run.report({"training", step + 1, settings.steps, recent_loss});
  }
  save_steps(run, state);
}

/// The contexts of a document, drawn in proportion to its links: each with how often it was drawn. A document without
/// links has itself.
std::vector<WordCount> draw_contexts(const Network& network, std::uint32_t document, const Settings& settings) {
  if (network.degree(document) <= 0) return {{document, 1}};
  Random random(settings.seed, Purpose::Edges, settings.steps + document);
  std::vector<std::uint32_t> drawn(settings.contexts);
  for (std::uint32_t& neighbour : drawn) neighbour = network.draw_neighbour(document, random);
  return count_words(drawn);
}

/// Makes the documents' vectors from what was learnt: structure vectors beside the means of the text vectors.
class DocumentVectors {
 public:
  DocumentVectors(const Corpus& corpus, const CaneTexts& texts, const CaneParameters& parameters,
                  const Settings& settings, int threads)
      : network_(corpus.network),
        texts_(texts),
        parameters_(parameters),
        settings_(settings),
        d_(settings.dimensions),
        filtered_(corpus.words() * 2 * d_) {
    multiply({{parameters.words.data(), corpus.words(), d_}}, {{parameters.filters.data(), d_, 2 * d_}}, filtered_,
             false, threads);
  }

  std::vector<float> all(const Run& run) const {
    const std::size_t documents = texts_.documents();
    std::vector<float> vectors(documents * 2 * d_);
    constexpr std::size_t kAtOnce = 256;
    for (std::size_t begin = 0; begin < documents; begin += kAtOnce) {
      run.check();
      run.report({"embedding", begin, documents});
      parallel_for(run.threads, std::min(kAtOnce, documents - begin), [&](std::size_t n, std::size_t) {
        const auto document = static_cast<std::uint32_t>(begin + n);
        const std::span out(vectors.data() + document * 2 * d_, 2 * d_);
        structure(document, out.first(d_));
        text(document, out.last(d_));
      });
    }
    return vectors;
  }

 private:
  /// Zeros for a document without links: its random start means nothing.
  void structure(std::uint32_t document, std::span<float> out) const {
    if (network_.degree(document) > 0) {
      cut_to_unit(std::span(parameters_.structure).subspan(document * d_, d_), out);
    }
  }

  /// The positions' weights are averaged over the contexts, which is the same as averaging the text vectors.
  void text(std::uint32_t document, std::span<float> out) const {
    const std::vector<float> positions = positions_of(document);
    const MatrixView own{positions.data(), positions.size() / d_, d_};
    std::vector<float> projected(positions.size());
    multiply({own}, {{parameters_.attention.data(), d_, d_}}, projected, false, 1);
    const auto contexts = draw_contexts(network_, document, settings_);
    std::uint64_t drawn = 0;
    std::vector<float> weights(own.rows);
    CaneAttention attention;
    for (const auto& [context, count] : contexts) {
      const std::vector<float> other = positions_of(context);
      attend({projected.data(), own.rows, d_}, {other.data(), other.size() / d_, d_}, attention);
      for (std::size_t p = 0; p < weights.size(); ++p) weights[p] += static_cast<float>(count) * attention.first[p];
      drawn += count;
    }
    for (float& weight : weights) weight /= static_cast<float>(drawn);
    weigh(own, weights, out);
  }

  std::vector<float> positions_of(std::uint32_t document) const {
    const auto words = texts_.words(document);
    std::vector<float> positions(cane_positions(words.size()) * d_);
    convolve(words, {filtered_.data(), filtered_.size() / (2 * d_), 2 * d_}, positions.data());
    return positions;
  }

  const Network& network_;
  const CaneTexts& texts_;
  const CaneParameters& parameters_;
  const Settings& settings_;
  const std::size_t d_;
  std::vector<float> filtered_;  ///< all words' products with the filters
};

class Cane : public Method {
 public:
  std::string_view name() const override { return "cane"; }
  std::string_view summary() const override {
    return "links and texts: mutual attention of linked texts (convolutional); no new documents";
  }
  std::span<const OptionSpec> options() const override { return cane_options(); }
  bool inductive() const override { return false; }

  Model fit(const Corpus& corpus, const Options& options, const Run& run) const override {
    const Settings settings(options);
    const CaneTexts texts(corpus.counts, settings.longest, settings.seed);
    CaneParameters parameters = random_parameters(corpus, settings);
    learn(corpus, texts, settings, parameters, run);
    Model model;
    ModelMaker(model).set(layout::kDocumentVectors,
                          DocumentVectors(corpus, texts, parameters, settings, run.threads).all(run),
                          corpus.documents(), 2 * settings.dimensions);
    return model;
  }

  std::unique_ptr<Encoder> encoder(const Model&) const override {
    throw Error(
        "CANE cannot embed new documents: its vectors come from a document's links; "
        "use idne, lsa, tadw, gvnrt or graph2gauss");
  }
};

}  // namespace

const Method& cane_method() {
  static const Cane method;
  return method;
}

}  // namespace idne
