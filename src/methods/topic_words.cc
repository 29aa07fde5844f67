#include "methods/topic_words.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "math/dense.h"
#include "math/parallel.h"
#include "text/coherence.h"

namespace idne {
namespace {

struct WantedWord {
  std::uint32_t word;
  float score;
};

/// For each word the fourth root of the number of documents that it is in. Measured on Cora, NYT and Travel: without it
/// topics show words that few documents have, with a larger power words that all topics have.
std::vector<float> commonness(const CountMatrix& counts, std::size_t words) {
  std::vector<float> result(words);
  for (std::size_t i = 0; i < counts.rows(); ++i) {
    for (const WordCount& entry : counts.row(i)) ++result[entry.word];
  }
  for (float& value : result) value = std::sqrt(std::sqrt(value));
  return result;
}

/// The words with the largest product × √attention × commonness for each topic, largest first, ties by word number.
std::vector<std::vector<WantedWord>> wanted_words(const CountMatrix& counts, MatrixView words, MatrixView topics,
                                                  Activation activation, int threads) {
  std::vector<float> scores(words.rows * topics.rows);
  multiply({words}, {topics, true}, scores, false, threads);
  const std::vector<float> common = commonness(counts, words.rows);
  std::vector<float> weights(topics.rows);
  for (std::size_t w = 0; w < words.rows; ++w) {
    const std::span<float> products(scores.data() + w * topics.rows, topics.rows);
    attention_weights(activation, products, 1, weights);
    for (std::size_t k = 0; k < topics.rows; ++k) {
      products[k] = std::max(0.0f, products[k]) * std::sqrt(weights[k]) * common[w];
    }
  }
  std::vector<std::vector<WantedWord>> wanted(topics.rows);
  parallel_for(threads, topics.rows, [&](std::size_t k, std::size_t) {
    std::vector<WantedWord> all(words.rows);
    for (std::uint32_t w = 0; w < words.rows; ++w) all[w] = {w, scores[w * topics.rows + k]};
    const auto kept = static_cast<std::ptrdiff_t>(std::min(kRankedTopicWords, all.size()));
    std::partial_sort(all.begin(), all.begin() + kept, all.end(), [](const WantedWord& a, const WantedWord& b) {
      return a.score != b.score ? a.score > b.score : a.word < b.word;
    });
    wanted[k].assign(all.begin(), all.begin() + kept);
  });
  return wanted;
}

/// The same words, with those last that meet the others most seldom, where others count by their scores, and that have
/// small scores; the first `firsts` stay in their order.
std::vector<std::uint32_t> by_coherence(const std::vector<WantedWord>& words, const PairCoherence& coherence,
                                        std::size_t firsts) {
  const std::size_t count = words.size();
  std::vector<double> pairs(count * count), sums(count);
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      pairs[a * count + b] = pairs[b * count + a] = coherence(words[a].word, words[b].word);
    }
  }
  double all = 0;
  for (std::size_t a = 0; a < count; ++a) {
    all += words[a].score;
    for (std::size_t b = 0; b < count; ++b) sums[a] += pairs[a * count + b] * words[b].score;
  }
  std::vector<std::size_t> left(count);
  std::iota(left.begin(), left.end(), std::size_t{0});
  // Without the second term a topic is shown by one corner of it, whose words are always together.
  constexpr double kOwnScore = 0.1;
  const auto worth = [&](std::size_t a) {
    const double others = all - words[a].score;
    const double own = std::log(std::max(std::numeric_limits<float>::min(), words[a].score));
    return (others > 0 ? sums[a] / others : 0) + kOwnScore * own;
  };
  std::vector<std::uint32_t> last;
  while (left.size() > firsts) {
    const auto least =
        std::min_element(left.begin(), left.end(), [&](std::size_t a, std::size_t b) { return worth(a) < worth(b); });
    const std::size_t gone = *least;
    left.erase(least);
    last.push_back(words[gone].word);
    all -= words[gone].score;
    for (const std::size_t a : left) sums[a] -= pairs[a * count + gone] * words[gone].score;
  }
  std::vector<std::uint32_t> order;
  for (const std::size_t a : left) order.push_back(words[a].word);
  order.insert(order.end(), last.rbegin(), last.rend());
  return order;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> distinctive_words(const CountMatrix& counts, MatrixView words,
                                                          MatrixView topics, Activation activation, int threads) {
  const auto wanted = wanted_words(counts, words, topics, activation, threads);
  std::vector<std::uint32_t> all;
  for (const auto& list : wanted) {
    for (const WantedWord& word : list) all.push_back(word.word);
  }
  const PairCoherence coherence(counts, all);
  std::vector<std::vector<std::uint32_t>> lists(wanted.size());
  parallel_for(threads, lists.size(),
               [&](std::size_t k, std::size_t) { lists[k] = by_coherence(wanted[k], coherence, kCoherenceWords); });
  return lists;
}

}  // namespace idne
