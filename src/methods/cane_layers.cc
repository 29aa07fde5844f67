#include "methods/cane_layers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "math/dense.h"
#include "math/kernels.h"

namespace idne {
namespace {

/// e^x to about 1e-7, in a form that compilers turn into vector code. The bits do not depend on the vectors' width.
/// REQUIRES: |x| ≤ 80.
inline float exponential(float x) {
  constexpr float kRound = 12582912.0f;  // 1.5 · 2²³: adding and taking it away rounds to a whole number
  const float power = (x * 1.44269504f + kRound) - kRound;
  const float r = (x - power * 0.693359375f) + power * 2.12194440e-4f;  // ln 2 in two parts
  float sum = 1.0f / 5040;
  sum = sum * r + 1.0f / 720;
  sum = sum * r + 1.0f / 120;
  sum = sum * r + 1.0f / 24;
  sum = sum * r + 1.0f / 6;
  sum = sum * r + 0.5f;
  sum = sum * r + 1.0f;
  sum = sum * r + 1.0f;
  return sum * std::bit_cast<float>((static_cast<std::int32_t>(power) + 127) << 23);
}

/// Beyond ±10 tanh is ±1 in a float. The bounds have a loop of their own, because compilers turn them into branches
/// when they see what follows, and then make no vector code.
void tanh_in_place(float* values, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) values[k] = std::min(10.0f, std::max(-10.0f, values[k]));
  for (std::size_t k = 0; k < count; ++k) values[k] = 1.0f - 2.0f / (exponential(2 * values[k]) + 1.0f);
}

/// REQUIRES: |values| ≤ 1, which means of tanh are.
void softmax_in_place(std::vector<float>& values) {
  float sum = 0;
  for (float& x : values) sum += x = exponential(x);
  for (float& x : values) x /= sum;
}

}  // namespace

CaneTexts::CaneTexts(const CountMatrix& counts, std::size_t longest, std::uint64_t seed) {
  std::vector<std::uint32_t> text;
  for (std::size_t i = 0; i < counts.rows(); ++i) {
    text.clear();
    for (const WordCount& entry : counts.row(i)) text.insert(text.end(), entry.count, entry.word);
    Random random = cane_random(seed, CaneStart::Order, i);
    for (std::size_t k = 0; k < std::min(longest, text.size()); ++k) {
      std::swap(text[k], text[k + random.below(static_cast<std::uint32_t>(text.size() - k))]);
      words_.push_back(text[k]);
    }
    offsets_.push_back(words_.size());
  }
}

void attend(MatrixView projected, MatrixView other, CaneAttention& attention) {
  const std::size_t rows = projected.rows, columns = other.rows;
  attention.scores.resize(rows * columns);
  attention.first.assign(rows, 0);
  attention.second.assign(columns, 0);
  if (rows > 0 && columns > 0) {
    multiply({projected, false}, {other, true}, attention.scores, false, 1);
    tanh_in_place(attention.scores.data(), attention.scores.size());
    const std::vector<float> share(columns, 1 / static_cast<float>(columns));
    for (std::size_t i = 0; i < rows; ++i) {
      const std::span row(attention.scores.data() + i * columns, columns);
      attention.first[i] = dot(row.data(), share.data(), columns);
      for (std::size_t j = 0; j < columns; ++j) attention.second[j] += row[j];
    }
    for (float& x : attention.second) x /= static_cast<float>(rows);
  }
  softmax_in_place(attention.first);
  softmax_in_place(attention.second);
}

void weigh(MatrixView rows, std::span<const float> weights, std::span<float> out) {
  std::vector<Term> terms(rows.rows);
  for (std::uint32_t i = 0; i < terms.size(); ++i) terms[i] = {i, weights[i]};
  weighted_sum(rows.data, rows.columns, terms.data(), terms.size(), rows.columns, out.data());
}

void convolve(std::span<const std::uint32_t> words, MatrixView filtered, float* out) {
  const std::size_t d = filtered.columns / 2, count = cane_positions(words.size());
  for (std::size_t p = 0; p < count; ++p) {
    const float* first = filtered.row(words[p]).data();
    if (p + 1 < words.size()) {
      const float* second = filtered.row(words[p + 1]).data() + d;
      for (std::size_t k = 0; k < d; ++k) out[p * d + k] = first[k] + second[k];
    } else {
      std::copy_n(first, d, out + p * d);
    }
  }
  tanh_in_place(out, count * d);
}

void cut_to_unit(std::span<const float> vector, std::span<float> out) {
  const float square = dot(vector.data(), vector.data(), vector.size());
  const float scale = square > 1 ? 1 / std::sqrt(square) : 1;
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = scale * vector[k];
}

}  // namespace idne
