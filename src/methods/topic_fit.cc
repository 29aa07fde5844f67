#include "methods/topic_fit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "math/cholesky.h"
#include "math/gathered.h"
#include "math/matrix.h"
#include "math/parallel.h"
#include "math/unit.h"
#include "methods/sample.h"
#include "model/tensors.h"
#include "text/coherence.h"

namespace idne {
namespace {

/// Documents on which words of topics are chosen and measured; of more an even sample.
constexpr std::size_t kMostJudged = 100000;

/// T that minimises Σ_i |T d_i − m_i|² with a ridge, where m_i is 1 for the document's cluster and 0 elsewhere, less
/// the mean over the documents. Dimension × topic.
Matrix regression(MatrixView documents, const Clusters& clusters, const Run& run) {
  const std::size_t width = documents.columns;
  Matrix left = gram(documents, run);
  if (!(left.trace() > 0)) return Matrix(width, clusters.count);  // all documents are zero: nothing to go by
  left.add_to_diagonal(left.trace() / static_cast<double>(width));
  const Matrix sums({clusters.sums(documents, run.threads).data(), clusters.count, width});
  const std::vector<std::size_t> sizes = clusters.sizes();
  Matrix right = sums.transposed();
  for (std::size_t d = 0; d < width; ++d) {
    const double all = std::accumulate(right.row(d).begin(), right.row(d).end(), 0.0);
    for (std::size_t k = 0; k < clusters.count; ++k) {
      right(d, k) -= all * static_cast<double>(sizes[k]) / static_cast<double>(documents.rows);
    }
  }
  return Cholesky(std::move(left), run).solve(std::move(right), run);
}

/// Takes the topics' mean away: they add up to zero then.
void centre(Matrix& topics) {
  for (std::size_t d = 0; d < topics.columns(); ++d) {
    double mean = 0;
    for (std::size_t k = 0; k < topics.rows(); ++k) mean += topics(k, d) / static_cast<double>(topics.rows());
    for (std::size_t k = 0; k < topics.rows(); ++k) topics(k, d) -= mean;
  }
}

/// Scales all topics alike, so that their mean length is 1.
void to_mean_length_one(Matrix& topics) {
  double length = 0;
  for (std::size_t k = 0; k < topics.rows(); ++k) {
    const auto row = topics.row(k);
    length += std::sqrt(std::inner_product(row.begin(), row.end(), row.begin(), 0.0));
  }
  length /= static_cast<double>(topics.rows());
  for (std::size_t k = 0; k < topics.rows() && length > 0; ++k) topics.scale_row(k, 1 / length);
}

}  // namespace

std::vector<std::uint32_t> topics_by_product(MatrixView documents, MatrixView topics, int threads) {
  std::vector<std::uint32_t> best(documents.rows);
  parallel_parts(threads, documents.rows, 1024, [&](std::size_t begin, std::size_t end) {
    std::vector<float> products(topics.rows);
    for (std::size_t i = begin; i < end; ++i) {
      topic_products(topics, documents.row(i), products);
      best[i] = static_cast<std::uint32_t>(std::ranges::max_element(products) - products.begin());
    }
  });
  return best;
}

TopicVectors fit_topics(const TopicClusters& clusters, MatrixView documents, std::size_t topics, const Run& run) {
  if (clusters.documents().empty()) {
    return {std::vector<float>(topics * documents.columns), std::vector<std::uint32_t>(documents.rows)};
  }
  return fit_topics(clusters, clusters.find(topics, run), documents, run);
}

TopicVectors fit_topics(const TopicClusters& clusters, const Clusters& found, MatrixView documents, const Run& run) {
  const std::size_t width = documents.columns, topics = found.count;
  const Placement& spread = clusters.spread();
  std::vector<std::uint32_t> here;
  for (const std::uint32_t i : clusters.documents()) {
    if (spread.here(i)) here.push_back(i - static_cast<std::uint32_t>(spread.begin()));
  }
  std::vector<float> own = unit_rows(documents, here, run.threads);
  if (spread.ranks()) own = gathered(*spread.ranks(), std::span<const float>(own));
  const MatrixView own_view{own.data(), clusters.documents().size(), width};
  run.check();
  Matrix result;
  if (topics == 1) {  // less its mean it would be nothing
    result = Matrix({found.sums(own_view, run.threads).data(), 1, width});
  } else {
    result = regression(own_view, found, run).transposed();
    centre(result);
  }
  to_mean_length_one(result);
  TopicVectors fitted{result.floats(), {}};
  fitted.of_document = topics_by_product(documents, {fitted.vectors.data(), topics, width}, run.threads);
  for (std::size_t n = 0; n < found.of_row.size(); ++n) {
    const std::uint32_t i = clusters.documents()[n];
    if (spread.here(i)) fitted.of_document[i - spread.begin()] = found.of_row[n];
  }
  return fitted;
}

std::vector<double> topic_shares(const Bags& bags, MatrixView words, MatrixView topics, Activation activation) {
  // A word's attention depends on the document only through its count (and with ReLU not even on that), so documents
  // are added up by word and count first: in whole numbers, so that it does not matter where they are.
  constexpr double kUnit = 0x1p32;
  std::vector<std::uint64_t> once(words.rows);
  std::map<std::uint64_t, std::uint64_t> oftener;
  std::uint64_t documents = 0;
  const CountMatrix& counts = bags.own();
  for (std::size_t i = 0; i < counts.rows(); ++i) {
    const auto length = static_cast<double>(counts.length(i));
    if (length > 0) ++documents;
    for (const WordCount& entry : counts.row(i)) {
      const auto part = static_cast<std::uint64_t>(kUnit * entry.count / length + 0.5);
      if (entry.count == 1 || activation != Activation::Softmax) {
        once[entry.word] += part;
      } else {
        oftener[std::uint64_t{entry.word} << 32 | entry.count] += part;
      }
    }
  }
  if (bags.ranks()) {
    bags.ranks()->add_up(once);
    bags.ranks()->add_up({&documents, 1});
    struct Amount {
      std::uint64_t key, amount;
    };
    std::vector<Amount> own;
    for (const auto& [key, amount] : oftener) own.push_back({key, amount});
    oftener.clear();
    for (const Amount& one : all_of(*bags.ranks(), std::span<const Amount>(own))) oftener[one.key] += one.amount;
  }
  std::vector<double> shares(topics.rows);
  std::vector<float> weights(topics.rows);
  const auto add = [&](std::uint32_t word, std::uint32_t count, std::uint64_t amount) {
    topic_products(topics, words.row(word), weights);
    attention_weights(activation, weights, count, weights);
    for (std::size_t k = 0; k < shares.size(); ++k) shares[k] += static_cast<double>(amount) / kUnit * weights[k];
  };
  for (std::uint32_t w = 0; w < words.rows; ++w) add(w, 1, once[w]);
  for (const auto& [key, amount] : oftener) {
    add(static_cast<std::uint32_t>(key >> 32), static_cast<std::uint32_t>(key), amount);
  }
  for (double& share : shares) share /= static_cast<double>(std::max<std::uint64_t>(1, documents));
  return shares;
}

namespace {

/// Topics in the order of their shares, largest first: topic 1 is the one that matters most.
void sort_topics(TopicVectors& vectors, std::vector<double>& shares) {
  std::vector<float>& topics = vectors.vectors;
  std::vector<std::size_t> order(shares.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return shares[a] > shares[b]; });
  const std::size_t dimensions = topics.size() / shares.size();
  const std::vector<float> old_topics = topics;
  const std::vector<double> old_shares = shares;
  for (std::size_t k = 0; k < order.size(); ++k) {
    std::copy_n(old_topics.data() + order[k] * dimensions, dimensions, topics.data() + k * dimensions);
    shares[k] = old_shares[order[k]];
  }
  std::vector<std::uint32_t> place(order.size());
  for (std::uint32_t k = 0; k < order.size(); ++k) place[order[k]] = k;
  for (std::uint32_t& topic : vectors.of_document) topic = place[topic];
}

std::vector<std::vector<std::uint32_t>> nearest_words(MatrixView words, MatrixView topics, int threads) {
  std::vector<std::vector<std::uint32_t>> lists;
  for (const auto& best : top_words(words, topics, kCoherenceWords, threads)) {
    lists.emplace_back();
    for (const ScoredWord& word : best) lists.back().push_back(word.word);
  }
  return lists;
}

}  // namespace

FittedTopics judge_topics(const Bags& bags, MatrixView words, const std::vector<std::uint32_t>& families,
                          TopicVectors topics, Activation activation, bool fitted, const Run& run, TopicOrder order) {
  const MatrixView view{topics.vectors.data(), topics.vectors.size() / words.columns, words.columns};
  std::vector<double> shares = topic_shares(bags, words, view, activation);
  const bool few = !bags.ranks() && bags.documents() <= kMostJudged;
  const CountMatrix some = few ? CountMatrix() : bags.rows(even_sample(bags.documents(), kMostJudged));
  const CountMatrix& counts = few ? bags.own() : some;
  if (order == TopicOrder::ByShare) sort_topics(topics, shares);
  run.check();
  FittedTopics result;
  std::vector<std::vector<std::uint32_t>> lists;
  std::vector<double> held_out;
  if (fitted) {
    result.words = distinctive_words(counts, words, view, activation, families, run.threads);
    for (const RankedTopicWords& list : result.words) lists.push_back(list.words);
    run.check();
    held_out = held_out_coherence(counts, words, view, activation, families, run.threads);
  } else {
    lists = nearest_words(words, view, run.threads);
  }
  for (auto& list : lists) list.resize(std::min(list.size(), kCoherenceWords));
  const std::vector<double> coherence = npmi(counts, lists);
  if (!fitted) held_out = coherence;  // no document had a say in the choice
  result.diversity = diversity(lists);
  result.shares.assign(shares.begin(), shares.end());
  result.npmi.assign(coherence.begin(), coherence.end());
  result.coherence.assign(held_out.begin(), held_out.end());
  result.vectors = std::move(topics.vectors);
  if (fitted) result.of_document = std::move(topics.of_document);
  return result;
}

void store_topics(Model& model, FittedTopics topics, Activation activation) {
  ModelMaker maker(model);
  const std::size_t count = topics.shares.size();
  maker.remove(layout::kTopicWords);
  maker.remove(layout::kTopicWordWeights);
  maker.remove(layout::kDocumentTopics);
  if (!topics.of_document.empty()) {
    maker.set(layout::kDocumentTopics, std::vector<std::int32_t>(topics.of_document.begin(), topics.of_document.end()));
  }
  std::size_t each = 0;
  for (const RankedTopicWords& list : topics.words) each = std::max(each, list.words.size());
  if (each > 0) {
    std::vector<std::int32_t> words;
    std::vector<float> weights;
    for (const RankedTopicWords& list : topics.words) {  // all as long as the longest, by words that weigh nothing
      words.insert(words.end(), list.words.begin(), list.words.end());
      weights.insert(weights.end(), list.weights.begin(), list.weights.end());
      words.resize(words.size() + each - list.words.size());
      weights.resize(words.size());
    }
    maker.set(layout::kTopicWords, std::move(words));
    maker.set(layout::kTopicWordWeights, std::move(weights));
  }
  maker.set(layout::kTopicShares, std::move(topics.shares));
  maker.set(layout::kTopicNpmi, std::move(topics.npmi));
  maker.set(layout::kTopicCoherence, std::move(topics.coherence));
  const std::size_t width = topics.vectors.size() / count;
  maker.set(layout::kTopicVectors, std::move(topics.vectors), count, width);
  maker.info().attention = activation_name(activation);
}

namespace {

constexpr std::size_t kDocumentsPerTopic = 10, kUsualTopics = 32;

std::size_t most_topics(const Bags& bags) {
  std::uint64_t with_words = 0;
  for (std::size_t i = 0; i < bags.own().rows(); ++i) with_words += !bags.own().row(i).empty();
  if (bags.ranks()) bags.ranks()->add_up({&with_words, 1});
  return std::max<std::size_t>(1, with_words / kDocumentsPerTopic);
}

}  // namespace

std::size_t usual_topics(const Bags& bags) { return std::min(kUsualTopics, most_topics(bags)); }

std::vector<std::size_t> numbers_of_topics_to_try(const Bags& bags) {
  const std::size_t most = most_topics(bags);
  std::vector<std::size_t> numbers;
  for (const std::size_t number : {2u, 3u, 4u, 6u, 8u, 12u, 16u, 24u, 32u, 48u, 64u}) {
    if (number <= most) numbers.push_back(number);
  }
  if (numbers.empty()) numbers.push_back(most);
  return numbers;
}

NumberOfTopics how_well(const FittedTopics& topics) {
  const auto count = static_cast<double>(topics.coherence.size());
  const double mean = std::accumulate(topics.coherence.begin(), topics.coherence.end(), 0.0) / count;
  double squares = 0;
  for (const float value : topics.coherence) squares += std::pow(value - mean, 2);
  const double error = count > 1 ? std::sqrt(squares / (count - 1) / count) : 0;
  return {topics.coherence.size(), mean * topics.diversity, error * topics.diversity};
}

std::size_t best_number(const std::vector<NumberOfTopics>& numbers) {
  // The error of a few uneven topics is large: it must not excuse a number that is plainly worse.
  constexpr double kMostSlack = 0.1;
  const auto best = std::ranges::max_element(numbers, {}, &NumberOfTopics::coherence);
  const double slack = std::min(best->error, kMostSlack * std::max(0.0, best->coherence));
  auto chosen = best;
  for (auto one = numbers.begin(); slack > 0 && one != numbers.end(); ++one) {
    if (one->coherence >= best->coherence - slack && one->count > chosen->count) chosen = one;
  }
  return static_cast<std::size_t>(chosen - numbers.begin());
}

FittedTopics best_fitted(const std::vector<std::size_t>& numbers,
                         const std::function<FittedTopics(std::size_t)>& fitted) {
  std::vector<FittedTopics> all;
  std::vector<NumberOfTopics> scores;
  for (const std::size_t number : numbers) {
    all.push_back(fitted(number));
    scores.push_back(how_well(all.back()));
  }
  return std::move(all[best_number(scores)]);
}

}  // namespace idne
