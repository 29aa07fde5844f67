#include "methods/idne_trainer.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "math/adam.h"
#include "math/buffer.h"
#include "math/kernels.h"
#include "math/parallel.h"
#include "math/random.h"
#include "methods/training.h"

namespace idne {
namespace {

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

/// What one member of the team owns: a range of blocks of dimensions, in memory of its own.
struct IdneTrainer::Slice {
  Slice(const Corpus& corpus, const CountMatrix& bags, const std::vector<float>& inverse_length,
        const IdneSettings& settings, DimensionTeam::Member& member)
      : member(member),
        records(corpus.words() * 3 * member.blocks() * kBlock),
        words{records.data(), member.blocks()},
        topics(settings.topics * words.width()),
        guess(corpus.words()),
        products(corpus.words() * words.blocks, -1.0f),
        vectors(3 * settings.batch * words.width()),
        gradients(vectors.size()),
        block_parts(words.blocks),
        first_terms(2 * settings.batch),
        maker(bags, corpus.words(), inverse_length) {}

  DimensionTeam::Member& member;
  Buffer records;
  WordSlice words;
  Buffer topics;
  /// The topic that last had the largest product with each word, and this slice's part of that product: a word is
  /// active as long as the whole product is positive. At first unknown, which −1 stands for.
  std::vector<std::uint16_t> guess;
  std::vector<float> products;
  Buffer vectors;    ///< of the step's documents
  Buffer gradients;  ///< with respect to them
  std::vector<float> block_parts, sums;
  std::vector<std::uint32_t> suspects;
  std::vector<std::uint32_t> inactive;  ///< places in the batch's words
  std::vector<Term> terms, word_terms;  ///< the batch's, with the inactive words at zero
  std::vector<Term> first_terms;        ///< what the gradients of the pairs' first documents are made of
  BatchMaker maker;
};

IdneTrainer::IdneTrainer(const Corpus& corpus, const IdneSettings& settings, const std::vector<float>& words,
                         const std::vector<float>& topics, const Run& run)
    : corpus_(corpus),
      settings_(settings),
      simrank_(settings.similarity == Similarity::SimRank
                   ? std::make_unique<SimRankSamples>(corpus.network, SimRankSettings{.seed = settings.seed}, run)
                   : nullptr),
      draws_{settings.sampling, settings.batch, settings.seed, settings.similarity, simrank_.get()},
      inverse_length_(corpus.spread ? std::vector<float>{} : inverse_lengths(corpus.counts)),
      prepared_(kStepsAhead),
      team_(settings.dimensions, run.threads, run.ranks) {
  const std::size_t dimensions = settings.dimensions;
  for (std::size_t m = 0; m < team_.size(); ++m) {
    slices_.push_back(
        std::make_unique<Slice>(corpus, corpus.spread ? fetched_ : corpus.counts, inverse_length_, settings, team_[m]));
  }
  team_.run([&](std::size_t m) -> Work {
    Slice& slice = *slices_[m];
    const std::size_t first_block = slice.member.first_block();
    copy_into(slice.words, first_block, words, dimensions);
    const std::size_t from = first_block * kBlock, to = std::min(from + slice.words.width(), dimensions);
    for (std::size_t k = 0; k < settings.topics; ++k) {
      std::copy(topics.data() + k * dimensions + from, topics.data() + k * dimensions + to,
                slice.topics.data() + k * slice.words.width());
    }
    co_return;
  });
}

IdneTrainer::~IdneTrainer() = default;

std::vector<float> IdneTrainer::words() const {
  const std::size_t dimensions = settings_.dimensions;
  std::vector<float> result(corpus_.words() * dimensions);
  for (const auto& slice : slices_) copy_out_of(slice->words, slice->member.first_block(), result, dimensions);
  share_columns(team_, kBlock, dimensions, result);
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
  const std::uint64_t end = done_ + steps;
  const StepLoop loop{.begin = done_,
                      .end = end,
                      .fetch = corpus_.spread ? [&](std::uint64_t first, std::uint64_t last) { fetch(first, last); }
                                              : std::function<void(std::uint64_t, std::uint64_t)>(),
                      .prepare =
                          [&](std::size_t member, std::uint64_t s, std::size_t place) {
                            slices_[member]->maker.make(
                                corpus_.spread ? fetched_rows_[place] : draws_.documents(corpus_.network, s),
                                prepared_[place], {settings_.most_words, settings_.seed, s});
                          },
                      .take = [&](std::size_t member, std::uint64_t s,
                                  std::size_t place) { return step(*slices_[member], prepared_[place], s); },
                      .taken = [&](std::uint64_t done) { done_ = done; },
                      .progress =
                          [&] {
                            return Progress{"training", done_, end, recent_loss()};
                          },
                      .state = [&] { return state(end); }};
  run_steps(team_, loop, run);
}

/// The bags of all documents of these steps, which other processes may have.
void IdneTrainer::fetch(std::uint64_t first, std::uint64_t last) {
  fetched_rows_ = draws_.documents_of_all(corpus_.network, first, last);
  std::vector<std::uint32_t> distinct;
  for (const auto& documents : fetched_rows_) distinct.insert(distinct.end(), documents.begin(), documents.end());
  std::ranges::sort(distinct);
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  for (auto& documents : fetched_rows_) {
    for (std::uint32_t& document : documents) {
      document = static_cast<std::uint32_t>(std::ranges::lower_bound(distinct, document) - distinct.begin());
    }
  }
  fetched_ = corpus_.bags().rows(distinct);
  inverse_length_ = inverse_lengths(fetched_);
}

SavedState IdneTrainer::state(std::uint64_t total) const {
  const std::size_t count = corpus_.words(), blocks = team_.blocks();
  SavedState state = steps_state(done_, total);
  state.set_number("done", done_);
  state.set("losses", recent_losses_);
  save_slices(
      team_, [&](std::size_t m) { return slices_[m]->words; }, "words", count, settings_.dimensions, state);
  const std::vector<std::uint16_t>& guess = slices_.front()->guess;  // all members have the same
  state.set("guesses", std::vector<std::int32_t>(guess.begin(), guess.end()));
  std::vector<float> products(count * blocks);
  for (const auto& slice : slices_) {
    for (std::size_t w = 0; w < count; ++w) {
      std::copy_n(slice->products.data() + w * slice->words.blocks, slice->words.blocks,
                  products.data() + w * blocks + slice->member.first_block());
    }
  }
  share_columns(team_, 1, blocks, products);
  state.set("products", std::move(products));
  return state;
}

void IdneTrainer::restore(const SavedState& state) {
  const std::size_t count = corpus_.words(), blocks = team_.blocks();
  done_ = state.number("done");
  recent_losses_ = state.reals("losses");
  if (recent_losses_.size() != std::min<std::uint64_t>(done_, kRecentLosses)) {
    throw Error("the checkpoint does not fit this run: it has other losses than steps");
  }
  restore_slices(
      team_, [&](std::size_t m) { return slices_[m]->words; }, "words", count, settings_.dimensions, state);
  const auto guess = state.whole("guesses", count);
  const auto products = state.floats("products", count * blocks);
  for (const std::int32_t topic : guess) {
    if (topic < 0 || static_cast<std::size_t>(topic) >= settings_.topics) {
      throw Error("the checkpoint does not fit this run: it guesses topics that there are not");
    }
  }
  for (const auto& slice : slices_) {
    std::transform(guess.begin(), guess.end(), slice->guess.begin(),
                   [](std::int32_t topic) { return static_cast<std::uint16_t>(topic); });
    for (std::size_t w = 0; w < count; ++w) {
      std::copy_n(products.data() + w * blocks + slice->member.first_block(), slice->words.blocks,
                  slice->products.data() + w * slice->words.blocks);
    }
  }
}

/// Leaves in slice.inactive which of the batch's words are inactive. All slices come to the same answer.
Work IdneTrainer::find_inactive(Slice& slice, const Batch& batch) {
  const std::size_t blocks = slice.words.blocks, count = batch.word_count();
  const std::span<float> own = slice.member.contribute(count);
  for (std::size_t b = 0; b < blocks; ++b) {
    for (std::size_t n = 0; n < count; ++n) own[b * count + n] = slice.products[batch.words[n].word * blocks + b];
  }
  slice.sums.assign(count, 0);
  (co_await slice.member.gather()).add_to(slice.sums);
  slice.suspects.clear();
  slice.inactive.clear();
  for (std::size_t n = 0; n < count; ++n) {
    if (!(slice.sums[n] > 0)) slice.suspects.push_back(static_cast<std::uint32_t>(n));
  }
  if (!slice.suspects.empty()) co_await try_all_topics(slice, batch);
}

/// For words whose guessed topic failed.
Work IdneTrainer::try_all_topics(Slice& slice, const Batch& batch) {
  const std::size_t topics = settings_.topics, count = slice.suspects.size() * topics;
  const std::size_t blocks = slice.words.blocks, width = slice.words.width();
  const std::span<float> own = slice.member.contribute(count);
  for (std::size_t at = 0; at < count; ++at) {
    dot_blocks(slice.words.word(batch.words[slice.suspects[at / topics]].word),
               slice.topics.data() + at % topics * width, blocks, slice.block_parts.data());
    for (std::size_t b = 0; b < blocks; ++b) own[b * count + at] = slice.block_parts[b];
  }
  slice.sums.assign(count, 0);
  (co_await slice.member.gather()).add_to(slice.sums);
  for (std::size_t s = 0; s < slice.suspects.size(); ++s) {
    const auto first = slice.sums.begin() + static_cast<std::ptrdiff_t>(s * topics);
    const auto best = std::max_element(first, first + static_cast<std::ptrdiff_t>(topics));
    slice.guess[batch.words[slice.suspects[s]].word] = static_cast<std::uint16_t>(best - first);
    if (!(*best > 0)) slice.inactive.push_back(slice.suspects[s]);
  }
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

Work IdneTrainer::step(Slice& slice, const Batch& batch, std::uint64_t step) {
  const std::size_t width = slice.words.width();
  const bool gated = settings_.activation == Activation::Relu;

  const Term* terms = batch.terms.data();
  const Term* word_terms = batch.word_terms.data();
  if (gated) co_await find_inactive(slice, batch);
  if (gated && !slice.inactive.empty()) {
    mask_inactive(slice, batch);
    terms = slice.terms.data(), word_terms = slice.word_terms.data();
  }

  // Forward: d_i = Σ_w X_iw W_w / |X_i| over the active words.
  for (std::size_t s = 0; s < batch.slots(); ++s) {
    weighted_sum(slice.words.records, slice.words.stride(), terms + batch.begin[s], batch.begin[s + 1] - batch.begin[s],
                 width, slice.vectors.data() + s * width);
  }
  co_await gather_scores(slice);

  // Backward: ∂loss/∂score, then the documents' gradients, then word by word with Adam.
  const double loss = find_gradients(slice);
  if (slice.member.number() == 0) note_loss(loss / static_cast<double>(slice.sums.size()), step);
  const double left =
      settings_.decay_over ? 1 - static_cast<double>(step) / static_cast<double>(settings_.decay_over) : 1;
  Adam adam{};
  adam.rate = adam_rate(std::max(0.0, left) * settings_.learning_rate, step);
  adam_words(slice.words, batch.words.data(), batch.word_count(), word_terms, slice.gradients.data(), adam,
             gated ? slice.topics.data() : nullptr, slice.guess.data(), slice.products.data());
}

/// Leaves the scores d_i · d_j in slice.sums. Pair q: the first document is q mod batch, the other in slot batch + q.
Work IdneTrainer::gather_scores(Slice& slice) const {
  const std::size_t size = settings_.batch, pairs = 2 * size;
  const std::size_t width = slice.words.width(), blocks = slice.words.blocks;
  const std::span<float> own = slice.member.contribute(pairs);
  for (std::size_t q = 0; q < pairs; ++q) {
    dot_blocks(slice.vectors.data() + (q % size) * width, slice.vectors.data() + (size + q) * width, blocks,
               slice.block_parts.data());
    for (std::size_t b = 0; b < blocks; ++b) own[b * pairs + q] = slice.block_parts[b];
  }
  slice.sums.assign(pairs, 0);
  (co_await slice.member.gather()).add_to(slice.sums);
}

/// The documents' gradients from the scores; returns the loss.
double IdneTrainer::find_gradients(Slice& slice) const {
  const std::size_t size = settings_.batch, width = slice.words.width();
  double loss = 0;
  for (std::size_t q = 0; q < 2 * size; ++q) {
    const double sign = q < size ? 1 : -1, score = slice.sums[q];
    loss += log_loss(sign * score);
    const auto slope = static_cast<float>(-sign * sigmoid(-sign * score));
    const Term other{static_cast<std::uint32_t>(q % size), slope};
    weighted_sum(slice.vectors.data(), width, &other, 1, width, slice.gradients.data() + (size + q) * width);
    slice.first_terms[(q % size) * 2 + q / size] = {static_cast<std::uint32_t>(size + q), slope};
  }
  for (std::size_t n = 0; n < size; ++n) {
    weighted_sum(slice.vectors.data(), width, &slice.first_terms[2 * n], 2, width, slice.gradients.data() + n * width);
  }
  return loss;
}

}  // namespace idne
