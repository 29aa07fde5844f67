#include "methods/topic_clusters.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "math/gathered.h"
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
constexpr std::uint64_t kSeed = 1;   // not the training's: another seed must not mean other topics
constexpr std::uint64_t kDraws = 8;  // neighbours of a document of a large corpus, and as many of theirs

std::vector<std::uint32_t> sample_with_words(const Bags& bags, std::size_t most) {
  std::vector<std::uint32_t> own;
  for (std::uint32_t i = 0; i < bags.own().rows(); ++i) {
    if (!bags.own().row(i).empty()) own.push_back(static_cast<std::uint32_t>(bags.spread().begin()) + i);
  }
  const Placement with_words = bags.ranks() ? Placement(*bags.ranks(), own.size()) : Placement(own.size());
  std::vector<std::uint32_t> some;
  for (const std::uint32_t n : even_sample(with_words.all(), most)) {
    if (with_words.here(n)) some.push_back(own[n - with_words.begin()]);
  }
  return bags.ranks() ? all_of(*bags.ranks(), std::span<const std::uint32_t>(some)) : some;
}

/// Documents as LSA sees them.
class TextSpace {
 public:
  TextSpace(const CountMatrix& sample, std::size_t words, std::size_t rank, const Run& run)
      : width_(rank), run_(run), idf_(inverse_document_frequency(sample, words)) {
    svd_ = truncated_svd(tf_idf(sample, idf_), rank, kSeed, run);
  }

  std::size_t width() const { return width_; }
  const TruncatedSvd& svd() const { return svd_; }

  /// Row after row.
  std::vector<float> rows(const CountMatrix& documents) const {
    const SparseRows texts = tf_idf(documents, idf_);
    std::vector<float> result(documents.rows() * width_);
    parallel_parts(run_.threads, documents.rows(), 64, [&](std::size_t begin, std::size_t end) {
      run_.check();
      for (std::size_t n = begin; n < end; ++n) {
        weighted_sum(svd_.right.data(), width_, texts.row(n).data(), texts.row(n).size(), width_,
                     result.data() + n * width_);
      }
    });
    return result;
  }

 private:
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

/// For each document of the sample the mean of its neighbours and that of theirs, at unit length; zeros for none.
struct Neighbourhoods {
  std::vector<float> near, far;
};

Neighbourhoods neighbourhoods(const TextSpace& space, const CountMatrix& all, const Network& network,
                              const std::vector<std::uint32_t>& sample, int threads) {
  const std::size_t width = space.width();
  std::vector<float> hop_vectors = space.rows(all);
  rows_to_unit_length(hop_vectors, width, threads);
  const auto next_hop = [&] {
    hop_vectors = network.neighbour_means(hop_vectors, width, 0, threads);
    rows_to_unit_length(hop_vectors, width, threads);
    return unit_rows({hop_vectors.data(), all.rows(), width}, sample, threads);
  };
  std::vector<float> near = next_hop(), far = next_hop();
  return {std::move(near), std::move(far)};
}

/// The same by a few neighbours of each, drawn, where means over all would take the memory of all documents. Who has a
/// document finds its means, and all get all.
Neighbourhoods drawn_neighbourhoods(const TextSpace& space, const Bags& bags, const Network& network,
                                    const std::vector<std::uint32_t>& sample, int threads) {
  const std::size_t width = space.width();
  std::vector<std::size_t> begin{0};  // of each own document's draws
  std::vector<Network::From> from;
  std::vector<std::uint32_t> near;
  for (const std::uint32_t i : sample) {
    if (!bags.spread().here(i)) continue;
    if (network.degree(i) > 0) {
      Random random(kSeed, Purpose::TopicFit, i);
      for (std::uint64_t draw = 0; draw < kDraws; ++draw) {
        near.push_back(network.draw_neighbour(i, random));
        from.push_back({near.back(), Random(kSeed, Purpose::TopicFit, (draw + 1) << 32 | i)});
      }
    }
    begin.push_back(near.size());
  }
  const std::vector<std::uint32_t> far = network.draw_neighbours(from);
  std::vector<std::uint32_t> drawn = near;
  drawn.insert(drawn.end(), far.begin(), far.end());
  const DistinctRows texts(bags, std::move(drawn));
  std::vector<float> others = space.rows(texts.rows());
  rows_to_unit_length(others, width, threads);
  const auto means = [&](const std::vector<std::uint32_t>& hop) {
    std::vector<float> rows((begin.size() - 1) * width);
    parallel_parts(threads, begin.size() - 1, 64, [&](std::size_t first, std::size_t last) {
      for (std::size_t n = first; n < last; ++n) {
        for (std::size_t at = begin[n]; at < begin[n + 1]; ++at) {
          const float* other = others.data() + texts.place(hop[at]) * width;
          for (std::size_t k = 0; k < width; ++k) rows[n * width + k] += other[k];
        }
      }
    });
    rows_to_unit_length(rows, width, threads);
    return bags.ranks() ? gathered(*bags.ranks(), std::span<const float>(rows)) : rows;
  };
  std::vector<float> near_rows = means(near), far_rows = means(far);
  return {std::move(near_rows), std::move(far_rows)};
}

/// How much a document's neighbours count beside its own text: as much as that where links join documents that are
/// alike, and less where they do so little more than chance does. Rows are of unit length.
float weight_of_neighbours(const std::vector<float>& own, const std::vector<float>& near, std::size_t width) {
  constexpr double kFull = 0.4, kMost = 1.5;  // where neighbours are so far from chance, of the way to the same text
  const std::size_t count = own.size() / width;
  double linked = 0, by_chance = 0, pairs = 0;
  for (std::size_t n = 0; n < count; ++n) {
    const float* mean = near.data() + n * width;
    if (!(dot(mean, mean, width) > 0)) continue;
    const std::size_t other = (n + count / 2) % count;
    linked += static_cast<double>(dot(own.data() + n * width, mean, width));
    by_chance += static_cast<double>(dot(own.data() + other * width, mean, width));
    ++pairs;
  }
  if (pairs == 0 || by_chance >= pairs) return 0;
  return static_cast<float>(std::clamp((linked - by_chance) / (pairs - by_chance) / kFull, 0.0, kMost));
}

}  // namespace

std::size_t TopicClusters::width_for(std::size_t clusters) { return std::clamp(clusters, kLeastRank, kMostRank); }

TopicClusters::TopicClusters(const Bags& bags, std::size_t words, const Network* network, std::size_t most_clusters,
                             const Run& run, std::size_t most_documents)
    : spread_(bags.spread()), documents_(sample_with_words(bags, most_documents)), width_(width_for(most_clusters)) {
  if (documents_.empty()) return;
  const CountMatrix sample = bags.rows(documents_);
  const TextSpace space(sample, words, width_, run);
  texts_ = space.rows(sample);
  component_scales_ = scales_of_components(texts_, space.svd().right, width_);
  run.check();
  rows_ = texts_;
  rows_to_unit_length(rows_, width_, run.threads);
  if (!network || network->links() == 0) return;
  const bool all = !bags.ranks() && bags.documents() <= most_documents;
  const Neighbourhoods around = all ? neighbourhoods(space, bags.own(), *network, documents_, run.threads)
                                    : drawn_neighbourhoods(space, bags, *network, documents_, run.threads);
  const float weight = weight_of_neighbours(rows_, around.near, width_);
  for (std::size_t at = 0; at < rows_.size(); ++at) rows_[at] += weight * (around.near[at] + around.far[at]);
  rows_to_unit_length(rows_, width_, run.threads);
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

Clusters TopicClusters::assign_free(Clusters start, std::span<const char> free, const Run& run) const {
  return idne::assign_free({rows_.data(), documents_.size(), width_}, std::move(start), free, run);
}

}  // namespace idne
