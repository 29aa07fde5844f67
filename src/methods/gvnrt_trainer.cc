#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "math/buffer.h"
#include "math/kernels.h"
#include "math/parallel.h"
#include "math/random.h"
#include "methods/gvnrt.h"
#include "methods/idne_batch.h"
#include "methods/training.h"

namespace idne {
namespace {

constexpr std::uint64_t kStepsAhead = 16;  // made ready at once, by all threads side by side
constexpr int kZeroDraws = 16;             // before a zero entry may be an entry after all

bool has_entry(const SparseRows& rows, std::uint32_t i, std::uint32_t j) {
  const auto row = rows.row(i);
  const auto at = std::partition_point(row.begin(), row.end(), [&](const Term& entry) { return entry.row < j; });
  return at != row.end() && at->row == j;
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
  const double range = 1 / static_cast<double>(width);
  const auto rows = [&](std::size_t count, std::size_t columns, Purpose purpose, std::uint64_t first_stream) {
    return uniform_rows(count, columns, range, settings.seed, purpose, first_stream, threads);
  };
  return {rows(corpus.words(), width, Purpose::WordStart, 0), rows(documents, width, Purpose::ParameterStart, 0),
          rows(documents, 1, Purpose::ParameterStart, documents)};
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
  Slice(const Corpus& corpus, std::span<const float> inverse_length, const GvnrtSettings& settings, const Share& share)
      : number(share.thread),
        first_block(share.first_block),
        word_records(corpus.words() * 3 * share.blocks * kBlock),
        node_records(corpus.documents() * 3 * share.blocks * kBlock),
        words{word_records.data(), share.blocks},
        nodes{node_records.data(), share.blocks},
        biases(corpus.documents()),
        vectors(settings.batch * share.blocks * kBlock),
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
  const std::vector<Share> shares = share_out(settings.dimensions, threads);
  const auto team = static_cast<int>(shares.size());
  exchange_ = std::make_unique<Exchange>(team, shares.back().first_block + shares.back().blocks, 2 * settings.batch);
  for (const Share& share : shares) {
    slices_.push_back(std::make_unique<Slice>(corpus, inverse_length_, settings, share));
  }
  run_team(team, [&](int t) {
    Slice& slice = *slices_[static_cast<std::size_t>(t)];
    copy_into(slice.words, slice.first_block, start.words, settings.dimensions);
    copy_into(slice.nodes, slice.first_block, start.nodes, settings.dimensions);
    for (std::size_t i = 0; i < start.biases.size(); ++i) slice.biases[i].value = start.biases[i];
  });
}

GvnrtTrainer::~GvnrtTrainer() = default;

GvnrtParameters GvnrtTrainer::parameters() const {
  const std::size_t dimensions = settings_.dimensions;
  GvnrtParameters result{
      std::vector<float>(corpus_.words() * dimensions), std::vector<float>(corpus_.documents() * dimensions), {}};
  for (const auto& slice : slices_) {
    copy_out_of(slice->words, slice->first_block, result.words, dimensions);
    copy_out_of(slice->nodes, slice->first_block, result.nodes, dimensions);
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

}  // namespace idne
