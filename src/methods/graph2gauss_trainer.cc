#include <algorithm>
#include <cmath>
#include <numeric>

#include "math/adam.h"
#include "math/buffer.h"
#include "math/dense.h"
#include "math/kernels.h"
#include "math/parallel.h"
#include "math/random.h"
#include "methods/graph2gauss.h"
#include "methods/idne_batch.h"
#include "methods/training.h"

namespace idne {
namespace {

constexpr std::size_t kRowsAtOnce = 16;    // documents of a round that a thread takes at once
constexpr std::size_t kWordsAtOnce = 128;  // rows of weights
constexpr float kLeastVariance = 1e-14f;

std::size_t whole_blocks(std::size_t width) { return (width + kBlock - 1) / kBlock * kBlock; }

}  // namespace

struct Graph2GaussTrainer::State {
  State(const Corpus& corpus, const Graph2GaussSettings& settings, int threads)
      : corpus(corpus),
        settings(settings),
        threads(threads),
        hidden_width(whole_blocks(settings.hidden)),
        mean_width(whole_blocks(settings.dimensions)),
        input(graph2gauss_input(corpus)),
        maker(corpus.counts, corpus.words(), input.scale),
        stamp(corpus.documents()),
        place(corpus.documents()),
        word_records((corpus.words() + 1) * 3 * hidden_width),
        output_records((hidden_width + 1) * 3 * output_width()),
        words{word_records.data(), hidden_width / kBlock},
        output_weights{output_records.data(), output_width() / kBlock},
        output_matrix(hidden_width * output_width()) {}

  std::size_t output_width() const { return 2 * mean_width; }
  std::size_t slots() const { return documents.size(); }
  const float* mean(std::size_t slot) const { return output.data() + slot * output_width(); }

  void begin() {
    documents.clear();
    ++now;
  }
  std::uint32_t slot_of(std::uint32_t document);
  void forward();
  void find_hidden(std::size_t begin, std::size_t end);
  void find_variance(std::size_t begin, std::size_t end);
  void find_energies(std::span<const DocumentPair> slot_pairs);
  void add_gradients(std::span<const DocumentPair> slot_pairs, std::span<const float> slopes);
  void backward();
  void apply();
  void copy_output_weights();

  const Corpus& corpus;
  const Graph2GaussSettings settings;
  const int threads;
  // Widths are whole blocks. What is beyond is padding: zero weights, whose gradients are zero too.
  const std::size_t hidden_width, mean_width;
  Graph2GaussInput input;
  std::uint64_t steps = 0;

  BatchMaker maker;
  Batch batch;
  std::vector<std::uint32_t> documents;     ///< of the round, each once: slot s is documents[s]
  std::vector<std::uint32_t> stamp, place;  ///< the round that a document was last in, and its slot there
  std::uint32_t now = 0;

  // Weights with Adam's moments. The last row of each is the bias.
  Buffer word_records, output_records;
  WordSlice words, output_weights;
  std::vector<float> output_matrix;  ///< output_weights without moments and bias

  std::vector<float> hidden;                                  ///< slots × hidden_width
  std::vector<float> output;                                  ///< slots × (mean, variance before elu)
  std::vector<float> variance, inverse, logarithm;            ///< slots × mean_width
  std::vector<double> energies;                               ///< of the pairs
  std::vector<float> energy_parts;                            ///< block × pairs
  std::vector<float> gradients, hidden_gradients, by_weight;  ///< of output, hidden and output_matrix
  std::vector<Term> each_slot, each_row;                      ///< weight 1
};

std::uint32_t Graph2GaussTrainer::State::slot_of(std::uint32_t document) {
  if (stamp[document] != now) {
    stamp[document] = now;
    place[document] = static_cast<std::uint32_t>(documents.size());
    documents.push_back(document);
  }
  return place[document];
}

void Graph2GaussTrainer::State::find_hidden(std::size_t begin, std::size_t end) {
  const float* bias = words.word(corpus.words());
  for (std::size_t s = begin; s < end; ++s) {
    float* out = hidden.data() + s * hidden_width;
    weighted_sum(words.records, words.stride(), batch.terms.data() + batch.begin[s],
                 batch.begin[s + 1] - batch.begin[s], hidden_width, out);
    for (std::size_t k = 0; k < hidden_width; ++k) out[k] = std::max(0.0f, out[k] + bias[k]);
  }
}

/// Adds the bias; σ = elu(x) + 1, which is x + 1 for positive x and exp(x) for others.
void Graph2GaussTrainer::State::find_variance(std::size_t begin, std::size_t end) {
  const float* bias = output_weights.word(hidden_width);
  for (std::size_t s = begin; s < end; ++s) {
    float* row = output.data() + s * output_width();
    for (std::size_t k = 0; k < output_width(); ++k) row[k] += bias[k];
    for (std::size_t k = 0; k < mean_width; ++k) {
      const float x = row[mean_width + k];
      const std::size_t at = s * mean_width + k;
      variance[at] = (x > 0 ? x + 1 : std::exp(x)) + kLeastVariance;
      logarithm[at] = x > 0 ? std::log(variance[at]) : std::max(x, std::log(kLeastVariance));
      inverse[at] = 1 / variance[at];
    }
  }
}

void Graph2GaussTrainer::State::forward() {
  maker.make(documents, batch);
  for (Term& term : batch.terms) term.weight *= input.idf[term.row];
  for (std::size_t n = 0; n < batch.word_count(); ++n) {
    for (std::uint32_t t = batch.words[n].begin; t < batch.words[n + 1].begin; ++t) {
      batch.word_terms[t].weight *= input.idf[batch.words[n].word];
    }
  }
  hidden.resize(slots() * hidden_width);
  output.resize(slots() * output_width());
  for (auto* values : {&variance, &inverse, &logarithm}) values->resize(slots() * mean_width);
  parallel_parts(threads, slots(), kRowsAtOnce, [&](std::size_t begin, std::size_t end) { find_hidden(begin, end); });
  multiply({{hidden.data(), slots(), hidden_width}}, {{output_matrix.data(), hidden_width, output_width()}}, output,
           false, threads);
  parallel_parts(threads, slots(), kRowsAtOnce, [&](std::size_t begin, std::size_t end) { find_variance(begin, end); });
}

/// E_ij = KL(N_j ‖ N_i) = ½ Σ (σ_j + (μ_i − μ_j)²) / σ_i − 1 − log(σ_j / σ_i), block by block.
void Graph2GaussTrainer::State::find_energies(std::span<const DocumentPair> slot_pairs) {
  const std::size_t blocks = mean_width / kBlock, pairs = slot_pairs.size();
  energy_parts.resize(blocks * pairs);
  parallel_for(threads, blocks, [&](std::size_t block, std::size_t) {
    for (std::size_t q = 0; q < pairs; ++q) {
      const std::size_t i = slot_pairs[q].a, j = slot_pairs[q].b, from = block * kBlock;
      const float *mean_i = mean(i) + from, *mean_j = mean(j) + from;
      const float *variance_j = &variance[j * mean_width + from], *inverse_i = &inverse[i * mean_width + from];
      const float *log_i = &logarithm[i * mean_width + from], *log_j = &logarithm[j * mean_width + from];
      float sums[16] = {};  // running sums side by side, which the compiler turns into vectors
      for (std::size_t k = 0; k < kBlock; k += 16) {
        for (std::size_t lane = 0; lane < 16; ++lane) {
          const float apart = mean_i[k + lane] - mean_j[k + lane];
          sums[lane] +=
              (variance_j[k + lane] + apart * apart) * inverse_i[k + lane] - 1.0f - (log_j[k + lane] - log_i[k + lane]);
        }
      }
      energy_parts[block * pairs + q] = 0.5f * std::accumulate(sums, sums + 16, 0.0f);
    }
  });
  energies.assign(pairs, 0);
  for (std::size_t block = 0; block < blocks; ++block) {
    for (std::size_t q = 0; q < pairs; ++q) energies[q] += energy_parts[block * pairs + q];
  }
}

/// The gradient of Σ slope · energy with respect to the output, block by block.
void Graph2GaussTrainer::State::add_gradients(std::span<const DocumentPair> slot_pairs, std::span<const float> slopes) {
  gradients.assign(slots() * output_width(), 0);
  parallel_for(threads, mean_width / kBlock, [&](std::size_t block, std::size_t) {
    const std::size_t from = block * kBlock;
    for (std::size_t q = 0; q < slot_pairs.size(); ++q) {
      const std::size_t i = slot_pairs[q].a, j = slot_pairs[q].b;
      const float *mean_i = mean(i) + from, *mean_j = mean(j) + from;
      const float* variance_j = &variance[j * mean_width + from];
      const float *inverse_i = &inverse[i * mean_width + from], *inverse_j = &inverse[j * mean_width + from];
      float *to_mean_i = &gradients[i * output_width() + from], *to_mean_j = &gradients[j * output_width() + from];
      float *to_variance_i = to_mean_i + mean_width, *to_variance_j = to_mean_j + mean_width;
      const float slope = slopes[q], half = 0.5f * slope;
#pragma GCC ivdep  // i and j differ: none of the rows overlap
      for (std::size_t k = 0; k < kBlock; ++k) {
        const float apart = mean_i[k] - mean_j[k], by_mean = slope * apart * inverse_i[k];
        to_mean_i[k] += by_mean;
        to_mean_j[k] -= by_mean;
        to_variance_i[k] += half * inverse_i[k] * (1.0f - (variance_j[k] + apart * apart) * inverse_i[k]);
        to_variance_j[k] += half * (inverse_i[k] - inverse_j[k]);
      }
    }
    for (std::size_t s = 0; s < slots(); ++s) {  // σ = x + 1, or exp(x)
      const std::size_t at = s * output_width() + mean_width + from;
      for (std::size_t k = 0; k < kBlock; ++k) {
        gradients[at + k] *= output[at + k] > 0 ? 1.0f : variance[s * mean_width + from + k];
      }
    }
  });
}

void Graph2GaussTrainer::State::backward() {
  by_weight.resize(output_matrix.size());
  hidden_gradients.resize(hidden.size());
  const MatrixView hidden_rows{hidden.data(), slots(), hidden_width};
  const MatrixView gradient_rows{gradients.data(), slots(), output_width()};
  const MatrixView weight_rows{output_matrix.data(), hidden_width, output_width()};
  multiply({hidden_rows, true}, {gradient_rows}, by_weight, false, threads);
  multiply({gradient_rows}, {weight_rows, true}, hidden_gradients, false, threads);
  for (std::size_t at = 0; at < hidden.size(); ++at) hidden_gradients[at] = hidden[at] > 0 ? hidden_gradients[at] : 0;
}

/// Adam: on the words of the round's documents, lazily, and on all other weights.
void Graph2GaussTrainer::State::apply() {
  Adam adam{};
  adam.rate = adam_rate(settings.learning_rate, steps++);
  for (std::uint32_t s = static_cast<std::uint32_t>(each_slot.size()); s < slots(); ++s) each_slot.push_back({s, 1});
  for (std::uint32_t k = static_cast<std::uint32_t>(each_row.size()); k < hidden_width; ++k) each_row.push_back({k, 1});
  const auto update = [&](const WordSlice& weights, std::span<const WordGradient> rows, const std::vector<Term>& terms,
                          const std::vector<float>& from) {
    parallel_parts(threads, rows.size() - 1, kWordsAtOnce, [&](std::size_t begin, std::size_t end) {
      adam_words(weights, rows.data() + begin, end - begin, terms.data(), from.data(), adam, nullptr, nullptr, nullptr);
    });
  };
  const auto update_bias = [&](const WordSlice& weights, std::size_t row, const std::vector<float>& from) {
    const WordGradient rows[] = {{static_cast<std::uint32_t>(row), 0}, {0, static_cast<std::uint32_t>(slots())}};
    update(weights, rows, each_slot, from);
  };
  std::vector<WordGradient> hidden_rows;
  for (std::uint32_t k = 0; k <= hidden_width; ++k) hidden_rows.push_back({k, k});
  update(words, batch.words, batch.word_terms, hidden_gradients);
  update_bias(words, corpus.words(), hidden_gradients);
  update(output_weights, hidden_rows, each_row, by_weight);
  update_bias(output_weights, hidden_width, gradients);
  copy_output_weights();
}

void Graph2GaussTrainer::State::copy_output_weights() {
  for (std::size_t k = 0; k < hidden_width; ++k) {
    std::copy_n(output_weights.word(k), output_width(), output_matrix.data() + k * output_width());
  }
}

Graph2GaussTrainer::Graph2GaussTrainer(const Corpus& corpus, const Graph2GaussSettings& settings,
                                       const Graph2GaussParameters& start, int threads)
    : state_(std::make_unique<State>(corpus, settings, threads)) {
  State& state = *state_;
  const auto fill = [](const std::vector<float>& from, std::size_t width, const WordSlice& to, std::size_t first_row,
                       std::size_t first_column) {
    for (std::size_t row = 0; row * width < from.size(); ++row) {
      std::copy_n(from.data() + row * width, width, to.word(first_row + row) + first_column);
    }
  };
  fill(start.words, settings.hidden, state.words, 0, 0);
  fill(start.hidden_bias, settings.hidden, state.words, corpus.words(), 0);
  fill(start.mean, settings.dimensions, state.output_weights, 0, 0);
  fill(start.mean_bias, settings.dimensions, state.output_weights, state.hidden_width, 0);
  fill(start.variance, settings.dimensions, state.output_weights, 0, state.mean_width);
  fill(start.variance_bias, settings.dimensions, state.output_weights, state.hidden_width, state.mean_width);
  state.copy_output_weights();
}

Graph2GaussTrainer::~Graph2GaussTrainer() = default;

Graph2GaussParameters Graph2GaussTrainer::parameters() const {
  const State& state = *state_;
  const auto take = [](const WordSlice& from, std::size_t first_row, std::size_t rows, std::size_t first_column,
                       std::size_t width) {
    std::vector<float> to(rows * width);
    for (std::size_t row = 0; row < rows; ++row) {
      std::copy_n(from.word(first_row + row) + first_column, width, to.data() + row * width);
    }
    return to;
  };
  const std::size_t hidden = state.settings.hidden, width = state.settings.dimensions;
  return {take(state.words, 0, state.corpus.words(), 0, hidden),
          take(state.words, state.corpus.words(), 1, 0, hidden),
          take(state.output_weights, 0, hidden, 0, width),
          take(state.output_weights, state.hidden_width, 1, 0, width),
          take(state.output_weights, 0, hidden, state.mean_width, width),
          take(state.output_weights, state.hidden_width, 1, state.mean_width, width)};
}

void Graph2GaussTrainer::save(SavedState& state) const {
  const auto all = [](const Buffer& buffer) { return std::vector(buffer.data(), buffer.data() + buffer.size()); };
  state.set_number("adam", state_->steps);
  state.set("word_records", all(state_->word_records));
  state.set("output_records", all(state_->output_records));
}

void Graph2GaussTrainer::restore(const SavedState& state) {
  const auto fill = [&](const char* name, const Buffer& buffer) {
    std::ranges::copy(state.floats(name, buffer.size()), buffer.data());
  };
  state_->steps = state.number("adam");
  fill("word_records", state_->word_records);
  fill("output_records", state_->output_records);
  state_->copy_output_weights();
}

double Graph2GaussTrainer::advance(const HopRound& round) {
  State& state = *state_;
  state.begin();
  const std::size_t kinds = state.settings.hops + 1;
  std::vector<DocumentPair> pairs;
  std::vector<std::size_t> first_pair{0};  // of each anchor
  double triplets = 0;
  for (std::size_t n = 0; n < round.anchors.size(); ++n) {
    const auto partners = std::span(round.partners).subspan(n * kinds, kinds);
    const auto found = kinds - static_cast<std::size_t>(std::count(partners.begin(), partners.end(), kNoDocument));
    if (found < 2) continue;  // nothing to compare
    for (const std::uint32_t partner : partners) {
      if (partner != kNoDocument) pairs.push_back({state.slot_of(round.anchors[n]), state.slot_of(partner)});
    }
    first_pair.push_back(pairs.size());
    triplets += static_cast<double>(found * (found - 1)) / 2;
  }
  if (pairs.empty()) return std::nan("");
  state.forward();
  state.find_energies(pairs);

  // Partner k of m is the nearer one in m − 1 − k triplets and the farther one in k.
  std::vector<float> slopes(pairs.size());
  double loss = 0;
  for (std::size_t n = 0; n + 1 < first_pair.size(); ++n) {
    const std::size_t found = first_pair[n + 1] - first_pair[n];
    for (std::size_t k = 0; k < found; ++k) {
      const double energy = state.energies[first_pair[n] + k], decay = std::exp(-energy);
      const auto nearer = static_cast<double>(found - 1 - k), farther = static_cast<double>(k);
      loss += nearer * energy * energy + farther * decay;
      slopes[first_pair[n] + k] = static_cast<float>((nearer * 2 * energy - farther * decay) / triplets);
    }
  }
  state.add_gradients(pairs, slopes);
  state.backward();
  state.apply();
  return loss / triplets;
}

std::vector<double> Graph2GaussTrainer::energies(std::span<const DocumentPair> pairs) {
  State& state = *state_;
  state.begin();
  std::vector<DocumentPair> slot_pairs;
  for (const DocumentPair& pair : pairs) slot_pairs.push_back({state.slot_of(pair.a), state.slot_of(pair.b)});
  if (pairs.empty()) return {};
  state.forward();
  state.find_energies(slot_pairs);
  return state.energies;
}

}  // namespace idne
