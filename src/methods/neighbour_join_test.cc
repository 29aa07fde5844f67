#include "methods/neighbour_join.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "math/random.h"
#include "with_threads.h"

namespace idne {
namespace {

struct Graph {
  std::size_t documents;
  std::vector<Link> links;
  std::vector<Membership> members;
  Network network() const { return Network(documents, links, members); }
};

/// Links with weights, groups that overlap each other and a link (1 and 2), a group of one, and 7, which is alone.
Graph mixed() {
  return {8,
          {{0, 1, 2}, {1, 2, 0.5f}, {3, 0, 1}, {4, 5, 3}},
          {{1, 0}, {2, 0}, {3, 0}, {2, 1}, {3, 1}, {5, 1}, {6, 1}, {4, 2}}};
}

std::vector<float> random_rows(std::size_t rows, std::size_t width, std::uint64_t seed) {
  Random random(seed, Purpose::Generate, 0);
  std::vector<float> values(rows * width);
  for (float& x : values) x = static_cast<float>(random.uniform() - 0.4);
  return values;
}

/// The twin with a dense A, groups expanded: (A + self · I) X, rows divided by their sums.
std::vector<double> dense_means(const Graph& graph, const std::vector<float>& rows, std::size_t width, double self) {
  const std::size_t n = graph.documents;
  std::vector<double> a(n * n), result(n * width);
  for (const Link& link : graph.links) {
    a[link.a * n + link.b] += link.weight;
    a[link.b * n + link.a] += link.weight;
  }
  for (const Membership& x : graph.members) {
    for (const Membership& y : graph.members) {
      if (x.group == y.group && x.document != y.document) a[x.document * n + y.document] += 1;
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    a[i * n + i] += self;
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) sum += a[i * n + j];
    for (std::size_t j = 0; j < n && sum > 0; ++j) {
      for (std::size_t k = 0; k < width; ++k) result[i * width + k] += a[i * n + j] / sum * rows[j * width + k];
    }
  }
  return result;
}

double length(const float* row, std::size_t width) {
  double square = 0;
  for (std::size_t k = 0; k < width; ++k) square += static_cast<double>(row[k]) * row[k];
  return std::sqrt(square);
}

TEST(NeighbourMeans, AreTheDenseProduct) {
  const Graph graph = mixed();
  for (const std::size_t width : {1u, 3u, 70u}) {
    const auto rows = random_rows(8, width, width);
    for (const double self : {0.0, 1.0, 2.5}) {
      const auto found = graph.network().neighbour_means(rows, width, self, 1);
      const auto truth = dense_means(graph, rows, width, self);
      ASSERT_EQ(found.size(), truth.size());
      for (std::size_t k = 0; k < found.size(); ++k) {
        EXPECT_NEAR(found[k], truth[k], 1e-5) << "self " << self << ", document " << k / width;
      }
    }
  }
}

TEST(NeighbourMeans, SameBitsAtAnyNumberOfThreads) {
  Graph graph{600, {}, {}};  // several pieces of 256 rows
  for (std::uint32_t i = 0; i + 1 < 600; i += 2) graph.links.push_back({i, i + 1, 1});
  for (std::uint32_t i = 0; i < 600; i += 3) graph.members.push_back({i, i % 4});
  const auto rows = random_rows(600, 5, 1);
  const auto one = graph.network().neighbour_means(rows, 5, 1, 1);
  const auto truth = dense_means(graph, rows, 5, 1);
  for (std::size_t k = 0; k < one.size(); ++k) ASSERT_NEAR(one[k], truth[k], 1e-5) << k / 5;
  for (const int threads : {2, 3}) EXPECT_EQ(one, graph.network().neighbour_means(rows, 5, 1, threads));
}

/// Two identities, one below the other: no scaling at all.
std::vector<float> no_scaling(std::size_t width) {
  std::vector<float> both(2 * width * width);
  for (std::size_t k = 0; k < 2 * width; ++k) both[k * width + k % width] = 1;
  return both;
}

/// As NeighbourJoin::join_all, without the scaling.
std::vector<float> join_plainly(MatrixView text, const Network& network, std::size_t hops) {
  const auto hop_rows = NeighbourJoin::hop_vectors(text, network, hops, 1);
  const auto scaling = no_scaling(text.columns);
  return NeighbourJoin::join_documents({hop_rows.data(), (hops + 1) * text.rows, text.columns}, text.rows,
                                       {scaling.data(), 2 * text.columns, text.columns}, 1);
}

TEST(NeighbourJoin, PutsUnitTextBesideUnitMeanOverTheHops) {
  const Graph graph = mixed();
  const auto rows = random_rows(8, 4, 2);
  for (const std::size_t hops : {0u, 1u, 2u, 3u}) {
    const auto joined = join_plainly({rows.data(), 8, 4}, graph.network(), hops);
    ASSERT_EQ(joined.size(), 64u);
    std::vector<float> means(rows.size());
    for (std::size_t k = 0; k < rows.size(); ++k) {
      means[k] = static_cast<float>(rows[k] / length(rows.data() + k / 4 * 4, 4));
      EXPECT_NEAR(joined[k / 4 * 8 + k % 4], means[k], 1e-6) << "document " << k / 4;
    }
    for (std::size_t hop = 0; hop < hops; ++hop) {
      const auto next = dense_means(graph, means, 4, 1);
      means.assign(next.begin(), next.end());
    }
    for (std::size_t k = 0; k < rows.size(); ++k) {
      EXPECT_NEAR(joined[k / 4 * 8 + 4 + k % 4], means[k] / length(means.data() + k / 4 * 4, 4), 1e-5)
          << hops << " hops, document " << k / 4;
    }
  }
}

TEST(NeighbourJoin, HalvesHaveUnitLengthAndAreEqualForADocumentAlone) {
  const auto rows = random_rows(8, 4, 3);
  const auto joined = join_plainly({rows.data(), 8, 4}, mixed().network(), 2);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_NEAR(length(joined.data() + i * 8, 4), 1, 1e-6) << i;
    EXPECT_NEAR(length(joined.data() + i * 8 + 4, 4), 1, 1e-6) << i;
  }
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(joined[7 * 8 + k], joined[7 * 8 + 4 + k], 1e-6);
  EXPECT_GT(std::abs(joined[0] - joined[4]), 1e-3);
}

TEST(NeighbourJoin, EmptyDocumentHasItsNeighboursAlone) {
  const std::vector<float> rows{0, 0, 3, 4, 0, 0};
  const auto joined = join_plainly({rows.data(), 3, 2}, Network(3, std::vector<Link>{{0, 1}}, {}), 1);
  const std::vector<float> truth{0, 0, 0.6f, 0.8f, 0.6f, 0.8f, 0.6f, 0.8f, 0, 0, 0, 0};
  ASSERT_EQ(joined.size(), truth.size());
  for (std::size_t k = 0; k < truth.size(); ++k) EXPECT_NEAR(joined[k], truth[k], 1e-6) << k;
}

TEST(SpectralScaling, IsAPowerOfTheGramMatrix) {
  // Documents along the axes, nine times as many along the first as along the second, and one along none: lengths do
  // not count, so the scalings are as 9^0.225 to 1 to (almost nothing)^0.225.
  std::vector<float> rows;
  for (int i = 0; i < 9; ++i) rows.insert(rows.end(), {static_cast<float>(i + 1), 0, 0});
  rows.insert(rows.end(), {0, 5, 0});
  rows.insert(rows.end(), {0, 0, 0});
  const auto scaling = NeighbourJoin::spectral_scaling({rows.data(), 11, 3}, 11, NeighbourJoin::kStretch, {});
  ASSERT_EQ(scaling.size(), 18u);
  EXPECT_NEAR(scaling[0] / scaling[4], std::pow(9.0, 0.225), 1e-5);
  EXPECT_NEAR(scaling[8] / scaling[4], std::pow(1e-4 * 10 / 3, 0.225), 1e-5);
  for (const std::size_t k : {1u, 2u, 3u, 5u, 6u, 7u}) EXPECT_NEAR(scaling[k], 0, 1e-6);
}

TEST(SpectralScaling, TurnsWithTheDocuments) {
  // The documents of the test above, turned by 30 degrees in the first two dimensions.
  const double c = std::sqrt(0.75), s = 0.5;
  std::vector<float> rows;
  for (int i = 0; i < 9; ++i) rows.insert(rows.end(), {static_cast<float>(c), static_cast<float>(s)});
  rows.insert(rows.end(), {static_cast<float>(-s), static_cast<float>(c)});
  const auto scaling = NeighbourJoin::spectral_scaling({rows.data(), 10, 2}, 10, NeighbourJoin::kStretch, {});
  const double along = std::pow(9.0 / 5, 0.225), across = std::pow(1.0 / 5, 0.225);
  EXPECT_NEAR(scaling[0], c * c * along + s * s * across, 1e-5);
  EXPECT_NEAR(scaling[1], c * s * (along - across), 1e-5);
  EXPECT_NEAR(scaling[2], c * s * (along - across), 1e-5);
  EXPECT_NEAR(scaling[3], s * s * along + c * c * across, 1e-5);
}

TEST(SpectralScaling, OfDocumentsWithoutWordsIsNone) {
  const std::vector<float> rows(6);
  EXPECT_EQ(NeighbourJoin::spectral_scaling({rows.data(), 3, 2}, 3, NeighbourJoin::kStretch, {}), no_scaling(2));
}

TEST(SpectralScaling, WithoutStretchIsNone) {
  const auto rows = random_rows(8, 4, 7);
  EXPECT_EQ(NeighbourJoin::spectral_scaling({rows.data(), 8, 4}, 8, 0, {}), no_scaling(4));
}

TEST(NeighbourJoin, ScalesBothHalves) {
  const auto rows = random_rows(8, 4, 7);
  const MatrixView text{rows.data(), 8, 4};
  const auto hop_rows = NeighbourJoin::hop_vectors(text, mixed().network(), 2, 1);
  const auto scaling = NeighbourJoin::spectral_scaling({hop_rows.data(), 24, 4}, 8, NeighbourJoin::kStretch, {});
  const auto plain = join_plainly(text, mixed().network(), 2),
             joined = NeighbourJoin::join_all(text, mixed().network(), {2}, {});
  for (std::size_t half = 0; half < 16; ++half) {
    float truth[4] = {};
    for (std::size_t k = 0; k < 4; ++k) {
      for (std::size_t m = 0; m < 4; ++m) {
        truth[k] += plain[half * 4 + m] * scaling[(half % 2 * 4 + m) * 4 + k];
      }
    }
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_NEAR(joined[half * 4 + k], truth[k] / length(truth, 4), 1e-5) << half << ", " << k;
    }
  }
  for (const int threads : {2, 3})
    EXPECT_EQ(joined, NeighbourJoin::join_all(text, mixed().network(), {2}, with_threads(threads)));
}

TEST(JoinNew, IsScaledAsTheDocumentsAre) {
  // Document 7 is alone: a new document with its text, and no links, has its vector.
  const auto rows = random_rows(8, 4, 8);
  const MatrixView text{rows.data(), 8, 4};
  const auto hop_rows = NeighbourJoin::hop_vectors(text, mixed().network(), 2, 1);
  const auto scaling = NeighbourJoin::spectral_scaling({hop_rows.data(), 24, 4}, 8, NeighbourJoin::kStretch, {});
  const auto joined = NeighbourJoin::join_all(text, mixed().network(), {2}, {});
  std::vector<float> found(8);
  NeighbourJoin({hop_rows.data(), 16, 4}, 8, {scaling.data(), 8, 4}).join(text.row(7), {}, found);
  for (std::size_t k = 0; k < 8; ++k) EXPECT_NEAR(found[k], joined[56 + k], 1e-5) << k;
}

TEST(JoinNew, GivesADocumentOfTheNetworkItsVectorWhenItsLinksAreNew) {
  // Documents 0 … 3 in a row, and 4, which links to 1 and 3. Without 4 in the network, the others' means over two hops
  // lack it; over one hop they are the text vectors, and 4's own mean is the same either way.
  const auto rows = random_rows(5, 3, 4);
  const std::vector<Link> all{{0, 1}, {1, 2}, {2, 3}, {1, 4}, {3, 4}}, without{{0, 1}, {1, 2}, {2, 3}};
  const auto truth = join_plainly({rows.data(), 5, 3}, Network(5, all, {}), 1);
  const auto hop_rows = NeighbourJoin::hop_vectors({rows.data(), 4, 3}, Network(4, without, {}), 0, 1);
  std::vector<float> found(6);
  const auto scaling = no_scaling(3);
  NeighbourJoin({hop_rows.data(), 4, 3}, 4, {scaling.data(), 6, 3})
      .join(std::span(rows).subspan(12, 3), std::vector<std::uint32_t>{1, 3}, found);
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(found[k], truth[24 + k], 1e-6) << k;
}

TEST(JoinNew, GoesHopByHop) {
  const std::vector<float> hop_rows{1, 0, 0, 1, /* one hop: */ 0.5f, 0.5f, 0.5f, 0.5f};
  const std::vector<float> text{0, 2};
  std::vector<float> found(4);
  const auto scaling = no_scaling(2);
  NeighbourJoin({hop_rows.data(), 4, 2}, 2, {scaling.data(), 4, 2}).join(text, std::vector<std::uint32_t>{0}, found);
  // Mean over one hop: ((0, 1) + (1, 0)) / 2; over two: ((.5, .5) + (.5, .5)) / 2.
  EXPECT_FLOAT_EQ(found[0], 0);
  EXPECT_FLOAT_EQ(found[1], 1);
  EXPECT_NEAR(found[2], std::sqrt(0.5), 1e-6);
  EXPECT_NEAR(found[3], std::sqrt(0.5), 1e-6);
}

TEST(JoinNew, WithoutLinksIsItsTextTwice) {
  const std::vector<float> hop_rows{1, 0, 0, 1}, text{3, 4};
  std::vector<float> found(4);
  const auto scaling = no_scaling(2);
  NeighbourJoin({hop_rows.data(), 2, 2}, 2, {scaling.data(), 4, 2}).join(text, {}, found);
  EXPECT_NEAR(found[0], 0.6, 1e-6);
  EXPECT_NEAR(found[2], 0.6, 1e-6);
  EXPECT_NEAR(found[3], 0.8, 1e-6);
}

}  // namespace
}  // namespace idne
