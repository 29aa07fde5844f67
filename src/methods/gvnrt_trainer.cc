#include <algorithm>
#include <cmath>
#include <numeric>

#include "math/adam.h"
#include "math/buffer.h"
#include "math/kernels.h"
#include "math/random.h"
#include "methods/gvnrt.h"
#include "methods/idne_batch.h"
#include "methods/training.h"

namespace idne {
namespace {

constexpr int kZeroDraws = 16;  // before a zero entry may be an entry after all

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
  shuffle(order_, random);
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

/// What one member of the team owns: a range of blocks of dimensions, in memory of its own, and the biases, of which
/// every member keeps the same copy.
struct GvnrtTrainer::Slice {
  Slice(const Corpus& corpus, const std::vector<float>& inverse_length, const GvnrtSettings& settings,
        DimensionTeam::Member& member)
      : member(member),
        word_records(corpus.words() * 3 * member.blocks() * kBlock),
        node_records(corpus.documents() * 3 * member.blocks() * kBlock),
        words{word_records.data(), member.blocks()},
        nodes{node_records.data(), member.blocks()},
        biases(corpus.documents()),
        vectors(settings.batch * words.width()),
        gradients(vectors.size()),
        block_parts(words.blocks),
        slopes(2 * settings.batch),
        terms(2 * settings.batch),
        maker(corpus.counts, corpus.words(), inverse_length) {}

  struct Bias {
    float value = 0, mean = 0, variance = 0;
  };

  DimensionTeam::Member& member;
  std::uint64_t done = 0;  ///< steps
  Buffer word_records, node_records;
  WordSlice words, nodes;
  std::vector<Bias> biases;
  Buffer vectors;    ///< mean(words of j) of each column
  Buffer gradients;  ///< with respect to them
  std::vector<float> block_parts, scores;
  std::vector<float> slopes;  ///< ∂loss/∂score
  std::vector<Term> terms;
  BatchMaker maker;
};

GvnrtTrainer::GvnrtTrainer(const Corpus& corpus, const GvnrtSettings& settings, const GvnrtParameters& start,
                           int threads)
    : corpus_(corpus),
      settings_(settings),
      inverse_length_(inverse_lengths(corpus.counts)),
      recent_loss_(std::nan("")),
      prepared_(kStepsAhead),
      team_(settings.dimensions, threads) {
  for (std::size_t m = 0; m < team_.size(); ++m) {
    slices_.push_back(std::make_unique<Slice>(corpus, inverse_length_, settings, team_[m]));
  }
  team_.run([&](std::size_t m) -> Work {
    Slice& slice = *slices_[m];
    copy_into(slice.words, slice.member.first_block(), start.words, settings.dimensions);
    copy_into(slice.nodes, slice.member.first_block(), start.nodes, settings.dimensions);
    for (std::size_t i = 0; i < start.biases.size(); ++i) slice.biases[i].value = start.biases[i];
    co_return;
  });
}

GvnrtTrainer::~GvnrtTrainer() = default;

GvnrtParameters GvnrtTrainer::parameters() const {
  const std::size_t dimensions = settings_.dimensions;
  GvnrtParameters result{
      std::vector<float>(corpus_.words() * dimensions), std::vector<float>(corpus_.documents() * dimensions), {}};
  for (const auto& slice : slices_) {
    copy_out_of(slice->words, slice->member.first_block(), result.words, dimensions);
    copy_out_of(slice->nodes, slice->member.first_block(), result.nodes, dimensions);
  }
  for (const Slice::Bias& bias : slices_.front()->biases) result.biases.push_back(bias.value);
  return result;
}

void GvnrtTrainer::advance(const GvnrtEpoch& epoch, std::uint64_t begin, std::uint64_t end, std::uint64_t total,
                           const Run& run) {
  const StepLoop loop{.begin = begin,
                      .end = end,
                      .prepare = [&](std::size_t member, std::uint64_t s,
                                     std::size_t place) { prepare(*slices_[member], epoch.step(s), prepared_[place]); },
                      .take = [&](std::size_t member, std::uint64_t,
                                  std::size_t place) { return step(*slices_[member], prepared_[place]); },
                      .taken = [](std::uint64_t) {},
                      .progress =
                          [&] {
                            return Progress{"training", slices_.front()->done, total, recent_loss_};
                          },
                      .state = [&] { return state(total); }};
  run_steps(team_, loop, run);
}

std::uint64_t GvnrtTrainer::steps_done() const { return slices_.front()->done; }

SavedState GvnrtTrainer::state(std::uint64_t total) const {
  SavedState state = steps_state(steps_done(), total);
  state.set_number("done", steps_done());
  state.set("loss", std::vector{recent_loss_});
  const std::size_t dimensions = settings_.dimensions;
  save_slices(
      team_, [&](std::size_t m) { return slices_[m]->words; }, "words", corpus_.words(), dimensions, state);
  save_slices(
      team_, [&](std::size_t m) { return slices_[m]->nodes; }, "nodes", corpus_.documents(), dimensions, state);
  std::vector<float> biases;
  for (const Slice::Bias& bias : slices_.front()->biases) {
    biases.insert(biases.end(), {bias.value, bias.mean, bias.variance});
  }
  state.set("biases", std::move(biases));
  return state;
}

void GvnrtTrainer::restore(const SavedState& state) {
  recent_loss_ = state.real("loss");
  const std::size_t dimensions = settings_.dimensions;
  restore_slices(
      team_, [&](std::size_t m) { return slices_[m]->words; }, "words", corpus_.words(), dimensions, state);
  restore_slices(
      team_, [&](std::size_t m) { return slices_[m]->nodes; }, "nodes", corpus_.documents(), dimensions, state);
  const auto biases = state.floats("biases", 3 * corpus_.documents());
  for (const auto& slice : slices_) {
    slice->done = state.number("done");
    for (std::size_t i = 0; i < slice->biases.size(); ++i) {
      slice->biases[i] = {biases[3 * i], biases[3 * i + 1], biases[3 * i + 2]};
    }
  }
}

void GvnrtTrainer::prepare(Slice& slice, GvnrtStep step, Prepared& out) const {
  out.step = std::move(step);
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

/// Leaves u_i · mean(words of j) + b_i of each pair in slice.scores.
Work GvnrtTrainer::find_scores(Slice& slice, const Prepared& prepared) const {
  const std::size_t width = slice.words.width(), blocks = slice.words.blocks;
  const std::size_t size = prepared.step.columns.size(), pairs = 2 * size;
  const Batch& words = prepared.words;
  for (std::size_t q = 0; q < size; ++q) {
    weighted_sum(slice.words.records, slice.words.stride(), words.terms.data() + words.begin[q],
                 words.begin[q + 1] - words.begin[q], width, slice.vectors.data() + q * width);
  }
  const std::span<float> own = slice.member.contribute(pairs);
  slice.scores.resize(pairs);
  for (std::size_t q = 0; q < pairs; ++q) {
    dot_blocks(slice.nodes.word(prepared.step.rows[q]), slice.vectors.data() + (q % size) * width, blocks,
               slice.block_parts.data());
    for (std::size_t b = 0; b < blocks; ++b) own[b * pairs + q] = slice.block_parts[b];
    slice.scores[q] = slice.biases[prepared.step.rows[q]].value;
  }
  (co_await slice.member.gather()).add_to(slice.scores);
}

/// Leaves ∂loss/∂score of each pair in slice.slopes; returns the loss.
double GvnrtTrainer::find_slopes(Slice& slice, const Prepared& prepared) const {
  double loss = 0;
  for (std::size_t q = 0; q < slice.scores.size(); ++q) {
    const float error = slice.scores[q] - prepared.step.targets[q];
    loss += static_cast<double>(error) * error;
    slice.slopes[q] = 2 * error;
  }
  return loss;
}

void GvnrtTrainer::apply(Slice& slice, const Prepared& prepared) const {
  const std::size_t width = slice.words.width();
  const std::size_t size = prepared.step.columns.size(), pairs = 2 * size;
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
    adam.step(gradient, bias.value, bias.mean, bias.variance);
  }
}

Work GvnrtTrainer::step(Slice& slice, const Prepared& prepared) {
  co_await find_scores(slice, prepared);
  const double loss = find_slopes(slice, prepared);
  apply(slice, prepared);
  ++slice.done;
  if (slice.member.number() == 0) note_loss(loss / static_cast<double>(prepared.step.rows.size()));
}

/// A running mean over about a hundred steps.
void GvnrtTrainer::note_loss(double loss) {
  recent_loss_ = std::isnan(recent_loss_) ? loss : recent_loss_ + 0.01 * (loss - recent_loss_);
}

}  // namespace idne
