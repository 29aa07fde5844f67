#include "methods/attention.h"

#include <algorithm>
#include <cmath>

#include "math/kernels.h"
#include "math/parallel.h"

namespace idne {

std::string_view activation_name(Activation activation) {
  return activation == Activation::Softmax ? "softmax" : activation == Activation::ReluKept ? "relu-kept" : "relu";
}

Activation activation_of(const Model& model) {
  for (const Activation activation : {Activation::Softmax, Activation::ReluKept}) {
    if (model.info().attention == activation_name(activation)) return activation;
  }
  return Activation::Relu;
}

void topic_products(MatrixView topics, std::span<const float> word, std::span<float> products) {
  for (std::size_t k = 0; k < topics.rows; ++k) products[k] = dot(word.data(), topics.row(k).data(), topics.columns);
}

void attention_weights(Activation activation, std::span<const float> products, std::uint32_t count,
                       std::span<float> weights) {
  double sum = 0;
  const auto best = std::max_element(products.begin(), products.end());
  if (activation == Activation::ReluKept && *best <= 0) {
    const auto topic = best - products.begin();
    std::fill(weights.begin(), weights.end(), 0.0f);
    weights[static_cast<std::size_t>(topic)] = 1;
    return;
  }
  if (activation != Activation::Softmax) {  // the count cancels
    for (std::size_t k = 0; k < products.size(); ++k) sum += weights[k] = std::max(0.0f, products[k]);
  } else {
    const float largest = *best;
    for (std::size_t k = 0; k < products.size(); ++k) {
      sum += weights[k] = std::exp(static_cast<float>(count) * (products[k] - largest));
    }
  }
  if (sum > 0) {
    for (float& weight : weights) weight = static_cast<float>(weight / sum);
  }
}

std::vector<std::uint8_t> active_words(Activation activation, MatrixView words, MatrixView topics) {
  std::vector<std::uint8_t> active(words.rows, 1);
  if (activation != Activation::Relu) return active;
  for (std::size_t w = 0; w < words.rows; ++w) {
    active[w] = 0;
    for (std::size_t k = 0; k < topics.rows && !active[w]; ++k) {
      active[w] = dot(words.row(w).data(), topics.row(k).data(), words.columns) > 0;
    }
  }
  return active;
}

std::vector<std::vector<ScoredWord>> top_words(MatrixView words, MatrixView topics, std::size_t count, int threads) {
  std::vector<std::vector<ScoredWord>> best(topics.rows);
  parallel_for(threads, topics.rows, [&](std::size_t k, std::size_t) {
    std::vector<ScoredWord> all(words.rows);
    for (std::uint32_t w = 0; w < words.rows; ++w) {
      all[w] = {w, dot(words.row(w).data(), topics.row(k).data(), words.columns)};
    }
    const std::size_t kept = std::min(count, all.size());
    std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept), all.end(),
                      [](const ScoredWord& a, const ScoredWord& b) {
                        return a.score != b.score ? a.score > b.score : a.word < b.word;
                      });
    all.resize(kept);
    best[k] = std::move(all);
  });
  return best;
}

}  // namespace idne
