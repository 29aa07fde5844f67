#include "explain/topic_shares.h"

#include <algorithm>

#include "math/parallel.h"

namespace idne {

TopicShares::TopicShares(const Model& model, int threads)
    : attention_(model), by_count_(activation_of(model) == Activation::Softmax) {
  constexpr std::size_t kMostKept = std::size_t{1} << 26;
  const std::size_t words = model.word_vectors().rows;
  if (by_count_ || words * topics() > kMostKept) return;
  table_.resize(words * topics());
  parallel_for(threads, words, [&](std::size_t w, std::size_t) {
    attention_.weights({static_cast<std::uint32_t>(w), 1}, std::span(table_).subspan(w * topics(), topics()));
  });
}

void TopicShares::of_word(const WordCount& entry, std::span<float> out) const {
  if (table_.empty()) return attention_.weights(entry, out);
  std::copy_n(table_.data() + entry.word * topics(), topics(), out.data());
}

void TopicShares::of_bag(std::span<const WordCount> bag, std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  std::vector<float> weights(topics());
  double length = 0;
  for (const WordCount& entry : bag) length += entry.count;
  for (const WordCount& entry : bag) {
    of_word(entry, weights);
    for (std::size_t k = 0; k < weights.size(); ++k) {
      out[k] += static_cast<double>(weights[k]) * entry.count / length;
    }
  }
}

std::vector<double> shares_in_documents(const Model& model, const CountMatrix& counts, int threads) {
  const TopicShares shares(model, threads);
  const std::size_t topics = shares.topics();
  std::vector<double> result(counts.rows() * topics);
  parallel_for(threads, counts.rows(), [&](std::size_t i, std::size_t) {
    shares.of_bag(counts.row(i), std::span(result).subspan(i * topics, topics));
  });
  return result;
}

}  // namespace idne
