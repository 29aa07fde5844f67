#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "idne/matrix.h"
#include "idne/text.h"
#include "math/random.h"

/// CANE's parts that training and the making of vectors share: texts as sequences, their convolution, the attention of
/// two of them for each other.
namespace idne {

/// What is drawn before training: streams of their own, one per row.
enum class CaneStart : std::uint64_t { Words, Filters, Attention, Structure, Order };
inline Random cane_random(std::uint64_t seed, CaneStart what, std::uint64_t row) {
  return {seed, Purpose::ParameterStart, static_cast<std::uint64_t>(what) << 40 | row};
}

/// Bags of words laid out as sequences, which CANE's convolution needs: each word as often as it occurs, in an order
/// drawn once, because the order of the text is not known here. So neighbours in a sequence are words of the same
/// document, but not neighbours in its text. Of a long document the first `longest` are kept: a random part of it.
class CaneTexts {
 public:
  CaneTexts(const CountMatrix& counts, std::size_t longest, std::uint64_t seed);
  std::size_t documents() const { return offsets_.size() - 1; }
  std::span<const std::uint32_t> words(std::size_t document) const {
    return std::span(words_).subspan(offsets_[document], offsets_[document + 1] - offsets_[document]);
  }

 private:
  std::vector<std::size_t> offsets_{0};
  std::vector<std::uint32_t> words_;
};

/// How many columns of the convolution a text of so many words has. One word alone still has one, with nothing after
/// it.
inline std::size_t cane_positions(std::size_t words) { return words > 1 ? words - 1 : words; }

/// Mutual attention between two texts: how much each position of one counts in the light of the other.
struct CaneAttention {
  std::vector<float> scores;  ///< F = tanh(P A Qᵀ)
  std::vector<float> first;   ///< softmax of the means of F's rows: weights of the positions of P
  std::vector<float> second;  ///< softmax of the means of F's columns: weights of the positions of Q
};
/// `projected` is P A. A text without positions leaves the other one's at equal weights.
void attend(MatrixView projected, MatrixView other, CaneAttention& attention);

/// Σ weight · row: a text's vector from its positions. Zeros if there are none.
void weigh(MatrixView rows, std::span<const float> weights, std::span<float> out);

/// The positions of a text, tanh of the convolution, from each word's products with the filters (words × 2d).
void convolve(std::span<const std::uint32_t> words, MatrixView filtered, float* out);

/// A structure vector as it is used: cut to length 1.
void cut_to_unit(std::span<const float> vector, std::span<float> out);

}  // namespace idne
