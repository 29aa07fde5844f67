#include "methods/graph2gauss.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <set>

#include "math/buffer.h"
#include "math/dense.h"
#include "math/kernels.h"
#include "math/parallel.h"
#include "math/random.h"
#include "methods/encode.h"
#include "methods/idne_batch.h"

namespace idne {
namespace {

constexpr std::size_t kRowsAtOnce = 16;    // documents of a round that a thread takes at once
constexpr std::size_t kWordsAtOnce = 128;  // rows of weights
constexpr int kDraws = 16;                 // before a document of some kind counts as not found
constexpr std::uint32_t kLeastKnown = 16, kMostKnown = 256;
constexpr float kLeastVariance = 1e-14f;

// Streams of Purpose::HeldOut: the neighbours of document i are stream i.
constexpr std::uint64_t kLinkStream = std::uint64_t{1} << 40, kPairStream = kLinkStream + 1;
constexpr std::uint64_t kHoldOutStreams = std::uint64_t{1} << 63;

std::size_t whole_blocks(std::size_t width) { return (width + kBlock - 1) / kBlock * kBlock; }

void in_parts(int threads, std::size_t count, std::size_t at_once,
              const std::function<void(std::size_t begin, std::size_t end)>& work) {
  parallel_for(threads, (count + at_once - 1) / at_once,
               [&](std::size_t part, std::size_t) { work(part * at_once, std::min(count, (part + 1) * at_once)); });
}

}  // namespace

HopSampler::HopSampler(const Corpus& corpus, const Graph2GaussSettings& settings, const Run& run)
    : corpus_(corpus), settings_(settings) {
  for (std::uint32_t i = 0; i < corpus.documents(); ++i) {
    if (corpus.counts.row(i).empty()) continue;
    with_words_.push_back(i);
    if (corpus.network.degree(i) > 0) anchors_.push_back(i);
  }
  learn_neighbours(run);
}

void HopSampler::learn_neighbours(const Run& run) {
  const std::size_t documents = corpus_.documents();
  constexpr std::size_t kAtOnce = 256;
  std::vector<std::vector<std::uint32_t>> parts((documents + kAtOnce - 1) / kAtOnce);
  known_begin_.assign(documents + 1, 0);
  in_parts(run.threads, documents, kAtOnce, [&](std::size_t begin, std::size_t end) {
    run.check();
    std::vector<std::uint32_t>& part = parts[begin / kAtOnce];
    std::vector<std::uint32_t> drawn;
    for (std::size_t i = begin; i < end; ++i) {
      const double degree = corpus_.network.degree(static_cast<std::uint32_t>(i));
      if (degree <= 0) continue;
      drawn.resize(static_cast<std::size_t>(std::clamp<double>(8 * degree, kLeastKnown, kMostKnown)));
      Random random(settings_.seed, Purpose::HeldOut, i);
      for (std::uint32_t& j : drawn) j = corpus_.network.draw_neighbour(static_cast<std::uint32_t>(i), random);
      std::sort(drawn.begin(), drawn.end());
      const auto last = std::unique(drawn.begin(), drawn.end());
      part.insert(part.end(), drawn.begin(), last);
      known_begin_[i + 1] = static_cast<std::uint64_t>(last - drawn.begin());
    }
  });
  for (std::size_t i = 0; i < documents; ++i) known_begin_[i + 1] += known_begin_[i];
  known_.reserve(known_begin_.back());
  for (const auto& part : parts) known_.insert(known_.end(), part.begin(), part.end());
}

bool HopSampler::known_neighbours(std::uint32_t a, std::uint32_t b) const {
  const auto knows = [&](std::uint32_t i, std::uint32_t j) {
    return std::binary_search(known_.begin() + static_cast<std::ptrdiff_t>(known_begin_[i]),
                              known_.begin() + static_cast<std::ptrdiff_t>(known_begin_[i + 1]), j);
  };
  return knows(a, b) || knows(b, a);
}

/// A function of the pair, so that held-out links need no list; a document's only link is never held out.
bool HopSampler::is_held_out(std::uint32_t a, std::uint32_t b) const {
  if (settings_.held_out <= 0 || corpus_.network.degree(a) <= 1 || corpus_.network.degree(b) <= 1) return false;
  const std::uint64_t pair = std::uint64_t{std::min(a, b)} << 31 | std::max(a, b);
  return Random(settings_.seed, Purpose::HeldOut, kHoldOutStreams | pair).uniform() < settings_.held_out;
}

std::uint32_t HopSampler::draw_near(std::uint32_t i, std::size_t hops, Random& random) const {
  for (int tries = 0; tries < kDraws; ++tries) {
    std::uint32_t j = i;
    bool along_kept_links = true;
    for (std::size_t hop = 0; hop < hops && along_kept_links; ++hop) {
      const std::uint32_t next = corpus_.network.draw_neighbour(j, random);
      along_kept_links = !is_held_out(j, next);
      j = next;
    }
    if (!along_kept_links || j == i || corpus_.counts.row(j).empty()) continue;
    if (hops == 1 || !known_neighbours(i, j)) return j;
  }
  return kNoDocument;
}

std::uint32_t HopSampler::draw_far(std::uint32_t i, std::span<const std::uint32_t> nearer, Random& random) const {
  for (int tries = 0; tries < kDraws; ++tries) {
    const std::uint32_t j = with_words_[random.below(static_cast<std::uint32_t>(with_words_.size()))];
    const bool is_nearer = std::find(nearer.begin(), nearer.end(), j) != nearer.end();
    if (j != i && !is_nearer && !known_neighbours(i, j)) return j;
  }
  return kNoDocument;
}

HopRound HopSampler::round(std::uint64_t round) const {
  HopRound result;
  if (empty()) return result;
  Random random(settings_.seed, Purpose::Triplets, round);
  const bool all = anchors_.size() <= settings_.batch;
  for (std::size_t n = 0; n < std::min(anchors_.size(), settings_.batch); ++n) {
    const std::uint32_t i = anchors_[all ? n : random.below(static_cast<std::uint32_t>(anchors_.size()))];
    result.anchors.push_back(i);
    const std::size_t first = result.partners.size();
    for (std::size_t hops = 1; hops <= settings_.hops; ++hops) result.partners.push_back(draw_near(i, hops, random));
    result.partners.push_back(draw_far(i, std::span(result.partners).subspan(first), random));
  }
  return result;
}

std::vector<DocumentPair> HopSampler::held_out_links(std::size_t count) const {
  std::vector<DocumentPair> links;
  if (empty() || settings_.held_out <= 0) return links;
  Random random(settings_.seed, Purpose::HeldOut, kLinkStream);
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  const auto tries = static_cast<double>(count) * 4 / settings_.held_out;
  for (double n = 0; n < tries && links.size() < count; ++n) {
    const std::uint32_t i = anchors_[random.below(static_cast<std::uint32_t>(anchors_.size()))];
    const std::uint32_t j = corpus_.network.draw_neighbour(i, random);
    if (!is_held_out(i, j) || corpus_.counts.row(j).empty() || !seen.insert(std::minmax(i, j)).second) continue;
    links.push_back({i, j});
  }
  return links;
}

std::vector<DocumentPair> HopSampler::unlinked_pairs(std::size_t count) const {
  std::vector<DocumentPair> pairs;
  Random random(settings_.seed, Purpose::HeldOut, kPairStream);
  for (std::size_t n = 0; n < count && !empty(); ++n) {
    const std::uint32_t i = anchors_[random.below(static_cast<std::uint32_t>(anchors_.size()))];
    const std::uint32_t j = draw_far(i, {}, random);
    if (j != kNoDocument) pairs.push_back({i, j});
  }
  return pairs;
}

namespace {

/// Fills a matrix of the given shape; `stream` counts the rows that were filled before.
std::vector<float> uniform_rows(std::size_t rows, std::size_t columns, std::size_t fans, std::uint64_t seed,
                                std::uint64_t& stream, int threads) {
  const double range = std::sqrt(6 / static_cast<double>(fans));
  std::vector<float> values(rows * columns);
  in_parts(threads, rows, 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      Random random(seed, Purpose::ParameterStart, stream + row);
      for (std::size_t k = 0; k < columns; ++k) {
        values[row * columns + k] = static_cast<float>(range * (2 * random.uniform() - 1));
      }
    }
  });
  stream += rows;
  return values;
}

}  // namespace

Graph2GaussParameters graph2gauss_start(std::size_t words, const Graph2GaussSettings& settings, int threads) {
  const std::size_t hidden = settings.hidden, width = settings.dimensions;
  std::uint64_t stream = 0;
  const auto rows = [&](std::size_t n, std::size_t columns, std::size_t fans) {
    return uniform_rows(n, columns, fans, settings.seed, stream, threads);
  };
  Graph2GaussParameters start;
  start.words = rows(words, hidden, words + hidden);
  start.hidden_bias = rows(1, hidden, 2 * hidden);
  start.mean = rows(hidden, width, hidden + width);
  start.mean_bias = rows(1, width, 2 * width);
  start.variance = rows(hidden, width, hidden + width);
  start.variance_bias = rows(1, width, 2 * width);
  return start;
}

Graph2GaussInput graph2gauss_input(const Corpus& corpus) {
  std::vector<std::uint32_t> in_documents(corpus.words());
  for (std::size_t i = 0; i < corpus.documents(); ++i) {
    for (const WordCount& entry : corpus.counts.row(i)) ++in_documents[entry.word];
  }
  Graph2GaussInput input;
  // One more document with every word, so that no word weighs nothing.
  for (const std::uint32_t n : in_documents) {
    input.idf.push_back(static_cast<float>(1 + std::log((1.0 + static_cast<double>(corpus.documents())) / (1.0 + n))));
  }
  for (std::size_t i = 0; i < corpus.documents(); ++i) {
    double square = 0;
    for (const WordCount& entry : corpus.counts.row(i)) {
      square += std::pow(static_cast<double>(entry.count) * input.idf[entry.word], 2);
    }
    input.scale.push_back(square > 0 ? static_cast<float>(1 / std::sqrt(square)) : 0.0f);
  }
  return input;
}

struct Graph2GaussTrainer::State {
  State(const Corpus& corpus, const Graph2GaussSettings& settings, int threads)
      : corpus(corpus),
        settings(settings),
        threads(threads),
        hidden_width(whole_blocks(settings.hidden)),
        mean_width(whole_blocks(settings.dimensions)),
        input(graph2gauss_input(corpus)),
        maker(corpus, input.scale),
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
  in_parts(threads, slots(), kRowsAtOnce, [&](std::size_t begin, std::size_t end) { find_hidden(begin, end); });
  multiply({{hidden.data(), slots(), hidden_width}}, {{output_matrix.data(), hidden_width, output_width()}}, output,
           false, threads);
  in_parts(threads, slots(), kRowsAtOnce, [&](std::size_t begin, std::size_t end) { find_variance(begin, end); });
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
  const auto t = static_cast<double>(++steps);
  Adam adam{};
  adam.rate = static_cast<float>(settings.learning_rate * std::sqrt(1 - std::pow(0.999, t)) / (1 - std::pow(0.9, t)));
  for (std::uint32_t s = static_cast<std::uint32_t>(each_slot.size()); s < slots(); ++s) each_slot.push_back({s, 1});
  for (std::uint32_t k = static_cast<std::uint32_t>(each_row.size()); k < hidden_width; ++k) each_row.push_back({k, 1});
  const auto update = [&](const WordSlice& weights, std::span<const WordGradient> rows, const std::vector<Term>& terms,
                          const std::vector<float>& from) {
    in_parts(threads, rows.size() - 1, kWordsAtOnce, [&](std::size_t begin, std::size_t end) {
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
    triplets += static_cast<double>(found * (found - 1) / 2);
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

namespace {

constexpr std::size_t kValidationPairs = 512;  // links, and as many pairs that are none
constexpr std::size_t kLeastValidation = 16;   // fewer say nothing
constexpr std::uint64_t kRoundsBetween = 10;   // validations

const std::vector<OptionSpec>& option_table() {
  static const std::vector<OptionSpec> table{
      {"dim", std::int64_t{256}, "dimensions of the space: of means, and as many of variances", 1, 8192, {}},
      {"hidden", std::int64_t{512}, "width of the hidden layer", 1, 65536, {}},
      {"hops", std::int64_t{2}, "distances that are ranked: 1 … this many links, and farther", 1, 16, {}},
      {"rounds", std::int64_t{2000}, "training rounds at most", 0, 1e9, {}},
      {"patience", std::int64_t{100}, "rounds without a better ranking of held-out links before it stops", 1, 1e9, {}},
      {"held-out", 0.1, "share of links held out to know when to stop; 0: all rounds are run", 0, 0.5, {}},
      {"batch", std::int64_t{64}, "documents a round, each with one at every distance", 1, 1e6, {}},
      {"learning-rate", 1e-3, "Adam's step size", 1e-9, 10, {}},
      {"seed", std::int64_t{1}, "seed of all random numbers", 0, 9e15, {}},
  };
  return table;
}

Graph2GaussSettings settings_from(const Options& options) {
  Graph2GaussSettings settings;
  settings.dimensions = static_cast<std::size_t>(options.integer("dim"));
  settings.hidden = static_cast<std::size_t>(options.integer("hidden"));
  settings.hops = static_cast<std::size_t>(options.integer("hops"));
  settings.batch = static_cast<std::size_t>(options.integer("batch"));
  settings.learning_rate = options.real("learning-rate");
  settings.held_out = options.real("held-out");
  settings.seed = static_cast<std::uint64_t>(options.integer("seed"));
  return settings;
}

/// How often a held-out link has a lower energy than a pair that is no link; ties count half.
class Validation {
 public:
  explicit Validation(const HopSampler& sampler) : pairs_(sampler.held_out_links(kValidationPairs)) {
    links_ = pairs_.size();
    const auto others = sampler.unlinked_pairs(links_);
    pairs_.insert(pairs_.end(), others.begin(), others.end());
  }
  bool possible() const { return links_ >= kLeastValidation && pairs_.size() - links_ >= kLeastValidation; }
  double score(Graph2GaussTrainer& trainer) const {
    const std::vector<double> energies = trainer.energies(pairs_);
    double right = 0;
    for (std::size_t a = 0; a < links_; ++a) {
      for (std::size_t b = links_; b < energies.size(); ++b) {
        right += energies[a] < energies[b] ? 1 : energies[a] == energies[b] ? 0.5 : 0;
      }
    }
    return right / static_cast<double>(links_) / static_cast<double>(energies.size() - links_);
  }

 private:
  std::vector<DocumentPair> pairs_;
  std::size_t links_;
};

struct Trained {
  Graph2GaussParameters parameters;
  std::uint64_t rounds = 0;  ///< after which the parameters were taken
  double loss = std::nan("");
};

Trained train_rounds(const Corpus& corpus, const Graph2GaussSettings& settings, std::uint64_t rounds,
                     std::uint64_t patience, const Run& run) {
  using Clock = std::chrono::steady_clock;
  const HopSampler sampler(corpus, settings, run);
  const Validation validation(sampler);
  Graph2GaussTrainer trainer(corpus, settings, graph2gauss_start(corpus.words(), settings, run.threads), run.threads);
  Trained best{trainer.parameters()};
  if (sampler.empty()) return best;
  double best_score = -1;
  auto reported = Clock::now();
  for (std::uint64_t done = 1; done <= rounds; ++done) {
    run.check();
    const double loss = trainer.advance(sampler.round(done));
    if (const auto now = Clock::now(); now - reported > std::chrono::milliseconds(100) || done == rounds) {
      reported = now;
      run.report({"training", done, rounds, loss});
    }
    if (!validation.possible()) {
      if (done == rounds) best = {trainer.parameters(), done, loss};
      continue;
    }
    if (done % kRoundsBetween != 0 && done != rounds) continue;
    if (const double score = validation.score(trainer); score > best_score) {
      best_score = score;
      best = {trainer.parameters(), done, loss};
    } else if (done - best.rounds >= patience) {
      break;
    }
  }
  return best;
}

/// The mean of a document's Gaussian.
class Graph2GaussEncoder : public Encoder {
 public:
  Graph2GaussEncoder(MatrixView words, std::span<const float> hidden_bias, MatrixView mean,
                     std::span<const float> mean_bias, std::span<const float> idf)
      : words_(words), hidden_bias_(hidden_bias), mean_(mean), mean_bias_(mean_bias), idf_(idf) {}
  std::size_t dimensions() const override { return mean_.columns; }
  void encode(std::span<const WordCount> words, std::span<float> out) const override {
    std::fill(out.begin(), out.end(), 0.0f);
    if (words.empty()) return;
    double square = 0;
    for (const WordCount& entry : words) square += std::pow(static_cast<double>(entry.count) * idf_[entry.word], 2);
    const double scale = square > 0 ? 1 / std::sqrt(square) : 0;
    std::vector<Term> terms;
    for (const WordCount& entry : words) {
      terms.push_back({entry.word, static_cast<float>(entry.count * scale * idf_[entry.word])});
    }
    std::vector<float> hidden(words_.columns);
    weighted_sum(words_.data, words_.columns, terms.data(), terms.size(), words_.columns, hidden.data());
    terms.clear();
    for (std::uint32_t k = 0; k < hidden.size(); ++k) {
      if (const float h = hidden[k] + hidden_bias_[k]; h > 0) terms.push_back({k, h});
    }
    weighted_sum(mean_.data, mean_.columns, terms.data(), terms.size(), mean_.columns, out.data());
    for (std::size_t k = 0; k < out.size(); ++k) out[k] += mean_bias_[k];
  }

 private:
  MatrixView words_;
  std::span<const float> hidden_bias_;
  MatrixView mean_;
  std::span<const float> mean_bias_, idf_;
};

class Graph2Gauss : public Method {
 public:
  std::string_view name() const override { return "graph2gauss"; }
  std::string_view summary() const override {
    return "a Gaussian from a document's words, ranked by distance in links";
  }
  std::span<const OptionSpec> options() const override { return option_table(); }

  Model fit(const Corpus& corpus, const Options& options, const Run& run) const override {
    const Graph2GaussSettings settings = settings_from(options);
    Trained trained = train_rounds(corpus, settings, static_cast<std::uint64_t>(options.integer("rounds")),
                                   static_cast<std::uint64_t>(options.integer("patience")), run);
    Graph2GaussParameters& weights = trained.parameters;
    const std::size_t hidden = settings.hidden, width = settings.dimensions;
    Model model;
    model.add("hidden.weights", std::move(weights.words), {corpus.words(), hidden});
    model.add("hidden.bias", std::move(weights.hidden_bias), {hidden});
    model.add("mean.weights", std::move(weights.mean), {hidden, width});
    model.add("mean.bias", std::move(weights.mean_bias), {width});
    model.add("words.idf", graph2gauss_input(corpus).idf, {corpus.words()});
    model.add("documents.vectors", encode_all(corpus.counts, *encoder(model), run), {corpus.documents(), width});
    model.metadata["rounds"] = fmt::format("{}", trained.rounds);
    if (!std::isnan(trained.loss)) model.metadata["loss"] = fmt::format("{:.6f}", trained.loss);
    return model;
  }

  std::unique_ptr<Encoder> encoder(const Model& model) const override {
    const MatrixView words = model.matrix("hidden.weights"), mean = model.matrix("mean.weights");
    const auto hidden_bias = model.floats("hidden.bias"), mean_bias = model.floats("mean.bias");
    const auto idf = model.floats("words.idf");
    const bool known_words = !model.has("words.counts") || model.numbers64("words.counts").size() == words.rows;
    const bool known_width = !model.has("documents.vectors") || model.documents().columns == mean.columns;
    if (!known_words || !known_width || hidden_bias.size() != words.columns || mean.rows != words.columns ||
        mean_bias.size() != mean.columns || idf.size() != words.rows) {
      throw Error("this model's layers do not fit together");
    }
    return std::make_unique<Graph2GaussEncoder>(words, hidden_bias, mean, mean_bias, idf);
  }
};

}  // namespace

const Method& graph2gauss_method() {
  static const Graph2Gauss method;
  return method;
}

}  // namespace idne
