#include "methods/idne_trainer.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <numeric>

#include "math/buffer.h"
#include "math/kernels.h"
#include "math/parallel.h"
#include "math/random.h"
#include "methods/training.h"

namespace idne {
namespace {

constexpr std::uint64_t kStepsAhead = 16;  // batches made ready at once, by all threads side by side
constexpr std::size_t kRecentLosses = 100;

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
/// −log σ(x), without overflow.
double log_loss(double x) { return x > 0 ? std::log1p(std::exp(-x)) : std::log1p(std::exp(x)) - x; }

}  // namespace

std::vector<float> random_start(std::size_t rows, std::size_t dimensions, std::uint64_t seed, bool topics,
                                int threads) {
  const float deviation = static_cast<float>(std::sqrt(2.6 / static_cast<double>(rows)));
  const Purpose purpose = topics ? Purpose::TopicStart : Purpose::WordStart;
  std::vector<float> values(rows * dimensions);
  constexpr std::size_t kRows = 256;
  parallel_parts(threads, rows, kRows, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      Random random(seed, purpose, row);
      for (std::size_t k = 0; k < dimensions; ++k) values[row * dimensions + k] = deviation * random.truncated_normal();
    }
  });
  return values;
}

/// What one thread owns: a range of blocks of dimensions, in memory of its own.
struct IdneTrainer::Slice {
  Slice(const Corpus& corpus, std::span<const float> inverse_length, const IdneSettings& settings, const Share& share)
      : number(share.thread),
        first_block(share.first_block),
        records(corpus.words() * 3 * share.blocks * kBlock),
        words{records.data(), share.blocks},
        topics(settings.topics * share.blocks * kBlock),
        guess(corpus.words()),
        products(corpus.words() * share.blocks, -1.0f),
        vectors(3 * settings.batch * share.blocks * kBlock),
        gradients(vectors.size()),
        maker(corpus, inverse_length) {}

  std::size_t number;
  std::size_t first_block;
  Buffer records;
  WordSlice words;
  std::vector<float> topics;
  /// The topic that last had the largest product with each word, and this slice's part of that product: a word is
  /// active as long as the whole product is positive. At first unknown, which −1 stands for.
  std::vector<std::uint16_t> guess;
  std::vector<float> products;
  std::vector<float> vectors;    ///< of the step's documents
  std::vector<float> gradients;  ///< with respect to them
  std::vector<std::uint32_t> suspects;
  std::vector<std::uint32_t> inactive;  ///< places in the batch's words
  std::vector<Term> terms, word_terms;  ///< the batch's, with the inactive words at zero
  BatchMaker maker;
};

/// Where the slices meet: partial sums, block by block, that only make sense together.
struct IdneTrainer::Exchange {
  Exchange(int threads, std::size_t blocks, std::size_t pairs) : barrier(threads), blocks(blocks) {
    for (auto& scores : pair_scores) scores.resize(blocks * pairs);
    word_products.resize(blocks);
    topic_products.resize(blocks);
  }
  Barrier barrier;
  std::size_t blocks;
  std::atomic<bool> stop{false};
  /// Of pair q in block b: [step parity][b · pairs + q]. Two, because a fast thread may be one step ahead.
  std::vector<float> pair_scores[2];
  /// [b][place in the batch's words]: product with the guessed topic.
  std::vector<std::vector<float>> word_products;
  /// [b][suspect · topics + topic].
  std::vector<std::vector<float>> topic_products;
};

IdneTrainer::IdneTrainer(const Corpus& corpus, const IdneSettings& settings, const std::vector<float>& words,
                         const std::vector<float>& topics, int threads)
    : corpus_(corpus), settings_(settings), inverse_length_(inverse_lengths(corpus.counts)), prepared_(kStepsAhead) {
  const std::size_t dimensions = settings.dimensions;
  const std::vector<Share> shares = share_out(dimensions, threads);
  const auto team = static_cast<int>(shares.size());
  exchange_ = std::make_unique<Exchange>(team, shares.back().first_block + shares.back().blocks, 2 * settings.batch);
  for (const Share& share : shares) {
    slices_.push_back(std::make_unique<Slice>(corpus, inverse_length_, settings, share));
  }
  run_team(team, [&](int t) {
    Slice& slice = *slices_[static_cast<std::size_t>(t)];
    copy_into(slice.words, slice.first_block, words, dimensions);
    const std::size_t from = slice.first_block * kBlock, to = std::min(from + slice.words.width(), dimensions);
    for (std::size_t k = 0; k < settings.topics; ++k) {
      std::copy(topics.data() + k * dimensions + from, topics.data() + k * dimensions + to,
                slice.topics.data() + k * slice.words.width());
    }
  });
}

IdneTrainer::~IdneTrainer() = default;

std::vector<float> IdneTrainer::words() const {
  const std::size_t dimensions = settings_.dimensions;
  std::vector<float> result(corpus_.words() * dimensions);
  for (const auto& slice : slices_) copy_out_of(slice->words, slice->first_block, result, dimensions);
  return result;
}

double IdneTrainer::recent_loss() const {
  return recent_losses_.empty() ? std::nan("")
                                : std::accumulate(recent_losses_.begin(), recent_losses_.end(), 0.0) /
                                      static_cast<double>(recent_losses_.size());
}

void IdneTrainer::note_loss(double loss, std::uint64_t step) {
  if (recent_losses_.size() < kRecentLosses) {
    recent_losses_.push_back(loss);
  } else {
    recent_losses_[step % kRecentLosses] = loss;
  }
}

void IdneTrainer::advance(std::uint64_t steps, const Run& run) {
  const std::uint64_t begin = done_, end = done_ + steps;
  run_team(static_cast<int>(slices_.size()),
           [&](int t) { train_slice(*slices_[static_cast<std::size_t>(t)], begin, end, run); });
  if (exchange_->stop) throw Interrupted();
}

void IdneTrainer::train_slice(Slice& slice, std::uint64_t begin, std::uint64_t end, const Run& run) {
  using Clock = std::chrono::steady_clock;
  const bool leads = slice.number == 0;
  auto reported = Clock::now();
  for (std::uint64_t block = begin; block < end; block += kStepsAhead) {
    const std::uint64_t block_end = std::min(end, block + kStepsAhead);
    if (leads && run.stopped && run.stopped()) exchange_->stop = true;
    prepare(slice, block, block_end);
    exchange_->barrier.wait();
    if (exchange_->stop) return;
    for (std::uint64_t s = block; s < block_end; ++s) step(slice, prepared_[s - block], s);
    exchange_->barrier.wait();  // nobody reads the batches any more
    if (leads) {
      done_ = block_end;
      if (const auto now = Clock::now();
          run.progress && (now - reported > std::chrono::milliseconds(100) || done_ == end)) {
        reported = now;
        run.report({"training", done_, end, recent_loss()});
      }
    }
  }
}

void IdneTrainer::prepare(Slice& slice, std::uint64_t begin, std::uint64_t end) {
  for (std::uint64_t s = begin + slice.number; s < end; s += slices_.size()) {
    const auto documents = draw_documents(corpus_.network, settings_.sampling, settings_.batch, settings_.seed, s);
    slice.maker.make(documents, prepared_[s - begin]);
  }
}

/// Whether any of the batch's words is inactive, and which. All slices come to the same answer.
bool IdneTrainer::find_inactive(Slice& slice, const Batch& batch) {
  const std::size_t blocks = slice.words.blocks, count = batch.word_count();
  for (std::size_t b = 0; b < blocks; ++b) {
    std::vector<float>& out = exchange_->word_products[slice.first_block + b];
    out.resize(count);
    for (std::size_t n = 0; n < count; ++n) out[n] = slice.products[batch.words[n].word * blocks + b];
  }
  exchange_->barrier.wait();
  slice.suspects.clear();
  slice.inactive.clear();
  for (std::size_t n = 0; n < count; ++n) {
    float product = 0;
    for (const auto& part : exchange_->word_products) product += part[n];
    if (!(product > 0)) slice.suspects.push_back(static_cast<std::uint32_t>(n));
  }
  if (slice.suspects.empty()) return false;

  // The guess failed: try all topics.
  const std::size_t topics = settings_.topics, width = slice.words.width();
  std::vector<float> parts(blocks);
  for (std::size_t b = 0; b < blocks; ++b) {
    exchange_->topic_products[slice.first_block + b].resize(slice.suspects.size() * topics);
  }
  for (std::size_t s = 0; s < slice.suspects.size(); ++s) {
    const float* vector = slice.words.word(batch.words[slice.suspects[s]].word);
    for (std::size_t k = 0; k < topics; ++k) {
      dot_blocks(vector, slice.topics.data() + k * width, blocks, parts.data());
      for (std::size_t b = 0; b < blocks; ++b) {
        exchange_->topic_products[slice.first_block + b][s * topics + k] = parts[b];
      }
    }
  }
  exchange_->barrier.wait();
  for (std::size_t s = 0; s < slice.suspects.size(); ++s) {
    float best = -INFINITY;
    std::uint16_t best_topic = 0;
    for (std::size_t k = 0; k < topics; ++k) {
      float product = 0;
      for (const auto& part : exchange_->topic_products) product += part[s * topics + k];
      if (product > best) best = product, best_topic = static_cast<std::uint16_t>(k);
    }
    slice.guess[batch.words[slice.suspects[s]].word] = best_topic;
    if (!(best > 0)) slice.inactive.push_back(slice.suspects[s]);
  }
  return !slice.inactive.empty();
}

/// The batch's terms with those of the inactive words at zero: they add nothing, and their gradient is zero.
void IdneTrainer::mask_inactive(Slice& slice, const Batch& batch) const {
  slice.terms = batch.terms;
  slice.word_terms = batch.word_terms;
  for (const std::uint32_t n : slice.inactive) {
    for (std::uint32_t t = batch.words[n].begin; t < batch.words[n + 1].begin; ++t) {
      slice.word_terms[t].weight = 0;
      const std::uint32_t slot = batch.word_terms[t].row;
      const auto first = slice.terms.begin() + batch.begin[slot], last = slice.terms.begin() + batch.begin[slot + 1];
      std::find_if(first, last, [&](const Term& term) { return term.row == batch.words[n].word; })->weight = 0;
    }
  }
}

void IdneTrainer::step(Slice& slice, const Batch& batch, std::uint64_t step) {
  const std::size_t width = slice.words.width(), blocks = slice.words.blocks;
  const std::size_t size = settings_.batch, pairs = 2 * size;
  const bool gated = settings_.activation == Activation::Relu;

  const Term* terms = batch.terms.data();
  const Term* word_terms = batch.word_terms.data();
  if (gated && find_inactive(slice, batch)) {
    mask_inactive(slice, batch);
    terms = slice.terms.data(), word_terms = slice.word_terms.data();
  }

  // Forward: d_i = Σ_w X_iw W_w / |X_i| over the active words; the scores d_i · d_j of the pairs, block by block.
  for (std::size_t s = 0; s < batch.slots(); ++s) {
    weighted_sum(slice.words.records, slice.words.stride(), terms + batch.begin[s], batch.begin[s + 1] - batch.begin[s],
                 width, slice.vectors.data() + s * width);
  }
  std::vector<float>& scores = exchange_->pair_scores[step % 2];
  for (std::size_t q = 0; q < pairs; ++q) {  // pair q: first document q mod size, other one in slot size + q
    float parts[64];
    for (std::size_t b = 0; b < blocks; b += 64) {
      const std::size_t some = std::min<std::size_t>(64, blocks - b);
      dot_blocks(slice.vectors.data() + (q % size) * width + b * kBlock,
                 slice.vectors.data() + (size + q) * width + b * kBlock, some, parts);
      for (std::size_t k = 0; k < some; ++k) scores[(slice.first_block + b + k) * pairs + q] = parts[k];
    }
  }
  exchange_->barrier.wait();

  // Backward: ∂loss/∂score, then the documents' gradients, then word by word with Adam.
  std::vector<float>& gradients = slice.gradients;
  double loss = 0;
  std::vector<Term> first_terms(pairs);
  for (std::size_t q = 0; q < pairs; ++q) {
    float score = 0;
    for (std::size_t b = 0; b < exchange_->blocks; ++b) score += scores[b * pairs + q];
    const double sign = q < size ? 1 : -1;
    loss += log_loss(sign * score);
    const auto slope = static_cast<float>(-sign * sigmoid(-sign * score));
    const Term other{static_cast<std::uint32_t>(q % size), slope};
    weighted_sum(slice.vectors.data(), width, &other, 1, width, gradients.data() + (size + q) * width);
    first_terms[(q % size) * 2 + q / size] = {static_cast<std::uint32_t>(size + q), slope};
  }
  for (std::size_t n = 0; n < size; ++n) {
    weighted_sum(slice.vectors.data(), width, &first_terms[2 * n], 2, width, gradients.data() + n * width);
  }
  if (slice.number == 0) note_loss(loss / static_cast<double>(pairs), step);

  const double left =
      settings_.decay_over ? 1 - static_cast<double>(step) / static_cast<double>(settings_.decay_over) : 1;
  Adam adam{};
  adam.rate = adam_rate(std::max(0.0, left) * settings_.learning_rate, step);
  adam_words(slice.words, batch.words.data(), batch.word_count(), word_terms, gradients.data(), adam,
             gated ? slice.topics.data() : nullptr, slice.guess.data(), slice.products.data());
}

}  // namespace idne
