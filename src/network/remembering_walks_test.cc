#include <gtest/gtest.h>

#include "network/walks.h"
#include "network_twin.h"

namespace idne {
namespace {

/// Triangles, a tail, links of several weights, and groups that overlap with them.
struct WalkExample {
  std::vector<Link> links{{0, 1, 1}, {0, 2, 2}, {1, 2, 1}, {2, 3, 0.5}, {3, 4, 1}, {4, 5, 3}, {2, 5, 1}};
  std::vector<Membership> members{{1, 0}, {2, 1}, {4, 0}, {4, 1}, {6, 0}};
  Network network{8, links, members};  // 7 has no neighbour
  FullMatrix a = adjacency(8, links, members);
};

TEST(Network, WeightIsThatOfTheAdjacencyMatrix) {
  const WalkExample example;
  for (std::uint32_t i = 0; i < 8; ++i) {
    for (std::uint32_t j = 0; j < 8; ++j) EXPECT_EQ(example.network.weight(i, j), example.a[i][j]) << i << " " << j;
  }
}

TEST(RememberingWalks, HopsAreAsLikelyAsThePaperSays) {
  const WalkExample example;
  for (const auto& [p, q] : std::vector<std::pair<double, double>>{
           {1, 1}, {0.25, 4}, {4, 0.25}, {0.1, 0.5}, {3, 3}, {0.2, 1}, {1, 0.1}, {100, 10}}) {
    const RememberingWalks walks(example.network, p, q);
    Random random(1, Purpose::Walks, 0);
    for (std::uint32_t last = 0; last < 7; ++last) {
      for (std::uint32_t here = 0; here < 7; ++here) {
        if (example.a[last][here] <= 0) continue;
        std::vector<double> weights(8);
        for (std::uint32_t x = 0; x < 8; ++x) {
          weights[x] = example.a[here][x] * (x == last ? 1 / p : example.a[last][x] > 0 ? 1 : 1 / q);
        }
        std::vector<int> seen(8);
        for (int n = 0; n < 3000; ++n) ++seen[walks.draw_next(last, here, random)];
        EXPECT_LT(surprise(seen, weights), 4.5) << p << " " << q << " from " << last << " to " << here;
      }
    }
  }
}

TEST(RememberingWalks, FollowLinks) {
  const WalkExample example;
  const RememberingWalks walks(example.network, 0.5, 2);
  std::vector<std::uint32_t> walk(50);
  walk[0] = 6;
  Random random(1, Purpose::Walks, 1);
  walks.draw(walk, random);
  for (std::size_t at = 1; at < walk.size(); ++at) EXPECT_GT(example.a[walk[at - 1]][walk[at]], 0);
}

/// r = (1 − c) e_i + c r Â, by iteration.
std::vector<double> page_rank(const FullMatrix& a, std::size_t start, double go_on) {
  std::vector<double> rank(a.size()), next(a.size());
  rank[start] = 1;
  for (int round = 0; round < 300; ++round) {
    next.assign(a.size(), 0);
    next[start] = 1 - go_on;
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = 0; j < a.size() && rank[i] > 0; ++j) next[j] += go_on * rank[i] * a[i][j] / sum(a[i]);
    }
    rank = next;
  }
  return rank;
}

TEST(Restarts, EndsAreAsLikelyAsPersonalisedPageRank) {
  const WalkExample example;
  for (const double go_on : {0.0, 0.5, 0.85}) {
    for (const std::uint32_t start : {0u, 3u, 6u}) {
      std::vector<int> seen(8);
      Random random(1, Purpose::Restarts, start);
      for (int n = 0; n < 20000; ++n) ++seen[draw_restart_end(example.network, start, go_on, random)];
      EXPECT_LT(surprise(seen, page_rank(example.a, start, go_on)), 4) << go_on << " " << start;
    }
  }
  Random random(1, Purpose::Restarts, 0);
  EXPECT_EQ(draw_restart_end(example.network, 7, 0.85, random), 7u) << "nobody else is there";
}

}  // namespace
}  // namespace idne
