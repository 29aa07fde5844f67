#include "methods/topic_clusters.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "math/kernels.h"
#include "math/parallel.h"
#include "math/random.h"
#include "math/svd.h"
#include "math/unit.h"
#include "methods/lsa.h"
#include "methods/sample.h"

namespace idne {
namespace {

constexpr std::size_t kLeastRank = 100, kMostRank = 256;
constexpr std::uint64_t kSeed = 1;  // not the training's: another seed must not mean other topics
constexpr int kDraws = 8;           // neighbours of a document of a large corpus, and as many of theirs

std::vector<std::uint32_t> sample_with_words(const CountMatrix& counts, std::size_t most) {
  std::vector<std::uint32_t> some;
  for (std::uint32_t i = 0; i < counts.rows(); ++i) {
    if (!counts.row(i).empty()) some.push_back(i);
  }
  if (some.size() <= most) return some;
  std::vector<std::uint32_t> fewer;
  for (const std::uint32_t n : even_sample(some.size(), most)) fewer.push_back(some[n]);
  return fewer;
}

/// Documents as LSA sees them.
class TextSpace {
 public:
  TextSpace(const CountMatrix& counts, std::size_t words, const std::vector<std::uint32_t>& sample, std::size_t rank,
            const Run& run)
      : counts_(counts), width_(rank), run_(run) {
    const CountMatrix some = rows_of(counts, sample);
    idf_ = inverse_document_frequency(some, words);
    svd_ = truncated_svd(tf_idf(some, idf_), rank, kSeed, run);
  }

  std::size_t width() const { return width_; }
  const TruncatedSvd& svd() const { return svd_; }

  /// Row after row.
  std::vector<float> rows(const std::vector<std::uint32_t>& documents) const {
    const SparseRows texts = tf_idf(rows_of(counts_, documents), idf_);
    std::vector<float> result(documents.size() * width_);
    parallel_parts(run_.threads, documents.size(), 64, [&](std::size_t begin, std::size_t end) {
      run_.check();
      for (std::size_t n = begin; n < end; ++n) {
        weighted_sum(svd_.right.data(), width_, texts.row(n).data(), texts.row(n).size(), width_,
                     result.data() + n * width_);
      }
    });
    return result;
  }

 private:
  const CountMatrix& counts_;
  std::size_t width_;
  const Run& run_;
  std::vector<double> idf_;
  TruncatedSvd svd_;
};

/// What a row's entries are multiplied by to be those of NNDSVD's start: of each singular vector the sign counts that
/// has the larger part of it, on both sides.
std::vector<double> scales_of_components(const std::vector<float>& rows, const std::vector<float>& right,
                                         std::size_t width) {
  std::vector<double> scales(width);
  for (std::size_t k = 0; k < width; ++k) {
    double left_parts[2] = {0, 0}, right_parts[2] = {0, 0};
    for (std::size_t at = k; at < rows.size(); at += width) {
      left_parts[rows[at] < 0] += std::pow(static_cast<double>(rows[at]), 2);
    }
    for (std::size_t at = k; at < right.size(); at += width) {
      right_parts[right[at] < 0] += std::pow(static_cast<double>(right[at]), 2);
    }
    const bool negative = left_parts[1] * right_parts[1] > left_parts[0] * right_parts[0];
    // Rows hold the singular value σ already: √(σ |u| |v|) · u / |u| = √(|v| / |σu|) · σu.
    const double length = std::sqrt(left_parts[negative]);
    const double size = length > 0 ? std::sqrt(std::sqrt(right_parts[negative]) / length) : 0;
    scales[k] = negative ? -size : size;
  }
  return scales;
}

/// The sample's documents, each with its neighbours and their neighbours: links say what a document is about beyond
/// its words.
std::vector<float> drawn_to_neighbours(const TextSpace& space, const Network& network,
                                       const std::vector<std::uint32_t>& sample, int threads) {
  const std::size_t width = space.width();
  std::vector<std::uint32_t> all(network.documents());
  std::iota(all.begin(), all.end(), 0u);
  std::vector<float> hop_vectors = space.rows(all), sum(sample.size() * width);
  for (int hop = 0; hop <= 2; ++hop) {
    if (hop > 0) hop_vectors = network.neighbour_means(hop_vectors, width, 0, threads);
    rows_to_unit_length(hop_vectors, width, threads);
    for (std::size_t n = 0; n < sample.size(); ++n) {
      for (std::size_t k = 0; k < width; ++k) sum[n * width + k] += hop_vectors[sample[n] * width + k];
    }
  }
  rows_to_unit_length(sum, width, threads);
  return sum;
}

/// The same by a few neighbours of each, drawn, where means over all would take the memory of all documents.
std::vector<float> drawn_to_some_neighbours(const TextSpace& space, const Network& network,
                                            const std::vector<std::uint32_t>& sample, std::vector<float> own,
                                            int threads) {
  const std::size_t width = space.width();
  std::vector<std::vector<std::uint32_t>> near(sample.size()), far(sample.size());
  std::vector<std::uint32_t> drawn;
  for (std::size_t n = 0; n < sample.size(); ++n) {
    if (!(network.degree(sample[n]) > 0)) continue;
    Random random(kSeed, Purpose::TopicFit, sample[n]);
    for (int draw = 0; draw < kDraws; ++draw) {
      near[n].push_back(network.draw_neighbour(sample[n], random));
      far[n].push_back(network.draw_neighbour(near[n].back(), random));
    }
    drawn.insert(drawn.end(), near[n].begin(), near[n].end());
    drawn.insert(drawn.end(), far[n].begin(), far[n].end());
  }
  std::ranges::sort(drawn);
  drawn.erase(std::unique(drawn.begin(), drawn.end()), drawn.end());
  std::vector<float> others = space.rows(drawn);
  rows_to_unit_length(others, width, threads);
  rows_to_unit_length(own, width, threads);
  parallel_parts(threads, sample.size(), 64, [&](std::size_t begin, std::size_t end) {
    std::vector<float> mean(width);
    for (std::size_t n = begin; n < end; ++n) {
      for (const auto* hop : {&near[n], &far[n]}) {
        std::ranges::fill(mean, 0.0f);
        for (const std::uint32_t other : *hop) {
          const auto at = static_cast<std::size_t>(std::ranges::lower_bound(drawn, other) - drawn.begin());
          for (std::size_t k = 0; k < width; ++k) mean[k] += others[at * width + k];
        }
        to_unit_length(mean);
        for (std::size_t k = 0; k < width; ++k) own[n * width + k] += mean[k];
      }
    }
  });
  rows_to_unit_length(own, width, threads);
  return own;
}

}  // namespace

TopicClusters::TopicClusters(const CountMatrix& counts, std::size_t words, const Network* network,
                             std::size_t most_clusters, const Run& run, std::size_t most_documents)
    : documents_(sample_with_words(counts, most_documents)), width_(std::clamp(most_clusters, kLeastRank, kMostRank)) {
  if (documents_.empty()) return;
  const TextSpace space(counts, words, documents_, width_, run);
  texts_ = space.rows(documents_);
  component_scales_ = scales_of_components(texts_, space.svd().right, width_);
  run.check();
  if (!network || network->links() == 0) {
    rows_ = texts_;
    rows_to_unit_length(rows_, width_, run.threads);
  } else if (counts.rows() <= most_documents) {
    rows_ = drawn_to_neighbours(space, *network, documents_, run.threads);
  } else {
    rows_ = drawn_to_some_neighbours(space, *network, documents_, texts_, run.threads);
  }
}

Clusters TopicClusters::find(std::size_t clusters, const Run& run) const {
  Clusters start{clusters, std::vector<std::uint32_t>(documents_.size())};
  for (std::size_t n = 0; n < documents_.size(); ++n) {
    double best = 0;
    for (std::size_t k = 0; k < std::min(clusters, width_); ++k) {
      const double weight = component_scales_[k] * static_cast<double>(texts_[n * width_ + k]);
      if (weight > best) best = weight, start.of_row[n] = static_cast<std::uint32_t>(k);
    }
  }
  return spherical_kmeans({rows_.data(), documents_.size(), width_}, std::move(start), run);
}

}  // namespace idne
