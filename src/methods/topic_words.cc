#include "methods/topic_words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "math/dense.h"
#include "math/parallel.h"
#include "methods/lsa.h"
#include "methods/sample.h"
#include "model/reading.h"
#include "text/coherence.h"
#include "text/families.h"

namespace idne {
namespace {

constexpr std::size_t kMostDocuments = 50000;
/// What a factor e of weight is worth beside NPMI. Without it topics are shown by one corner of them, whose words are
/// always together; with 0.1 and more by words that hold up less (docs/topics.md).
constexpr double kWorthOfWeight = 0.02;

struct WeighedWord {
  std::uint32_t word;
  float weight;
};

/// Word × topic: how much each topic attends to a word that occurs once.
std::vector<float> attention_to_words(MatrixView words, MatrixView topics, Activation activation, int threads) {
  std::vector<float> attention(words.rows * topics.rows);
  multiply({words}, {topics, true}, attention, false, threads);
  for (std::size_t w = 0; w < words.rows; ++w) {
    const std::span<float> row(attention.data() + w * topics.rows, topics.rows);
    attention_weights(activation, row, 1, row);
  }
  return attention;
}

std::vector<std::uint32_t> main_topics_of(const CountMatrix& counts, const std::vector<float>& attention,
                                          std::size_t topics, int threads) {
  std::vector<std::uint32_t> result(counts.rows());
  parallel_parts(threads, counts.rows(), 256, [&](std::size_t begin, std::size_t end) {
    std::vector<float> shares(topics);
    for (std::size_t i = begin; i < end; ++i) {
      std::ranges::fill(shares, 0.0f);
      for (const WordCount& entry : counts.row(i)) {
        const float* row = attention.data() + entry.word * topics;
        for (std::size_t k = 0; k < topics; ++k) shares[k] += static_cast<float>(entry.count) * row[k];
      }
      result[i] = static_cast<std::uint32_t>(std::ranges::max_element(shares) - shares.begin());
    }
  });
  return result;
}

/// Topic × word.
std::vector<float> weights_of_words(const CountMatrix& counts, MatrixView words, MatrixView topics,
                                    Activation activation, int threads) {
  const std::vector<float> attention = attention_to_words(words, topics, activation, threads);
  const std::vector<std::uint32_t> main = main_topics_of(counts, attention, topics.rows, threads);
  const SparseRows texts = tf_idf(counts, inverse_document_frequency(counts, words.rows));
  std::vector<double> inside(topics.rows * words.rows), everywhere(words.rows);
  std::vector<std::size_t> documents(topics.rows);
  for (std::size_t i = 0; i < texts.rows(); ++i) {
    documents[main[i]] += !texts.row(i).empty();
    for (const Term& term : texts.row(i)) {
      inside[main[i] * words.rows + term.row] += term.weight;
      everywhere[term.row] += term.weight;
    }
  }
  std::vector<float> weights(inside.size());
  parallel_parts(threads, words.rows, 256, [&](std::size_t begin, std::size_t end) {
    std::vector<double> own(topics.rows);
    for (std::size_t w = begin; w < end; ++w) {
      double all = 0;
      for (std::size_t k = 0; k < topics.rows; ++k) {
        const double attended = everywhere[w] * static_cast<double>(attention[w * topics.rows + k]);
        own[k] = documents[k] > 0 ? std::sqrt(inside[k * words.rows + w] * attended) : attended;
        all += own[k];
      }
      for (std::size_t k = 0; k < topics.rows && all > 0; ++k) {
        weights[k * words.rows + w] = static_cast<float>(own[k] * std::sqrt(own[k] / all));
      }
    }
  });
  parallel_for(threads, topics.rows, [&](std::size_t k, std::size_t) {
    const std::span<float> row(weights.data() + k * words.rows, words.rows);
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    for (float& weight : row) weight = sum > 0 ? static_cast<float>(weight / sum) : 0;
  });
  return weights;
}

/// The heaviest words of a topic, heaviest first, one of each family; then, if these are too few, the others. Words
/// that weigh nothing are none of its words.
struct Candidates {
  std::vector<WeighedWord> words, others;
};
Candidates heaviest_words(std::span<const float> weights, const std::vector<std::uint32_t>& families) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t w = 0; w < weights.size(); ++w) {
    if (weights[w] > 0) order.push_back(w);
  }
  std::ranges::stable_sort(order, std::ranges::greater(), [&](std::uint32_t w) { return weights[w]; });
  Candidates result;
  std::set<std::uint32_t> taken;
  for (const std::uint32_t w : order) {
    if (result.words.size() == kRankedTopicWords) break;
    const bool shown = families[w] != kNoFamily && taken.insert(families[w]).second;
    (shown ? result.words : result.others).push_back({w, weights[w]});
  }
  result.others.resize(std::min(result.others.size(), kRankedTopicWords - result.words.size()));
  return result;
}

/// The same words, those last that are expected to meet the others most seldom and that weigh little; the first
/// kCoherenceWords stay in their order.
std::vector<WeighedWord> by_coherence(const std::vector<WeighedWord>& words, const PairCoherence& coherence) {
  const std::size_t count = words.size();
  std::vector<double> pairs(count * count), sums(count);
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const double expected = coherence.expected(words[a].word, words[b].word);
      pairs[a * count + b] = pairs[b * count + a] = expected;
      sums[a] += expected, sums[b] += expected;
    }
  }
  std::vector<std::size_t> left(count);
  std::iota(left.begin(), left.end(), std::size_t{0});
  const auto worth = [&](std::size_t a) {
    return sums[a] / static_cast<double>(left.size() - 1) + kWorthOfWeight * std::log(words[a].weight);
  };
  std::vector<WeighedWord> last;
  while (left.size() > kCoherenceWords) {
    const auto least = std::ranges::min_element(left, {}, worth);
    const std::size_t gone = *least;
    left.erase(least);
    last.push_back(words[gone]);
    for (const std::size_t a : left) sums[a] -= pairs[a * count + gone];
  }
  std::vector<WeighedWord> order;
  for (const std::size_t a : left) order.push_back(words[a]);
  order.insert(order.end(), last.rbegin(), last.rend());
  return order;
}

}  // namespace

std::vector<RankedTopicWords> distinctive_words(const CountMatrix& counts, MatrixView words, MatrixView topics,
                                                Activation activation, const std::vector<std::uint32_t>& families,
                                                int threads) {
  if (counts.rows() > kMostDocuments) {
    const CountMatrix some = rows_of(counts, even_sample(counts.rows(), kMostDocuments));
    return distinctive_words(some, words, topics, activation, families, threads);
  }
  const std::vector<float> weights = weights_of_words(counts, words, topics, activation, threads);
  std::vector<Candidates> candidates(topics.rows);
  parallel_for(threads, topics.rows, [&](std::size_t k, std::size_t) {
    candidates[k] = heaviest_words(std::span(weights).subspan(k * words.rows, words.rows), families);
  });
  std::vector<std::uint32_t> all;
  for (const Candidates& some : candidates) {
    for (const WeighedWord& one : some.words) all.push_back(one.word);
  }
  const PairCoherence coherence(counts, all);
  std::vector<RankedTopicWords> result(topics.rows);
  parallel_for(threads, topics.rows, [&](std::size_t k, std::size_t) {
    std::vector<WeighedWord> order = by_coherence(candidates[k].words, coherence);
    order.insert(order.end(), candidates[k].others.begin(), candidates[k].others.end());
    for (const WeighedWord& one : order) {
      result[k].words.push_back(one.word);
      result[k].weights.push_back(one.weight);
    }
  });
  return result;
}

std::vector<std::uint32_t> families_of(const Model& model) {
  std::vector<std::string_view> words;
  for (std::size_t w = 0; w < model.words().strings.size(); ++w) words.push_back(model.words().strings[w]);
  return word_families(words, languages_of(model));
}

std::vector<double> held_out_coherence(const CountMatrix& counts, MatrixView words, MatrixView topics,
                                       Activation activation, const std::vector<std::uint32_t>& families, int threads) {
  std::array<std::vector<std::uint32_t>, 2> halves;
  for (const std::uint32_t i : even_sample(counts.rows(), 2 * kMostDocuments)) {
    halves[(i * 0x9E3779B97F4A7C15u) >> 63].push_back(i);  // neighbours in the file are often alike, or take turns
  }
  const std::array<CountMatrix, 2> texts{rows_of(counts, halves[0]), rows_of(counts, halves[1])};
  std::vector<double> mean(topics.rows);
  for (const std::size_t half : {0u, 1u}) {
    std::vector<std::vector<std::uint32_t>> lists;
    for (RankedTopicWords& list : distinctive_words(texts[half], words, topics, activation, families, threads)) {
      list.words.resize(std::min(list.words.size(), kCoherenceWords));
      lists.push_back(std::move(list.words));
    }
    const std::vector<double> scores = npmi(texts[1 - half], lists);
    for (std::size_t k = 0; k < mean.size(); ++k) mean[k] += scores[k] / 2;
  }
  return mean;
}

}  // namespace idne
