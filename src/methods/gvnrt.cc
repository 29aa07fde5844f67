#include "methods/gvnrt.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <numeric>

#include "math/buffer.h"
#include "math/kernels.h"
#include "math/parallel.h"
#include "math/random.h"
#include "methods/encode.h"
#include "methods/idne_batch.h"
#include "network/walks.h"

namespace idne {
namespace {

constexpr std::uint64_t kStepsAhead = 16;  // made ready at once, by all threads side by side
constexpr int kZeroDraws = 16;             // before a zero entry may be an entry after all

bool has_entry(const SparseRows& rows, std::uint32_t i, std::uint32_t j) {
  const auto row = rows.row(i);
  const auto at = std::partition_point(row.begin(), row.end(), [&](const Term& entry) { return entry.row < j; });
  return at != row.end() && at->row == j;
}

void fill_uniform(std::vector<float>& values, std::size_t width, double range, std::uint64_t seed, Purpose purpose,
                  std::uint64_t first_stream, int threads) {
  constexpr std::size_t kRows = 256;
  const std::size_t rows = values.size() / width;
  parallel_for(threads, (rows + kRows - 1) / kRows, [&](std::size_t part, std::size_t) {
    for (std::size_t row = part * kRows; row < std::min(rows, (part + 1) * kRows); ++row) {
      Random random(seed, purpose, first_stream + row);
      for (std::size_t k = 0; k < width; ++k) {
        values[row * width + k] = static_cast<float>(range * (2 * random.uniform() - 1));
      }
    }
  });
}

/// The factor of the gradient's running mean over that of its square, as TensorFlow writes Adam.
float adam_rate(double learning_rate, std::uint64_t step) {
  const auto t = static_cast<double>(step + 1);
  return static_cast<float>(learning_rate * std::sqrt(1 - std::pow(0.999, t)) / (1 - std::pow(0.9, t)));
}

}  // namespace

GvnrtEpoch::GvnrtEpoch(const SparseRows& counts, const GvnrtSettings& settings, std::uint64_t epoch)
    : counts_(counts), settings_(settings), epoch_(epoch) {
  if (counts.entries.size() >= UINT32_MAX) throw Error("too many co-occurrences: a higher threshold drops more");
  order_.resize(counts.entries.size());
  std::iota(order_.begin(), order_.end(), 0u);
  Random random(settings.seed, Purpose::Entries, epoch << 40);
  for (std::size_t n = order_.size(); n > 1; --n) {
    std::swap(order_[n - 1], order_[random.below(static_cast<std::uint32_t>(n))]);
  }
}

std::uint64_t GvnrtEpoch::steps() const { return (order_.size() + settings_.batch - 1) / settings_.batch; }

GvnrtStep GvnrtEpoch::step(std::uint64_t step) const {
  const std::size_t begin = step * settings_.batch, end = std::min(order_.size(), begin + settings_.batch);
  GvnrtStep result;
  result.rows.resize(2 * (end - begin));
  result.targets.resize(2 * (end - begin));
  Random random(settings_.seed, Purpose::Entries, epoch_ << 40 | (step + 1));
  for (std::size_t q = 0; q < end - begin; ++q) {
    const std::uint32_t at = order_[begin + q];
    const Term& entry = counts_.entries[at];
    const auto row = std::upper_bound(counts_.offsets.begin(), counts_.offsets.end(), at) - counts_.offsets.begin() - 1;
    result.columns.push_back(entry.row);
    result.rows[q] = static_cast<std::uint32_t>(row);
    result.targets[q] = std::log1p(entry.weight);
    std::uint32_t& zero = result.rows[end - begin + q];
    for (int tries = 0; tries < kZeroDraws; ++tries) {
      zero = random.below(static_cast<std::uint32_t>(counts_.rows()));
      if (!has_entry(counts_, zero, entry.row)) break;
    }
  }
  return result;
}

GvnrtParameters gvnrt_start(const Corpus& corpus, const GvnrtSettings& settings, int threads) {
  const std::size_t width = settings.dimensions, documents = corpus.documents();
  GvnrtParameters start{std::vector<float>(corpus.words() * width), std::vector<float>(documents * width),
                        std::vector<float>(documents)};
  const double range = 1 / static_cast<double>(width);
  fill_uniform(start.words, width, range, settings.seed, Purpose::WordStart, 0, threads);
  fill_uniform(start.nodes, width, range, settings.seed, Purpose::ParameterStart, 0, threads);
  fill_uniform(start.biases, 1, range, settings.seed, Purpose::ParameterStart, documents, threads);
  return start;
}

/// A step made ready: by entry, by word and by row of U.
struct GvnrtTrainer::Prepared {
  GvnrtStep step;
  Batch words;                       ///< of the columns: slot q is entry q's
  std::vector<WordGradient> nodes;   ///< each row of U once, and an end
  std::vector<std::uint32_t> pairs;  ///< in the order of `nodes`: entry q, or zero entry q + columns.size()
};

/// What one thread owns: a range of blocks of dimensions, in memory of its own, and the biases, of which every thread
/// keeps the same copy.
struct GvnrtTrainer::Slice {
  Slice(const Corpus& corpus, std::span<const float> inverse_length, const GvnrtSettings& settings, std::size_t number,
        std::size_t first_block, std::size_t blocks)
      : number(number),
        first_block(first_block),
        word_records(corpus.words() * 3 * blocks * kBlock),
        node_records(corpus.documents() * 3 * blocks * kBlock),
        words{word_records.data(), blocks},
        nodes{node_records.data(), blocks},
        biases(corpus.documents()),
        vectors(settings.batch * blocks * kBlock),
        gradients(vectors.size()),
        slopes(2 * settings.batch),
        terms(2 * settings.batch),
        maker(corpus, inverse_length) {}

  struct Bias {
    float value = 0, mean = 0, variance = 0;
  };

  std::size_t number;
  std::size_t first_block;
  std::uint64_t done = 0;  ///< steps
  Buffer word_records, node_records;
  WordSlice words, nodes;
  std::vector<Bias> biases;
  std::vector<float> vectors;    ///< mean(words of j) of each column
  std::vector<float> gradients;  ///< with respect to them
  std::vector<float> slopes;     ///< ∂loss/∂score
  std::vector<Term> terms;
  BatchMaker maker;
};

/// Where the slices meet: the scores' partial sums, [step parity][block · pairs + pair]. Two, because a fast thread may
/// be one step ahead.
struct GvnrtTrainer::Exchange {
  Exchange(int threads, std::size_t blocks, std::size_t pairs) : barrier(threads), blocks(blocks) {
    for (auto& part : scores) part.resize(blocks * pairs);
  }
  Barrier barrier;
  std::size_t blocks;
  std::atomic<bool> stop{false};
  std::vector<float> scores[2];
};

GvnrtTrainer::GvnrtTrainer(const Corpus& corpus, const GvnrtSettings& settings, const GvnrtParameters& start,
                           int threads)
    : corpus_(corpus),
      settings_(settings),
      inverse_length_(inverse_lengths(corpus.counts)),
      recent_loss_(std::nan("")),
      prepared_(kStepsAhead) {
  const std::size_t dimensions = settings.dimensions;
  const std::size_t blocks = (dimensions + kBlock - 1) / kBlock;
  const std::size_t team = std::clamp<std::size_t>(static_cast<std::size_t>(threads), 1, blocks);
  exchange_ = std::make_unique<Exchange>(static_cast<int>(team), blocks, 2 * settings.batch);
  for (std::size_t t = 0, first = 0; t < team; ++t) {
    const std::size_t count = blocks / team + (t < blocks % team ? 1 : 0);
    slices_.push_back(std::make_unique<Slice>(corpus, inverse_length_, settings, t, first, count));
    first += count;
  }
  // Dimensions beyond the last are padding: zero vectors, zero gradients, zero steps.
  run_team(static_cast<int>(team), [&](int t) {
    Slice& slice = *slices_[static_cast<std::size_t>(t)];
    const std::size_t from = slice.first_block * kBlock, to = std::min(from + slice.words.width(), dimensions);
    const auto fill = [&](const WordSlice& out, const std::vector<float>& rows) {
      for (std::size_t row = 0; row * dimensions < rows.size(); ++row) {
        std::copy(rows.data() + row * dimensions + from, rows.data() + row * dimensions + to, out.word(row));
      }
    };
    fill(slice.words, start.words);
    fill(slice.nodes, start.nodes);
    for (std::size_t i = 0; i < start.biases.size(); ++i) slice.biases[i].value = start.biases[i];
  });
}

GvnrtTrainer::~GvnrtTrainer() = default;

GvnrtParameters GvnrtTrainer::parameters() const {
  const std::size_t dimensions = settings_.dimensions;
  GvnrtParameters result{
      std::vector<float>(corpus_.words() * dimensions), std::vector<float>(corpus_.documents() * dimensions), {}};
  for (const auto& slice : slices_) {
    const std::size_t from = slice->first_block * kBlock, to = std::min(from + slice->words.width(), dimensions);
    const auto take = [&](const WordSlice& in, std::vector<float>& rows) {
      for (std::size_t row = 0; row * dimensions < rows.size(); ++row) {
        std::copy_n(in.word(row), to - from, rows.data() + row * dimensions + from);
      }
    };
    take(slice->words, result.words);
    take(slice->nodes, result.nodes);
  }
  for (const Slice::Bias& bias : slices_.front()->biases) result.biases.push_back(bias.value);
  return result;
}

void GvnrtTrainer::advance(const GvnrtEpoch& epoch, std::uint64_t begin, std::uint64_t end, std::uint64_t total,
                           const Run& run) {
  run_team(static_cast<int>(slices_.size()),
           [&](int t) { train_slice(*slices_[static_cast<std::size_t>(t)], epoch, begin, end, total, run); });
  if (exchange_->stop) throw Interrupted();
}

void GvnrtTrainer::train_slice(Slice& slice, const GvnrtEpoch& epoch, std::uint64_t begin, std::uint64_t end,
                               std::uint64_t total, const Run& run) {
  using Clock = std::chrono::steady_clock;
  const bool leads = slice.number == 0;
  auto reported = Clock::now();
  for (std::uint64_t block = begin; block < end; block += kStepsAhead) {
    const std::uint64_t block_end = std::min(end, block + kStepsAhead);
    if (leads && run.stopped && run.stopped()) exchange_->stop = true;
    prepare(slice, epoch, block, block_end);
    exchange_->barrier.wait();
    if (exchange_->stop) return;
    for (std::uint64_t s = block; s < block_end; ++s) step(slice, prepared_[s - block]);
    exchange_->barrier.wait();  // nobody reads the steps any more
    if (leads && run.progress) {
      if (const auto now = Clock::now(); now - reported > std::chrono::milliseconds(100) || slice.done == total) {
        reported = now;
        run.report({"training", slice.done, total, recent_loss_});
      }
    }
  }
}

void GvnrtTrainer::prepare(Slice& slice, const GvnrtEpoch& epoch, std::uint64_t begin, std::uint64_t end) {
  for (std::uint64_t s = begin + slice.number; s < end; s += slices_.size()) {
    Prepared& out = prepared_[s - begin];
    out.step = epoch.step(s);
    slice.maker.make(out.step.columns, out.words);
    const std::vector<std::uint32_t>& rows = out.step.rows;
    out.pairs.resize(rows.size());
    std::iota(out.pairs.begin(), out.pairs.end(), 0u);
    std::sort(out.pairs.begin(), out.pairs.end(),
              [&](std::uint32_t a, std::uint32_t b) { return rows[a] != rows[b] ? rows[a] < rows[b] : a < b; });
    out.nodes.clear();
    for (std::uint32_t n = 0; n < out.pairs.size(); ++n) {
      const std::uint32_t row = rows[out.pairs[n]];
      if (out.nodes.empty() || out.nodes.back().word != row) out.nodes.push_back({row, n});
    }
    out.nodes.push_back({0, static_cast<std::uint32_t>(out.pairs.size())});
  }
}

/// This slice's part of u_i · mean(words of j).
void GvnrtTrainer::add_scores(Slice& slice, const Prepared& prepared, std::vector<float>& scores) const {
  const std::size_t width = slice.words.width(), blocks = slice.words.blocks;
  const std::size_t size = prepared.step.columns.size(), pairs = prepared.step.rows.size();
  const Batch& words = prepared.words;
  for (std::size_t q = 0; q < size; ++q) {
    weighted_sum(slice.words.records, slice.words.stride(), words.terms.data() + words.begin[q],
                 words.begin[q + 1] - words.begin[q], width, slice.vectors.data() + q * width);
  }
  std::vector<float> parts(blocks);
  for (std::size_t q = 0; q < pairs; ++q) {
    dot_blocks(slice.nodes.word(prepared.step.rows[q]), slice.vectors.data() + (q % size) * width, blocks,
               parts.data());
    for (std::size_t b = 0; b < blocks; ++b) scores[(slice.first_block + b) * pairs + q] = parts[b];
  }
}

/// Leaves ∂loss/∂score of each pair in slice.slopes; returns the loss.
double GvnrtTrainer::find_slopes(Slice& slice, const Prepared& prepared, const std::vector<float>& scores) const {
  const std::size_t pairs = prepared.step.rows.size();
  double loss = 0;
  for (std::size_t q = 0; q < pairs; ++q) {
    float score = slice.biases[prepared.step.rows[q]].value;
    for (std::size_t b = 0; b < exchange_->blocks; ++b) score += scores[b * pairs + q];
    const float error = score - prepared.step.targets[q];
    loss += static_cast<double>(error) * error;
    slice.slopes[q] = 2 * error;
  }
  return loss;
}

void GvnrtTrainer::apply(Slice& slice, const Prepared& prepared) const {
  const std::size_t width = slice.words.width();
  const std::size_t size = prepared.step.columns.size(), pairs = prepared.step.rows.size();
  for (std::size_t q = 0; q < size; ++q) {
    const Term both[] = {{prepared.step.rows[q], slice.slopes[q]},
                         {prepared.step.rows[size + q], slice.slopes[size + q]}};
    weighted_sum(slice.nodes.records, slice.nodes.stride(), both, 2, width, slice.gradients.data() + q * width);
  }
  for (std::size_t n = 0; n < pairs; ++n) {
    const std::uint32_t pair = prepared.pairs[n];
    slice.terms[n] = {static_cast<std::uint32_t>(pair % size), slice.slopes[pair]};
  }
  Adam adam{};
  adam.rate = adam_rate(settings_.learning_rate, slice.done);
  adam_words(slice.nodes, prepared.nodes.data(), prepared.nodes.size() - 1, slice.terms.data(), slice.vectors.data(),
             adam, nullptr, nullptr, nullptr);
  adam_words(slice.words, prepared.words.words.data(), prepared.words.word_count(), prepared.words.word_terms.data(),
             slice.gradients.data(), adam, nullptr, nullptr, nullptr);
  for (std::size_t n = 0; n + 1 < prepared.nodes.size(); ++n) {
    float gradient = 0;
    for (std::uint32_t t = prepared.nodes[n].begin; t < prepared.nodes[n + 1].begin; ++t) {
      gradient += slice.terms[t].weight;
    }
    Slice::Bias& bias = slice.biases[prepared.nodes[n].word];
    bias.mean = adam.decay_mean * bias.mean + (1 - adam.decay_mean) * gradient;
    bias.variance = adam.decay_variance * bias.variance + (1 - adam.decay_variance) * gradient * gradient;
    bias.value -= adam.rate * bias.mean / (std::sqrt(bias.variance) + adam.epsilon);
  }
}

void GvnrtTrainer::step(Slice& slice, const Prepared& prepared) {
  std::vector<float>& scores = exchange_->scores[slice.done % 2];
  add_scores(slice, prepared, scores);
  exchange_->barrier.wait();
  const double loss = find_slopes(slice, prepared, scores);
  apply(slice, prepared);
  ++slice.done;
  if (slice.number == 0) note_loss(loss / static_cast<double>(prepared.step.rows.size()));
}

/// A running mean over about a hundred steps.
void GvnrtTrainer::note_loss(double loss) {
  recent_loss_ = std::isnan(recent_loss_) ? loss : recent_loss_ + 0.01 * (loss - recent_loss_);
}

namespace {

const std::vector<OptionSpec>& option_table() {
  static const std::vector<OptionSpec> table{
      {"dim", std::int64_t{256}, "dimensions of the space", 1, 8192, {}},
      {"walks", std::int64_t{10}, "random walks from each document", 1, 10000, {}},
      {"walk-length", std::int64_t{40}, "documents in a walk", 1, 10000, {}},
      {"window", std::int64_t{5}, "how far apart two documents of a walk co-occur", 1, 10000, {}},
      {"threshold", 5.0, "co-occurrences up to this much are dropped", 0, 1e9, {}},
      {"epochs", std::int64_t{4}, "passes over the co-occurrences", 0, 1e6, {}},
      {"batch", std::int64_t{64}, "co-occurrences a step, and as many zero ones", 1, 65536, {}},
      {"learning-rate", 1e-3, "Adam's step size", 1e-9, 10, {}},
      {"seed", std::int64_t{1}, "seed of all random numbers", 0, 9e15, {}},
  };
  return table;
}

GvnrtSettings settings_from(const Options& options) {
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

 private:
  MatrixView words_;
};

class Gvnrt : public Method {
 public:
  std::string_view name() const override { return "gvnrt"; }
  std::string_view summary() const override { return "word vectors that factorise co-occurrences on random walks"; }
  std::span<const OptionSpec> options() const override { return option_table(); }

  Model fit(const Corpus& corpus, const Options& options, const Run& run) const override {
    const GvnrtSettings settings = settings_from(options);
    const auto epochs = static_cast<std::uint64_t>(options.integer("epochs"));
    const SparseRows counts = training_counts(corpus, walks_from(options), run);
    std::vector<float> words;
    double loss;
    {
      GvnrtTrainer trainer(corpus, settings, gvnrt_start(corpus, settings, run.threads), run.threads);
      for (std::uint64_t e = 0; e < epochs; ++e) {
        const GvnrtEpoch epoch(counts, settings, e);
        trainer.advance(epoch, 0, epoch.steps(), epochs * epoch.steps(), run);
      }
      words = trainer.parameters().words;
      loss = trainer.recent_loss();
    }
    Model model;
    const GvnrtEncoder encoder({words.data(), corpus.words(), settings.dimensions});
    model.add("documents.vectors", encode_all(corpus.counts, encoder, run), {corpus.documents(), settings.dimensions});
    model.add("words.vectors", std::move(words), {corpus.words(), settings.dimensions});
    if (!std::isnan(loss)) model.metadata["loss"] = fmt::format("{:.6f}", loss);
    return model;
  }

  std::unique_ptr<Encoder> encoder(const Model& model) const override {
    return std::make_unique<GvnrtEncoder>(model.words());
  }
};

}  // namespace

const Method& gvnrt_method() {
  static const Gvnrt method;
  return method;
}

}  // namespace idne
