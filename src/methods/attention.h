#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "idne/model.h"

namespace idne {

/// The activation g of the attention (paper, section 3.1). ReluKept is Relu without its gate: a word that has no
/// positive product goes to the topic with the largest one instead of being lost; fitted topics use it.
enum class Activation { Relu, Softmax, ReluKept };

/// As a model file names it, and back; "relu" for what is not known.
std::string_view activation_name(Activation activation);
Activation activation_of(const Model& model);

/// T W_w: the products of a word with all topics.
void topic_products(MatrixView topics, std::span<const float> word, std::span<float> products);

/// The word's column of Z = g(T Wᵀ diag(X)), from its topic products and its count in the document: non-negative, and
/// summing to one, or, with Relu, all zero where no topic wants the word. `weights` may be `products`.
void attention_weights(Activation activation, std::span<const float> products, std::uint32_t count,
                       std::span<float> weights);

/// How the topics of a model attend to its words. The model must live as long.
class TopicAttention {
 public:
  /// Throws Error if the model has no topics.
  explicit TopicAttention(const Model& model)
      : words_(model.word_vectors()), topics_(model.topics().vectors), activation_(activation_of(model)) {}

  std::size_t topics() const { return topics_.rows; }
  /// attention_weights of a word that occurs so often.
  void weights(const WordCount& entry, std::span<float> out) const {
    topic_products(topics_, words_.row(entry.word), out);
    attention_weights(activation_, out, entry.count, out);
  }

 private:
  MatrixView words_, topics_;
  Activation activation_;
};

/// Which words have any attention at all: 1 or 0 for each.
std::vector<std::uint8_t> active_words(Activation activation, MatrixView words, MatrixView topics);

struct ScoredWord {
  std::uint32_t word;
  float score;
};

/// For each topic the words with the largest product, best first; ties by word number.
std::vector<std::vector<ScoredWord>> top_words(MatrixView words, MatrixView topics, std::size_t count, int threads);

}  // namespace idne
