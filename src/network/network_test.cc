#include "network/network.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "math/random.h"
#include "network_twin.h"

namespace idne {
namespace {

/// A + A².
FullMatrix paths(const FullMatrix& a) {
  FullMatrix result = a;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < a.size(); ++k) {
      for (std::size_t j = 0; j < a.size(); ++j) result[i][j] += a[i][k] * a[k][j];
    }
  }
  return result;
}

struct Graph {
  const char* name;
  std::size_t documents;
  std::vector<Link> links;
  std::vector<Membership> members;
};

const std::vector<Graph> kGraphs{
    {"links", 6, {{0, 1}, {1, 2}, {2, 3}, {0, 3}, {1, 3}}, {}},
    {"weights", 5, {{0, 1, 0.25f}, {1, 2, 3.0f}, {2, 3, 1.5f}, {0, 4, 10.0f}, {3, 4, 0.5f}}, {}},
    {"one group", 5, {}, {{0, 0}, {1, 0}, {2, 0}, {4, 0}}},
    {"groups that overlap, links inside them, a group of one",
     9,
     {{0, 1}, {2, 5, 2.5f}, {6, 7}, {0, 8, 0.125f}},
     {{0, 0}, {1, 0}, {2, 0}, {2, 1}, {3, 1}, {4, 1}, {1, 2}, {2, 2}, {5, 3}, {0, 3}}},
};

class NetworkDraws : public testing::TestWithParam<Graph> {
 protected:
  const Graph& graph = GetParam();
  const Network network{graph.documents, graph.links, graph.members};
  const FullMatrix a = adjacency(graph.documents, graph.links, graph.members);
  const FullMatrix both = paths(a);
  static constexpr int kDraws = 60000;
};

TEST_P(NetworkDraws, DegreesAndPathCountsAreRowSums) {
  double links = 0;
  for (const Membership& x : graph.members) {
    for (const Membership& y : graph.members) links += x.group == y.group && x.document < y.document;
  }
  EXPECT_EQ(network.links(), graph.links.size() + static_cast<std::size_t>(links));
  for (std::uint32_t i = 0; i < graph.documents; ++i) {
    EXPECT_DOUBLE_EQ(network.degree(i), sum(a[i])) << i;
    EXPECT_DOUBLE_EQ(network.path_count(i), sum(both[i])) << i;
  }
}

TEST_P(NetworkDraws, NeighboursAreCountedWhateverTheirWeight) {
  for (std::uint32_t i = 0; i < graph.documents; ++i) {
    std::uint64_t count = 0;
    for (const Link& link : graph.links) count += link.a == i || link.b == i;
    for (const Membership& x : graph.members) {
      for (const Membership& y : graph.members) count += x.document == i && y.group == x.group && y.document != i;
    }
    EXPECT_EQ(network.neighbour_count(i), count) << i;
  }
}

TEST_P(NetworkDraws, NeighboursComeInProportionToA) {
  for (std::uint32_t i = 0; i < graph.documents; ++i) {
    if (network.degree(i) == 0) continue;
    Random random(1, Purpose::Pairs, i);
    std::vector<int> seen(graph.documents);
    for (int k = 0; k < kDraws; ++k) ++seen[network.draw_neighbour(i, random)];
    EXPECT_LT(surprise(seen, a[i]), 4) << i;
  }
}

TEST_P(NetworkDraws, PathEndsComeInProportionToAPlusASquared) {
  for (std::uint32_t i = 0; i < graph.documents; ++i) {
    Random random(2, Purpose::Pairs, i);
    std::vector<int> seen(graph.documents);
    for (int k = 0; k < kDraws; ++k) ++seen[network.draw_path_end(i, random)];
    if (network.degree(i) == 0) {
      EXPECT_EQ(seen[i], kDraws) << "a document without links pairs with itself";
    } else {
      EXPECT_LT(surprise(seen, both[i]), 4) << i;
    }
  }
}

TEST_P(NetworkDraws, PathsAreDrawnAlike) {
  Random random(3, Purpose::Pairs, 0);
  std::vector<int> seen(graph.documents * graph.documents);
  for (int k = 0; k < 4 * kDraws; ++k) {
    const std::uint32_t i = *network.draw_path_start(random);
    ++seen[i * graph.documents + network.draw_path_end(i, random)];
  }
  std::vector<double> weights;
  for (const auto& row : both) weights.insert(weights.end(), row.begin(), row.end());
  EXPECT_LT(surprise(seen, weights), 4);
}

INSTANTIATE_TEST_SUITE_P(Graphs, NetworkDraws, testing::ValuesIn(kGraphs),
                         [](const auto& info) { return "Graph" + std::to_string(info.index); });

TEST(Network, WithoutAnyLinkStartsAreUniformAndEndsAreThemselves) {
  const Network network(4, {}, {});
  Random random(1, Purpose::Pairs, 0);
  std::vector<int> seen(4);
  for (int k = 0; k < 4000; ++k) {
    const std::uint32_t i = *network.draw_path_start(random);
    EXPECT_EQ(network.draw_path_end(i, random), i);
    ++seen[i];
  }
  EXPECT_LT(surprise(seen, {1, 1, 1, 1}), 4);
}

TEST(Network, ALargeGroupIsNotExpanded) {
  // 200,000 members would be 20 thousand million links.
  std::vector<Membership> members;
  for (std::uint32_t i = 0; i < 200000; ++i) members.push_back({i, 0});
  const Network network(members.size(), {}, members);
  EXPECT_EQ(network.links(), 200000ull * 199999 / 2);
  EXPECT_DOUBLE_EQ(network.path_count(5), 199999.0 * 200000.0);
  Random random(1, Purpose::Pairs, 0);
  for (int k = 0; k < 1000; ++k) EXPECT_LT(network.draw_path_end(7, random), 200000u);
}

}  // namespace
}  // namespace idne
