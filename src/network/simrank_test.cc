#include "network/simrank.h"

#include <gtest/gtest.h>

#include "network_twin.h"
#include "with_threads.h"

namespace idne {
namespace {

struct MeetingExample {
  std::vector<Link> links{{0, 1, 1}, {0, 2, 2}, {1, 2, 1}, {2, 3, 0.5}, {3, 4, 1}, {4, 5, 3}, {2, 5, 1}, {8, 9, 1}};
  std::vector<Membership> members{{1, 0}, {4, 0}, {6, 0}};
  Network network{10, links, members};  // 7 has no neighbour, 8 and 9 have but each other
  FullMatrix a = adjacency(10, links, members);
};

/// Jeh and Widom's iterations, with weights: s(i, j) = C Σ Â_ik Â_jl s(k, l), and 1 for i = j.
FullMatrix exact_simrank(const FullMatrix& a, double decay, std::size_t rounds) {
  const std::size_t n = a.size();
  FullMatrix s(n, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i) s[i][i] = 1;
  for (std::size_t round = 0; round < rounds; ++round) {
    FullMatrix next = s;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        if (i == j || sum(a[i]) <= 0 || sum(a[j]) <= 0) continue;
        double likeness = 0;
        for (std::size_t k = 0; k < n; ++k) {
          for (std::size_t l = 0; l < n; ++l) likeness += a[i][k] * a[j][l] * s[k][l];
        }
        next[i][j] = decay * likeness / (sum(a[i]) * sum(a[j]));
      }
    }
    s = next;
  }
  return s;
}

TEST(SimRank, SamplesComeToTheIterationsOfThePaper) {
  const MeetingExample example;
  for (const std::size_t hops : {1u, 5u}) {
    const SimRankSettings settings{.decay = 0.8, .hops = hops, .samples = 6000, .seed = 1};
    const SimRankSamples samples(example.network, settings, with_threads(2));
    const FullMatrix exact = exact_simrank(example.a, 0.8, hops);
    for (std::uint32_t i = 0; i < 10; ++i) {
      for (std::uint32_t j = 0; j < 10; ++j) {
        EXPECT_NEAR(samples.likeness(i, j), exact[i][j], 0.02) << hops << ": " << i << " " << j;
      }
    }
  }
}

TEST(SimRank, OthersAreDrawnAsMuchAsTheyAreAlike) {
  const MeetingExample example;
  const SimRankSamples samples(example.network, {.decay = 0.8, .hops = 5, .samples = 50, .seed = 2}, {});
  for (std::uint32_t i = 0; i < 7; ++i) {
    std::vector<double> weights(10);
    for (std::uint32_t j = 0; j < 10; ++j) weights[j] = i == j ? 0 : samples.likeness(i, j);
    std::vector<int> seen(10);
    Random random(1, Purpose::Pairs, i);
    for (int n = 0; n < 20000; ++n) ++seen[samples.draw(i, random)];
    EXPECT_LT(surprise(seen, weights), 4) << i;
  }
}

TEST(SimRank, WhoHasNobodyLikeItGetsItself) {
  const MeetingExample example;
  const SimRankSamples samples(example.network, {}, {});
  Random random(1, Purpose::Pairs, 0);
  EXPECT_EQ(samples.draw(7, random), 7u);
  EXPECT_EQ(samples.draw(8, random), 8u) << "walks of two that are linked alone change places for ever";
}

TEST(SimRank, IsTheSameAtAnyNumberOfThreads) {
  const MeetingExample example;
  const SimRankSamples one(example.network, {}, with_threads(1)), three(example.network, {}, with_threads(3));
  for (std::uint32_t i = 0; i < 10; ++i) {
    for (std::uint32_t j = 0; j < 10; ++j) EXPECT_EQ(one.likeness(i, j), three.likeness(i, j));
    Random a(1, Purpose::Pairs, i), b = a;
    EXPECT_EQ(one.draw(i, a), three.draw(i, b));
  }
}

}  // namespace
}  // namespace idne
