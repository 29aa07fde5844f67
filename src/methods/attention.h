#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "idne/model.h"

namespace idne {

/// The activation g of the attention (paper, section 3.1). ReluKept is Relu without its gate: a word that has no
/// positive product goes to the topic with the largest one instead of being lost; fitted topics use it.
enum class Activation { Relu, Softmax, ReluKept };

/// T W_w: the products of a word with all topics.
void topic_products(MatrixView topics, std::span<const float> word, std::span<float> products);

/// The word's column of Z = g(T Wᵀ diag(X)), from its topic products and its count in the document: non-negative, and
/// summing to one, or, with Relu, all zero where no topic wants the word. `weights` may be `products`.
void attention_weights(Activation activation, std::span<const float> products, std::uint32_t count,
                       std::span<float> weights);

/// Which words have any attention at all: 1 or 0 for each.
std::vector<std::uint8_t> active_words(Activation activation, MatrixView words, MatrixView topics);

struct ScoredWord {
  std::uint32_t word;
  float score;
};

/// For each topic the words with the largest product, best first; ties by word number.
std::vector<std::vector<ScoredWord>> top_words(MatrixView words, MatrixView topics, std::size_t count, int threads);

}  // namespace idne
