#include "methods/idne.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "math/kernels.h"
#include "math/parallel.h"
#include "methods/encode.h"
#include "methods/idne_trainer.h"
#include "methods/link_regression.h"
#include "methods/lsa.h"
#include "text/coherence.h"

namespace idne {
namespace {

constexpr std::size_t kTopWords = 10;  // for coherence

const std::vector<OptionSpec>& option_table() {
  static const std::vector<OptionSpec> table{
      {"preset", std::string("best"), "defaults: the best that we found, or the paper's", 0, 0, {"best", "paper"}},
      {"topics", std::int64_t{32}, "number of topic vectors", 1, 4096, {}},
      {"dim", std::int64_t{256}, "dimensions of the space", 1, 8192, {}},
      {"steps", std::int64_t{1000}, "training steps", 0, 1e12, {}, std::int64_t{5000}},
      {"batch", std::int64_t{64}, "positive pairs a step, and as many negative ones", 1, 4096, {}, std::int64_t{16}},
      {"seed", std::int64_t{1}, "seed of all random numbers", 0, 9e15, {}},
      {"learning-rate", 1e-3, "Adam's step size", 1e-9, 10, {}},
      {"decay",
       std::string("linear"),
       "the step size stays, or falls to zero",
       0,
       0,
       {"none", "linear"},
       std::string("none")},
      {"start",
       std::string("network"),
       "word vectors to begin with: from text and links, from text, or random",
       0,
       0,
       {"network", "text", "random"},
       std::string("random")},
      {"link-share", 0.2, "weight of the links beside the text in a network start", 0, 1, {}},
      {"start-norm", 1.0, "mean length of document vectors at the start, unless it is random", 0.001, 1000, {}},
      {"neighbours", std::int64_t{0}, "hops of neighbours that documents' vectors are joined with", 0, 100, {}},
      {"topic-fit", std::string("none"), "how topics are fitted; none is the paper's", 0, 0, {"none"}},
      {"attention", std::string("relu"), "activation of the topic-word attention", 0, 0, {"relu", "softmax"}},
      {"sampling", std::string("node"), "positive pairs: by document, or by path", 0, 0, {"node", "path"}},
  };
  return table;
}

IdneSettings settings_from(const Options& options) {
  IdneSettings settings;
  settings.topics = static_cast<std::size_t>(options.integer("topics"));
  settings.dimensions = static_cast<std::size_t>(options.integer("dim"));
  settings.batch = static_cast<std::size_t>(options.integer("batch"));
  settings.seed = static_cast<std::uint64_t>(options.integer("seed"));
  settings.learning_rate = options.real("learning-rate");
  if (options.text("decay") == "linear") settings.decay_over = static_cast<std::uint64_t>(options.integer("steps"));
  settings.activation = options.text("attention") == "softmax" ? Activation::Softmax : Activation::Relu;
  settings.sampling = options.text("sampling") == "path" ? Sampling::Path : Sampling::Node;
  return settings;
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

/// Scales word vectors so that the mean length of a document's vector is `norm`.
void scale_to_norm(const Corpus& corpus, std::size_t dimensions, double norm, std::vector<float>& words) {
  const std::vector<std::uint8_t> all_active(corpus.words(), 1);
  std::vector<float> vector(dimensions);
  double sum = 0, documents = 0;
  for (std::size_t i = 0; i < corpus.documents(); ++i) {
    if (corpus.counts.row(i).empty()) continue;
    mean_of_words({words.data(), corpus.words(), dimensions}, all_active, corpus.counts.row(i), vector);
    sum += std::sqrt(dot(vector.data(), vector.data(), dimensions));
    ++documents;
  }
  const auto scale = static_cast<float>(sum > 0 ? norm * documents / sum : 1);
  for (float& value : words) value *= scale;
}

std::vector<float> start_words(const Corpus& corpus, const IdneSettings& settings, const Options& options,
                               int threads) {
  const std::string& start = options.text("start");
  const std::size_t dimensions = settings.dimensions;
  if (start == "random") return random_start(corpus.words(), dimensions, settings.seed, false, threads);
  std::vector<float> words =
      start == "text" ? lsa_word_vectors(corpus, dimensions, settings.seed, threads)
                      : link_regression_words(corpus, dimensions, options.real("link-share"), settings.seed, threads);
  scale_to_norm(corpus, dimensions, options.real("start-norm"), words);
  return words;
}

class IdneEncoder : public Encoder {
 public:
  IdneEncoder(MatrixView words, MatrixView topics, Activation activation)
      : words_(words), active_(active_words(activation, words, topics)) {}

  std::size_t dimensions() const override { return words_.columns; }

  void encode(std::span<const WordCount> words, std::span<float> out) const override {
    mean_of_words(words_, active_, words, out);
  }

 private:
  MatrixView words_;
  std::vector<std::uint8_t> active_;
};

/// The mean over all documents with words of each topic's share: Σ_w Z_kw X_iw / |X_i|.
std::vector<double> topic_shares(const CountMatrix& counts, MatrixView words, MatrixView topics,
                                 Activation activation) {
  // A word's attention depends on the document only through its count (and with ReLU not even on that), so documents
  // are added up by word and count first.
  std::vector<double> once(words.rows);
  std::unordered_map<std::uint64_t, double> oftener;
  double documents = 0;
  for (std::size_t i = 0; i < counts.rows(); ++i) {
    const auto length = static_cast<double>(counts.length(i));
    if (length > 0) ++documents;
    for (const WordCount& entry : counts.row(i)) {
      const double part = entry.count / length;
      if (entry.count == 1 || activation == Activation::Relu) {
        once[entry.word] += part;
      } else {
        oftener[std::uint64_t{entry.word} << 32 | entry.count] += part;
      }
    }
  }
  std::vector<double> shares(topics.rows);
  std::vector<float> weights(topics.rows);
  const auto add = [&](std::uint32_t word, std::uint32_t count, double amount) {
    topic_products(topics, words.row(word), weights);
    attention_weights(activation, weights, count, weights);
    for (std::size_t k = 0; k < shares.size(); ++k) shares[k] += amount * weights[k];
  };
  for (std::uint32_t w = 0; w < words.rows; ++w) add(w, 1, once[w]);
  std::vector<std::pair<std::uint64_t, double>> sorted(oftener.begin(), oftener.end());
  std::sort(sorted.begin(), sorted.end());
  for (const auto& [key, amount] : sorted) {
    add(static_cast<std::uint32_t>(key >> 32), static_cast<std::uint32_t>(key), amount);
  }
  for (double& share : shares) share /= std::max(1.0, documents);
  return shares;
}

/// Topics in the order of their shares, largest first: topic 1 is the one that matters most.
void sort_topics(std::vector<float>& topics, std::vector<double>& shares) {
  std::vector<std::size_t> order(shares.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return shares[a] > shares[b]; });
  const std::size_t dimensions = topics.size() / shares.size();
  const std::vector<float> old_topics = topics;
  const std::vector<double> old_shares = shares;
  for (std::size_t k = 0; k < order.size(); ++k) {
    std::copy_n(old_topics.data() + order[k] * dimensions, dimensions, topics.data() + k * dimensions);
    shares[k] = old_shares[order[k]];
  }
}

class Idne : public Method {
 public:
  std::string_view name() const override { return "idne"; }
  std::string_view summary() const override { return "word vectors and topics learned from the links"; }
  std::span<const OptionSpec> options() const override { return option_table(); }

  Model fit(const Corpus& corpus, const Options& options, const Run& run) const override {
    const IdneSettings settings = settings_from(options);
    const std::size_t dimensions = settings.dimensions;
    std::vector<float> topics = random_start(settings.topics, dimensions, settings.seed, true, run.threads);
    std::vector<float> words;
    double loss;
    {
      IdneTrainer trainer(corpus, settings, start_words(corpus, settings, options, run.threads), topics, run.threads);
      trainer.advance(static_cast<std::uint64_t>(options.integer("steps")), run);
      words = trainer.words();
      loss = trainer.recent_loss();
    }
    const MatrixView word_view{words.data(), corpus.words(), dimensions};
    MatrixView topic_view{topics.data(), settings.topics, dimensions};
    std::vector<double> shares = topic_shares(corpus.counts, word_view, topic_view, settings.activation);
    sort_topics(topics, shares);

    std::vector<std::vector<std::uint32_t>> top;
    for (const auto& best : top_words(word_view, topic_view, kTopWords, run.threads)) {
      top.emplace_back();
      for (const ScoredWord& word : best) top.back().push_back(word.word);
    }
    const std::vector<double> coherence = npmi(corpus.counts, top);
    run.check();

    Model model;
    const IdneEncoder encoder(word_view, topic_view, settings.activation);
    model.add("documents.vectors", encode_all(corpus.counts, encoder, run), {corpus.documents(), dimensions});
    model.add("words.vectors", std::move(words), {corpus.words(), dimensions});
    model.add("topics.vectors", std::move(topics), {settings.topics, dimensions});
    model.add("topics.shares", std::vector<float>(shares.begin(), shares.end()), {shares.size()});
    model.add("topics.npmi", std::vector<float>(coherence.begin(), coherence.end()), {coherence.size()});
    model.metadata["attention"] = options.text("attention");
    if (!std::isnan(loss)) model.metadata["loss"] = fmt::format("{:.6f}", loss);
    return model;
  }

  std::unique_ptr<Encoder> encoder(const Model& model) const override {
    return std::make_unique<IdneEncoder>(model.words(), model.topics(), activation_of(model));
  }
};

}  // namespace

const Method& idne_method() {
  static const Idne method;
  return method;
}

Activation activation_of(const Model& model) {
  return model.text("attention") == "softmax" ? Activation::Softmax : Activation::Relu;
}

}  // namespace idne
