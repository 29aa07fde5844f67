#include "methods/cane_batch.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "math/dense.h"
#include "math/parallel.h"

namespace idne {
namespace {

constexpr std::uint32_t kNone = ~0u;

/// ∂loss/∂values of softmax, in place of ∂loss/∂weights.
void through_softmax(std::span<const float> weights, std::span<float> slopes) {
  const float mean = dot(weights.data(), slopes.data(), weights.size());
  for (std::size_t i = 0; i < slopes.size(); ++i) slopes[i] = weights[i] * (slopes[i] - mean);
}

/// The loss −log(σ(x) + 0.001), bounded as in the authors' code, times `weight`, and its ∂loss/∂x.
double bounded_log_loss(double x, double weight, double& slope) {
  constexpr double kBound = 0.001;
  const double sigmoid = 1 / (1 + std::exp(-x));
  slope = -weight * sigmoid * (1 - sigmoid) / (sigmoid + kBound);
  return -weight * std::log(sigmoid + kBound);
}

void add_scaled(std::span<const float> from, double scale, std::span<float> to) {
  for (std::size_t k = 0; k < to.size(); ++k) to[k] += static_cast<float>(scale) * from[k];
}

/// rows[i] += weights[i] · vector.
void add_outer(std::span<const float> weights, std::span<const float> vector, std::span<float> rows) {
  for (std::size_t i = 0; i < weights.size(); ++i) {
    add_scaled(vector, weights[i], rows.subspan(i * vector.size(), vector.size()));
  }
}

/// From F to ∂loss/∂(P A Qᵀ), in place: (1 − F²) · (∂/∂row mean / columns + ∂/∂column mean / rows).
void through_scores(std::vector<float>& scores, std::span<const float> first, std::span<float> second) {
  if (scores.empty()) return;
  const std::size_t columns = second.size();
  for (float& x : second) x /= static_cast<float>(first.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    float* row = scores.data() + i * columns;
    const float own = first[i] / static_cast<float>(columns);
    for (std::size_t j = 0; j < columns; ++j) row[j] = (1 - row[j] * row[j]) * (own + second[j]);
  }
}

Factor plain(MatrixView matrix) { return {matrix, false}; }
Factor transposed(MatrixView matrix) { return {matrix, true}; }

}  // namespace

CaneBatch::CaneBatch(const CaneTexts& texts, std::size_t words, std::size_t dimensions, const CaneWeights& weights)
    : texts_(texts), d_(dimensions), weights_(weights), place_(words, kNone) {}

MatrixView CaneBatch::slot(const std::vector<float>& stacked, std::size_t number) const {
  return {stacked.data() + begin_[number] * d_, begin_[number + 1] - begin_[number], d_};
}

std::span<float> CaneBatch::slot(std::vector<float>& stacked, std::size_t number) const {
  return std::span(stacked).subspan(begin_[number] * d_, (begin_[number + 1] - begin_[number]) * d_);
}

double CaneBatch::run(const CaneParameters& parameters, std::span<const CaneEdge> edges, int threads) {
  scratch_.resize(std::max(scratch_.size(), static_cast<std::size_t>(threads)));
  lay_out(edges);
  forward(parameters, threads);
  parallel_for(threads, edges_, [&](std::size_t e, std::size_t worker) { losses_[e] = edge(e, scratch_[worker]); });
  backward(parameters, threads);
  add_up_structure(parameters);
  return std::accumulate(losses_.begin(), losses_.end(), 0.0);
}

/// Finds the slots' positions, the distinct words, and for each word the positions that it is in, in their order.
void CaneBatch::lay_out(std::span<const CaneEdge> edges) {
  edges_ = edges.size();
  slots_.resize(3 * edges_);
  for (std::size_t e = 0; e < edges_; ++e) {
    slots_[e] = edges[e].from, slots_[edges_ + e] = edges[e].to, slots_[2 * edges_ + e] = edges[e].other;
  }
  for (const std::uint32_t word : words_) place_[word] = kNone;
  words_.clear();
  begin_.assign(1, 0);
  first_begin_.assign(1, 0), second_begin_.assign(1, 0);
  for (const std::uint32_t document : slots_) {
    const auto text = texts_.words(document);
    const std::size_t positions = cane_positions(text.size());
    for (std::size_t t = 0; t < text.size(); ++t) {
      std::uint32_t& place = place_[text[t]];
      if (place == kNone) {
        place = static_cast<std::uint32_t>(words_.size());
        words_.push_back(text[t]);
        first_begin_.push_back(0), second_begin_.push_back(0);
      }
      if (t < positions) ++first_begin_[place + 1];
      if (t > 0) ++second_begin_[place + 1];
    }
    begin_.push_back(begin_.back() + positions);
  }
  std::partial_sum(first_begin_.begin(), first_begin_.end(), first_begin_.begin());
  std::partial_sum(second_begin_.begin(), second_begin_.end(), second_begin_.begin());
  first_terms_.resize(first_begin_.back());
  second_terms_.resize(second_begin_.back());
  std::vector<std::uint32_t> next_first = first_begin_, next_second = second_begin_;
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    const auto text = texts_.words(slots_[s]);
    for (std::size_t p = 0; p < cane_positions(text.size()); ++p) {
      const auto position = static_cast<std::uint32_t>(begin_[s] + p);
      first_terms_[next_first[place_[text[p]]]++] = {position, 1};
      if (p + 1 < text.size()) second_terms_[next_second[place_[text[p + 1]]]++] = {position, 1};
    }
  }
}

void CaneBatch::forward(const CaneParameters& parameters, int threads) {
  vectors_.resize(words_.size() * d_);
  filtered_.resize(words_.size() * 2 * d_);
  for (std::size_t n = 0; n < words_.size(); ++n) {
    std::copy_n(parameters.words.data() + words_[n] * d_, d_, vectors_.data() + n * d_);
  }
  multiply(plain({vectors_.data(), words_.size(), d_}), plain({parameters.filters.data(), d_, 2 * d_}), filtered_,
           false, threads);

  const std::size_t positions = begin_.back();
  positions_.resize(positions * d_);
  position_slopes_.resize(positions * d_);
  for (auto* rows : {&text_, &structure_, &text_slopes_, &structure_slopes_}) rows->resize(slots_.size() * d_);
  losses_.resize(edges_);
  parallel_for(threads, slots_.size(), [&](std::size_t s, std::size_t) {
    std::vector<std::uint32_t> places;
    for (const std::uint32_t word : texts_.words(slots_[s])) places.push_back(place_[word]);
    convolve(places, {filtered_.data(), words_.size(), 2 * d_}, slot(positions_, s).data());
    cut_to_unit(std::span(parameters.structure).subspan(slots_[s] * d_, d_), std::span(structure_).subspan(s * d_, d_));
  });

  const std::size_t projected = begin_[edges_];  // the positions of all `from`
  projected_.resize(projected * d_);
  projected_slopes_.resize(projected * d_);
  multiply(plain({positions_.data(), projected, d_}), plain({parameters.attention.data(), d_, d_}), projected_, false,
           threads);
}

/// Forward and back through the attention and the loss of one edge.
double CaneBatch::edge(std::size_t number, Scratch& scratch) {
  const std::size_t from = number, to = edges_ + number, other = 2 * edges_ + number;
  const MatrixView projected{projected_.data() + begin_[from] * d_, begin_[from + 1] - begin_[from], d_};
  const MatrixView p = slot(std::as_const(positions_), from), q = slot(std::as_const(positions_), to),
                   n = slot(std::as_const(positions_), other);
  const auto row = [&](std::vector<float>& rows, std::size_t s) { return std::span(rows).subspan(s * d_, d_); };

  attend(projected, q, scratch.to);
  attend(projected, n, scratch.other);
  weigh(p, scratch.to.first, row(text_, from));
  weigh(q, scratch.to.second, row(text_, to));
  weigh(n, scratch.other.second, row(text_, other));

  for (const std::size_t s : {from, to, other}) {
    std::ranges::fill(row(text_slopes_, s), 0.0f);
    std::ranges::fill(row(structure_slopes_, s), 0.0f);
  }
  double loss = 0;
  const auto term = [&](std::vector<float>& a, std::size_t at_a, std::vector<float>& b, std::size_t at_b, float weight,
                        double sign) {
    double slope = 0;
    loss += bounded_log_loss(sign * dot(row(a, at_a).data(), row(b, at_b).data(), d_), weight, slope);
    const auto slopes = [&](std::vector<float>& values) -> std::vector<float>& {
      return &values == &text_ ? text_slopes_ : structure_slopes_;
    };
    add_scaled(row(b, at_b), sign * slope, row(slopes(a), at_a));
    add_scaled(row(a, at_a), sign * slope, row(slopes(b), at_b));
  };
  term(text_, from, text_, to, weights_.text, 1);
  term(text_, from, text_, other, weights_.text, -1);
  term(structure_, from, structure_, to, weights_.structure, 1);
  term(structure_, from, structure_, other, weights_.structure, -1);
  term(text_, to, structure_, from, weights_.cross, 1);
  term(text_, other, structure_, from, weights_.cross, -1);
  term(text_, from, structure_, to, weights_.cross, 1);
  term(text_, other, structure_, to, weights_.cross, -1);

  // Through the weights: ∂loss/∂weight of a position is its product with the text's slope.
  const auto weight_slopes = [&](MatrixView rows, std::size_t s, std::span<const float> weights,
                                 std::vector<float>& out) {
    out.resize(rows.rows);
    for (std::size_t i = 0; i < rows.rows; ++i) out[i] = dot(rows.row(i).data(), row(text_slopes_, s).data(), d_);
    through_softmax(weights, out);
  };
  weight_slopes(p, from, scratch.to.first, scratch.from_slopes);
  weight_slopes(q, to, scratch.to.second, scratch.to_slopes);
  weight_slopes(n, other, scratch.other.second, scratch.other_slopes);
  through_scores(scratch.to.scores, scratch.from_slopes, scratch.to_slopes);
  std::ranges::fill(scratch.from_slopes, 0.0f);  // the other document does not change how `from` is seen
  through_scores(scratch.other.scores, scratch.from_slopes, scratch.other_slopes);

  const auto projected_slopes = slot(projected_slopes_, from);
  const MatrixView to_scores{scratch.to.scores.data(), p.rows, q.rows};
  const MatrixView other_scores{scratch.other.scores.data(), p.rows, n.rows};
  multiply(plain(to_scores), plain(q), projected_slopes, false, 1);
  multiply(plain(other_scores), plain(n), projected_slopes, true, 1);
  multiply(transposed(to_scores), plain(projected), slot(position_slopes_, to), false, 1);
  multiply(transposed(other_scores), plain(projected), slot(position_slopes_, other), false, 1);
  std::ranges::fill(slot(position_slopes_, from), 0.0f);
  add_outer(scratch.to.first, row(text_slopes_, from), slot(position_slopes_, from));
  add_outer(scratch.to.second, row(text_slopes_, to), slot(position_slopes_, to));
  add_outer(scratch.other.second, row(text_slopes_, other), slot(position_slopes_, other));
  return loss;
}

/// From the positions' slopes to the gradients of attention, filters and words.
void CaneBatch::backward(const CaneParameters& parameters, int threads) {
  const std::size_t projected = begin_[edges_];
  const MatrixView attention{parameters.attention.data(), d_, d_}, slopes{projected_slopes_.data(), projected, d_};
  attention_gradients_.resize(d_ * d_);
  multiply(transposed({positions_.data(), projected, d_}), plain(slopes), attention_gradients_, false, threads);
  multiply(plain(slopes), transposed(attention), std::span(position_slopes_).first(projected * d_), true, threads);

  parallel_for(threads, slots_.size(), [&](std::size_t s, std::size_t) {  // through tanh
    const auto values = slot(positions_, s), out = slot(position_slopes_, s);
    for (std::size_t k = 0; k < values.size(); ++k) out[k] *= 1 - values[k] * values[k];
  });

  filtered_slopes_.resize(words_.size() * 2 * d_);
  constexpr std::size_t kWords = 64;
  parallel_parts(threads, words_.size(), kWords, [&](std::size_t begin, std::size_t end) {
    for (std::size_t w = begin; w < end; ++w) {
      float* out = filtered_slopes_.data() + w * 2 * d_;
      weighted_sum(position_slopes_.data(), d_, first_terms_.data() + first_begin_[w],
                   first_begin_[w + 1] - first_begin_[w], d_, out);
      weighted_sum(position_slopes_.data(), d_, second_terms_.data() + second_begin_[w],
                   second_begin_[w + 1] - second_begin_[w], d_, out + d_);
    }
  });

  const MatrixView filtered_slopes{filtered_slopes_.data(), words_.size(), 2 * d_};
  word_gradients_.resize(words_.size() * d_);
  filter_gradients_.resize(2 * d_ * d_);
  multiply(plain(filtered_slopes), transposed({parameters.filters.data(), d_, 2 * d_}), word_gradients_, false,
           threads);
  multiply(transposed({vectors_.data(), words_.size(), d_}), plain(filtered_slopes), filter_gradients_, false, threads);
}

/// A document's slots, added in their order, and through the cut to length 1.
void CaneBatch::add_up_structure(const CaneParameters& parameters) {
  std::vector<std::uint32_t> order(slots_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t s) { return slots_[s]; });
  documents_.clear();
  structure_gradients_.clear();
  for (std::size_t at = 0; at < order.size();) {
    const std::uint32_t document = slots_[order[at]];
    const std::span used(structure_.data() + order[at] * d_, d_);
    documents_.push_back(document);
    structure_gradients_.resize(documents_.size() * d_);
    const std::span gradient(structure_gradients_.data() + (documents_.size() - 1) * d_, d_);
    for (; at < order.size() && slots_[order[at]] == document; ++at) {
      add_scaled({structure_slopes_.data() + order[at] * d_, d_}, 1, gradient);
    }
    const float* vector = parameters.structure.data() + document * d_;
    const float length = std::sqrt(dot(vector, vector, d_));
    if (length <= 1) continue;
    add_scaled(used, -dot(gradient.data(), used.data(), d_), gradient);
    for (float& x : gradient) x /= length;
  }
}

}  // namespace idne
