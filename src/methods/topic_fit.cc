#include "methods/topic_fit.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include "math/cholesky.h"
#include "math/kernels.h"
#include "math/kmeans.h"
#include "math/matrix.h"
#include "math/parallel.h"
#include "math/random.h"
#include "math/unit.h"
#include "methods/sample.h"
#include "model/tensors.h"
#include "text/coherence.h"

namespace idne {
namespace {

constexpr std::uint64_t kDrawStreams = std::uint64_t{1} << 32;  // of Purpose::TopicFit; those before are for k-means

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

/// The sample's documents, each with its neighbours and their neighbours, a third each: links say what a document is
/// about beyond its words. On Cora the clusters then agree with the labels by an NMI of 0.57 instead of 0.48.
std::vector<float> drawn_to_neighbours(MatrixView documents, const Network& network,
                                       const std::vector<std::uint32_t>& sample, int threads) {
  const std::size_t width = documents.columns;
  std::vector<float> hop_vectors(documents.data, documents.data + documents.rows * width), sum(sample.size() * width);
  const auto add = [&] {
    rows_to_unit_length(hop_vectors, width, threads);
    for (std::size_t n = 0; n < sample.size(); ++n) {
      for (std::size_t k = 0; k < width; ++k) sum[n * width + k] += hop_vectors[sample[n] * width + k];
    }
  };
  add();
  for (int hop = 0; hop < 2; ++hop) {
    hop_vectors = network.neighbour_means(hop_vectors, width, 0, threads);
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
  std::vector<float> sum = unit_rows(documents, sample, threads);
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
        const std::vector<float> rows = unit_rows(documents, drawn, 1);
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

/// T that minimises Σ_i |T d_i − m_i|² with a ridge, where m_i is 1 for the document's cluster and 0 elsewhere, less
/// the mean over the documents. Dimension × topic.
Matrix regression(MatrixView documents, const Clusters& clusters, const Run& run) {
  const std::size_t width = documents.columns;
  Matrix left = gram(documents, run);
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

std::vector<float> fit_topics(MatrixView documents, const Network* network, std::size_t topics, std::uint64_t seed,
                              const Run& run, std::size_t most_documents) {
  const std::size_t width = documents.columns;
  const std::vector<std::uint32_t> sample = sample_of_nonzero(documents, most_documents);
  if (sample.empty()) return std::vector<float>(topics * width);
  const std::vector<float> own = unit_rows(documents, sample, run.threads);
  const std::vector<float> drawn = !(network && network->links() > 0) ? own
                                   : documents.rows <= most_documents
                                       ? drawn_to_neighbours(documents, *network, sample, run.threads)
                                       : drawn_to_some_neighbours(documents, *network, sample, seed, run.threads);
  run.check();

  const MatrixView own_view{own.data(), sample.size(), width};
  const Clusters clusters =
      spherical_kmeans({drawn.data(), sample.size(), width}, topics, seed, Purpose::TopicFit, run);
  Matrix result;
  if (topics == 1) {  // less its mean it would be nothing
    result = Matrix({clusters.sums(own_view, run.threads).data(), 1, width});
  } else {
    result = regression(own_view, clusters, run).transposed();
    centre(result);
  }
  to_mean_length_one(result);
  return result.floats();
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
  for (const auto& best : top_words(words, topics, kCoherenceWords, threads)) {
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
  ModelMaker maker(model);
  std::vector<std::vector<std::uint32_t>> lists = fitted
                                                      ? distinctive_words(counts, words, view, activation, run.threads)
                                                      : nearest_words(words, view, run.threads);
  if (fitted) {
    std::vector<std::int32_t> flat;
    for (const auto& list : lists) flat.insert(flat.end(), list.begin(), list.end());
    maker.set(layout::kTopicWords, std::move(flat));
  }
  for (auto& list : lists) list.resize(std::min(list.size(), kCoherenceWords));
  const std::vector<double> coherence = npmi(counts, lists);
  maker.set(layout::kTopicShares, std::vector<float>(shares.begin(), shares.end()));
  maker.set(layout::kTopicNpmi, std::vector<float>(coherence.begin(), coherence.end()));
  maker.set(layout::kTopicVectors, std::move(topics), view.rows, view.columns);
  maker.info().attention = activation_name(activation);
}

}  // namespace idne
