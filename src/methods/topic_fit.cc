#include "methods/topic_fit.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "math/dense.h"
#include "math/kernels.h"
#include "math/parallel.h"
#include "math/random.h"
#include "math/unit.h"
#include "methods/sample.h"
#include "text/coherence.h"

namespace idne {
namespace {

constexpr std::uint64_t kDrawStreams = std::uint64_t{1} << 32;  // of Purpose::TopicFit; those before are for seedings
constexpr std::size_t kSeedings = 16;                           // of which the best after a few rounds goes on
constexpr int kTrialRounds = 3, kMostRounds = 25;
constexpr std::size_t kTopWords = 10;

std::vector<std::uint32_t> sample_of_nonzero(MatrixView rows, std::size_t most) {
  std::vector<std::uint32_t> some;
  for (std::uint32_t i = 0; i < rows.rows; ++i) {
    if (dot(rows.row(i).data(), rows.row(i).data(), rows.columns) > 0) some.push_back(i);
  }
  if (some.size() <= most) return some;
  std::vector<std::uint32_t> fewer;
  for (const std::uint32_t n : even_sample(some.size(), most)) fewer.push_back(some[n]);
  return fewer;
}

std::vector<float> unit_rows(MatrixView rows, const std::vector<std::uint32_t>& which) {
  std::vector<float> result(which.size() * rows.columns);
  for (std::size_t n = 0; n < which.size(); ++n) {
    const std::span<float> row(result.data() + n * rows.columns, rows.columns);
    std::copy_n(rows.row(which[n]).data(), rows.columns, row.begin());
    to_unit_length(row);
  }
  return result;
}

/// The sample's documents, each with its neighbours and their neighbours, a third each: links say what a document is
/// about beyond its words. On Cora the clusters then agree with the labels by an NMI of 0.57 instead of 0.48.
std::vector<float> drawn_to_neighbours(MatrixView documents, const Network& network,
                                       const std::vector<std::uint32_t>& sample, int threads) {
  const std::size_t width = documents.columns;
  std::vector<float> level(documents.data, documents.data + documents.rows * width), sum(sample.size() * width);
  const auto add = [&] {
    rows_to_unit_length(level, width, threads);
    for (std::size_t n = 0; n < sample.size(); ++n) {
      for (std::size_t k = 0; k < width; ++k) sum[n * width + k] += level[sample[n] * width + k];
    }
  };
  add();
  for (int hop = 0; hop < 2; ++hop) {
    level = network.neighbour_means(level, width, 0, threads);
    add();
  }
  rows_to_unit_length(sum, width, threads);
  return sum;
}

/// The same by a few neighbours of each, drawn, where means over all would take the memory of all documents.
std::vector<float> drawn_to_some_neighbours(MatrixView documents, const Network& network,
                                            const std::vector<std::uint32_t>& sample, std::uint64_t seed, int threads) {
  constexpr int kDraws = 32;
  const std::size_t width = documents.columns;
  std::vector<float> sum = unit_rows(documents, sample);
  parallel_parts(threads, sample.size(), 64, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      if (!(network.degree(sample[n]) > 0)) continue;
      Random random(seed, Purpose::TopicFit, kDrawStreams + sample[n]);
      std::vector<std::uint32_t> near(kDraws), far(kDraws);
      for (int draw = 0; draw < kDraws; ++draw) {
        near[static_cast<std::size_t>(draw)] = network.draw_neighbour(sample[n], random);
        far[static_cast<std::size_t>(draw)] = network.draw_neighbour(near[static_cast<std::size_t>(draw)], random);
      }
      for (const auto& drawn : {near, far}) {
        const std::vector<float> rows = unit_rows(documents, drawn);
        std::vector<float> mean(width);
        for (std::size_t at = 0; at < rows.size(); ++at) mean[at % width] += rows[at];
        to_unit_length(mean);
        for (std::size_t k = 0; k < width; ++k) sum[n * width + k] += mean[k];
      }
    }
  });
  rows_to_unit_length(sum, width, threads);
  return sum;
}

/// Spherical k-means: unit rows, to the centre with the largest cosine.
class Clustering {
 public:
  Clustering(MatrixView rows, std::size_t clusters, int threads)
      : rows_(rows),
        clusters_(clusters),
        threads_(threads),
        centres_(clusters * rows.columns),
        cosines_(rows.rows * clusters),
        cluster_(rows.rows) {}

  /// The first centre by chance, the others too but far from those before (k-means++).
  void seed(Random random) {
    std::vector<double> distance(rows_.rows, 1);
    for (std::size_t k = 0; k < clusters_; ++k) {
      const std::size_t chosen = draw(distance, random);
      std::copy_n(rows_.row(chosen).data(), rows_.columns, centre(k));
      parallel_parts(threads_, rows_.rows, kRows, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const double apart = 1 - static_cast<double>(dot(rows_.row(i).data(), centre(k), rows_.columns));
          distance[i] = std::min(distance[i], std::max(0.0, apart));
        }
      });
    }
  }

  /// Assigns and moves the centres; whether anything changed. A centre without rows stays.
  bool round() {
    multiply({rows_}, {{centres_.data(), clusters_, rows_.columns}, true}, cosines_, false, threads_);
    bool changed = false;
    sum_ = 0;
    for (std::size_t i = 0; i < rows_.rows; ++i) {
      const float* row = cosines_.data() + i * clusters_;
      const auto best = static_cast<std::uint32_t>(std::max_element(row, row + clusters_) - row);
      changed |= best != cluster_[i];
      cluster_[i] = best;
      sum_ += row[best];
    }
    const std::vector<float> sums = sums_by_cluster(rows_);
    for (std::size_t k = 0; k < clusters_; ++k) {
      const float* sum = sums.data() + k * rows_.columns;
      if (dot(sum, sum, rows_.columns) <= 0) continue;
      std::copy_n(sum, rows_.columns, centre(k));
      to_unit_length({centre(k), rows_.columns});
    }
    return changed;
  }

  double sum_of_cosines() const { return sum_; }
  std::size_t size(std::size_t cluster) const {
    return static_cast<std::size_t>(std::count(cluster_.begin(), cluster_.end(), cluster));
  }

  /// For each cluster the sum of its rows in another matrix.
  std::vector<float> sums_by_cluster(MatrixView rows) const {
    std::vector<std::vector<Term>> members(clusters_);
    for (std::uint32_t i = 0; i < rows.rows; ++i) members[cluster_[i]].push_back({i, 1});
    std::vector<float> sums(clusters_ * rows.columns);
    parallel_for(threads_, clusters_, [&](std::size_t k, std::size_t) {
      weighted_sum(rows.data, rows.columns, members[k].data(), members[k].size(), rows.columns,
                   sums.data() + k * rows.columns);
    });
    return sums;
  }

 private:
  static constexpr std::size_t kRows = 256;

  float* centre(std::size_t k) { return centres_.data() + k * rows_.columns; }

  static std::size_t draw(const std::vector<double>& weights, Random& random) {
    const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
    if (all <= 0) return random.below(static_cast<std::uint32_t>(weights.size()));
    double left = random.uniform() * all;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if ((left -= weights[i]) < 0) return i;
    }
    return weights.size() - 1;
  }

  MatrixView rows_;
  std::size_t clusters_;
  int threads_;
  std::vector<float> centres_, cosines_;
  std::vector<std::uint32_t> cluster_;
  double sum_ = 0;
};

Clustering best_clustering(MatrixView rows, std::size_t clusters, std::uint64_t seed, const Run& run) {
  Clustering best(rows, clusters, run.threads);
  for (std::size_t n = 0; n < kSeedings; ++n) {
    run.check();
    Clustering trial(rows, clusters, run.threads);
    trial.seed(Random(seed, Purpose::TopicFit, n));
    for (int round = 0; round < kTrialRounds; ++round) trial.round();
    if (n == 0 || trial.sum_of_cosines() > best.sum_of_cosines()) best = std::move(trial);
  }
  for (int round = kTrialRounds; round < kMostRounds && best.round(); ++round) run.check();
  return best;
}

/// T that minimises Σ_i |T d_i − m_i|² with a ridge, where m_i is 1 for the document's cluster and 0 elsewhere, less
/// the mean over the documents.
Eigen::MatrixXd regression(MatrixView documents, const Clustering& clusters, std::size_t topics, int threads) {
  const auto width = static_cast<Eigen::Index>(documents.columns), count = static_cast<Eigen::Index>(topics);
  std::vector<float> gram(documents.columns * documents.columns);
  multiply({documents, true}, {documents}, gram, false, threads);
  Eigen::MatrixXd left = Eigen::Map<const Eigen::MatrixXf>(gram.data(), width, width).cast<double>();
  left.diagonal().array() += left.trace() / static_cast<double>(width);
  const std::vector<float> sums = clusters.sums_by_cluster(documents);
  Eigen::MatrixXd right = Eigen::Map<const Eigen::MatrixXf>(sums.data(), width, count).cast<double>();
  const Eigen::VectorXd all = right.rowwise().sum();
  for (Eigen::Index k = 0; k < count; ++k) {
    const auto size = static_cast<double>(clusters.size(static_cast<std::size_t>(k)));
    right.col(k) -= all * (size / static_cast<double>(documents.rows));
  }
  return left.llt().solve(right);
}

}  // namespace

std::vector<float> fit_topics(MatrixView documents, const Network* network, std::size_t topics, std::uint64_t seed,
                              const Run& run, std::size_t most_documents) {
  const std::size_t width = documents.columns;
  const std::vector<std::uint32_t> sample = sample_of_nonzero(documents, most_documents);
  if (sample.empty()) return std::vector<float>(topics * width);
  const std::vector<float> own = unit_rows(documents, sample);
  const std::vector<float> drawn = !(network && network->links() > 0) ? own
                                   : documents.rows <= most_documents
                                       ? drawn_to_neighbours(documents, *network, sample, run.threads)
                                       : drawn_to_some_neighbours(documents, *network, sample, seed, run.threads);
  run.check();

  const MatrixView own_view{own.data(), sample.size(), width};
  const Clustering clusters = best_clustering({drawn.data(), sample.size(), width}, topics, seed, run);
  Eigen::MatrixXd result;
  if (topics == 1) {  // less its mean it would be nothing
    const std::vector<float> sum = clusters.sums_by_cluster(own_view);
    result = Eigen::Map<const Eigen::VectorXf>(sum.data(), static_cast<Eigen::Index>(width)).cast<double>();
  } else {
    result = regression(own_view, clusters, topics, run.threads);
    result.colwise() -= result.rowwise().mean().eval();
  }
  const double norm = result.colwise().norm().mean();
  if (norm > 0) result /= norm;
  std::vector<float> rows(topics * width);
  Eigen::Map<Eigen::MatrixXf>(rows.data(), static_cast<Eigen::Index>(width), static_cast<Eigen::Index>(topics)) =
      result.cast<float>();
  return rows;
}

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
    const auto kept = static_cast<std::ptrdiff_t>(std::min(kTopicWords, all.size()));
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
               [&](std::size_t k, std::size_t) { lists[k] = by_coherence(wanted[k], coherence, kTopWords); });
  return lists;
}

std::vector<double> topic_shares(const CountMatrix& counts, MatrixView words, MatrixView topics,
                                 Activation activation) {
  // A word's attention depends on the document only through its count (and with ReLU not even on that), so documents
  // are added up by word and count first.
  std::vector<double> once(words.rows);
  std::unordered_map<std::uint64_t, double> oftener;
  double documents = 0;
  for (std::size_t i = 0; i < counts.rows(); ++i) {
    const auto length = static_cast<double>(counts.length(i));
    if (length > 0) ++documents;
    for (const WordCount& entry : counts.row(i)) {
      const double part = entry.count / length;
      if (entry.count == 1 || activation != Activation::Softmax) {
        once[entry.word] += part;
      } else {
        oftener[std::uint64_t{entry.word} << 32 | entry.count] += part;
      }
    }
  }
  std::vector<double> shares(topics.rows);
  std::vector<float> weights(topics.rows);
  const auto add = [&](std::uint32_t word, std::uint32_t count, double amount) {
    topic_products(topics, words.row(word), weights);
    attention_weights(activation, weights, count, weights);
    for (std::size_t k = 0; k < shares.size(); ++k) shares[k] += amount * weights[k];
  };
  for (std::uint32_t w = 0; w < words.rows; ++w) add(w, 1, once[w]);
  std::vector<std::pair<std::uint64_t, double>> sorted(oftener.begin(), oftener.end());
  std::sort(sorted.begin(), sorted.end());
  for (const auto& [key, amount] : sorted) {
    add(static_cast<std::uint32_t>(key >> 32), static_cast<std::uint32_t>(key), amount);
  }
  for (double& share : shares) share /= std::max(1.0, documents);
  return shares;
}

namespace {

/// Topics in the order of their shares, largest first: topic 1 is the one that matters most.
void sort_topics(std::vector<float>& topics, std::vector<double>& shares) {
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
}

std::vector<std::vector<std::uint32_t>> nearest_words(MatrixView words, MatrixView topics, int threads) {
  std::vector<std::vector<std::uint32_t>> lists;
  for (const auto& best : top_words(words, topics, kTopWords, threads)) {
    lists.emplace_back();
    for (const ScoredWord& word : best) lists.back().push_back(word.word);
  }
  return lists;
}

}  // namespace

void store_topics(Model& model, const CountMatrix& counts, MatrixView words, std::vector<float> topics,
                  Activation activation, bool fitted, const Run& run) {
  const MatrixView view{topics.data(), topics.size() / words.columns, words.columns};
  std::vector<double> shares = topic_shares(counts, words, view, activation);
  sort_topics(topics, shares);
  run.check();
  std::vector<std::vector<std::uint32_t>> lists = fitted
                                                      ? distinctive_words(counts, words, view, activation, run.threads)
                                                      : nearest_words(words, view, run.threads);
  if (fitted) {
    std::vector<std::int32_t> flat;
    for (const auto& list : lists) flat.insert(flat.end(), list.begin(), list.end());
    model.add("topics.words", std::move(flat));
  }
  for (auto& list : lists) list.resize(std::min(list.size(), kTopWords));
  const std::vector<double> coherence = npmi(counts, lists);
  model.add("topics.shares", std::vector<float>(shares.begin(), shares.end()), {shares.size()});
  model.add("topics.npmi", std::vector<float>(coherence.begin(), coherence.end()), {coherence.size()});
  model.add("topics.vectors", std::move(topics), {view.rows, view.columns});
  model.metadata["attention"] = activation == Activation::Softmax    ? "softmax"
                                : activation == Activation::ReluKept ? "relu-kept"
                                                                     : "relu";
}

}  // namespace idne
