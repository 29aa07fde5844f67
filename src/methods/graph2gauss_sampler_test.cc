#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

#include "methods/graph2gauss.h"

namespace idne {
namespace {

/// Documents 0 … n − 1 in a line, each with a word of its own and one that all share.
Corpus line(std::uint32_t n) {
  Corpus corpus;
  std::vector<Link> links;
  for (std::uint32_t i = 0; i < n; ++i) {
    corpus.vocabulary.words.add(fmt::format("w{}", i));
    corpus.counts.add_row(i ? std::vector<WordCount>{{0, 1}, {i, 2}} : std::vector<WordCount>{{0, 1}});
    if (i > 0) links.push_back({i - 1, i, 1});
  }
  corpus.vocabulary.counts.assign(n, 1);
  corpus.network = Network(n, links, {});
  return corpus;
}

TEST(HopSampler, DrawsDocumentsAtTheirDistances) {
  const Corpus corpus = line(30);
  Graph2GaussSettings settings;
  settings.hops = 2;
  settings.held_out = 0;
  settings.batch = 200;
  const HopSampler sampler(corpus, settings, {});
  const HopRound round = sampler.round(1);
  ASSERT_EQ(round.anchors.size(), 30u);
  std::size_t found = 0;
  for (std::size_t n = 0; n < 30; ++n) {
    EXPECT_EQ(round.anchors[n], n);
    const auto distance = [&](std::size_t kind) {
      return std::abs(static_cast<int>(round.partners[3 * n + kind]) - static_cast<int>(n));
    };
    EXPECT_EQ(distance(0), 1);
    EXPECT_TRUE(round.partners[3 * n + 1] == kNoDocument || distance(1) == 2);
    EXPECT_GE(distance(2), 2);
    found += round.partners[3 * n + 1] != kNoDocument;
  }
  EXPECT_GT(found, 25u);
  EXPECT_NE(sampler.round(2), round);
  EXPECT_EQ(sampler.round(1), round);
}

TEST(HopSampler, AGroupHasNoSecondHop) {
  Corpus corpus = line(60);
  std::vector<Membership> members;
  for (std::uint32_t i = 0; i < 60; ++i) members.push_back({i, i / 30});
  corpus.network = Network(60, {}, members);
  Graph2GaussSettings settings;
  settings.batch = 60;
  const HopSampler sampler(corpus, settings, {});
  for (std::uint64_t r = 0; r < 10; ++r) {
    const HopRound round = sampler.round(r);
    for (std::size_t n = 0; n < 60; ++n) {
      EXPECT_EQ(round.partners[3 * n] / 30, n / 30);
      EXPECT_EQ(round.partners[3 * n + 1], kNoDocument);
      EXPECT_NE(round.partners[3 * n + 2] / 30, n / 30);
    }
  }
}

TEST(HopSampler, HeldOutLinksAreNeverDrawn) {
  Corpus corpus = line(80);
  std::vector<Membership> members;
  for (std::uint32_t i = 0; i < 80; ++i) members.push_back({i, 0});
  corpus.network = Network(80, {}, members);
  Graph2GaussSettings settings;
  settings.batch = 80;
  settings.hops = 1;
  const HopSampler sampler(corpus, settings, {});
  std::size_t held_out = 0;
  for (std::uint32_t a = 0; a < 80; ++a) {
    for (std::uint32_t b = 0; b < a; ++b) held_out += sampler.is_held_out(a, b);
  }
  EXPECT_NEAR(static_cast<double>(held_out) / (80 * 79 / 2.0), 0.1, 0.03);
  for (std::uint64_t r = 0; r < 20; ++r) {
    const HopRound round = sampler.round(r);
    for (std::size_t n = 0; n < 80; ++n) EXPECT_FALSE(sampler.is_held_out(round.anchors[n], round.partners[2 * n]));
  }
  const auto links = sampler.held_out_links(50);
  EXPECT_EQ(links.size(), 50u);
  for (const DocumentPair& pair : links) EXPECT_TRUE(sampler.is_held_out(pair.a, pair.b));
}

TEST(HopSampler, GivesUpWhereHardlyAnyLinkIsHeldOut) {
  Graph2GaussSettings settings;
  settings.held_out = 1e-300;
  EXPECT_TRUE(HopSampler(line(10), settings, {}).held_out_links(512).empty());
}

TEST(HopSampler, NumberOfLinksCountsAndNotTheirWeight) {
  constexpr std::uint32_t kLinked = 40;
  for (const float weight : {0.001f, 1.0f, 1e6f}) {
    // All of the first 40 are linked with each other; 40 and 41 have one link each.
    Corpus corpus = line(kLinked + 2);
    std::vector<Link> links{{0, kLinked, weight}, {kLinked + 1, 1, weight}};
    for (std::uint32_t a = 0; a < kLinked; ++a) {
      for (std::uint32_t b = 0; b < a; ++b) links.push_back({a, b, weight});
    }
    corpus.network = Network(kLinked + 2, links, {});
    const HopSampler sampler(corpus, {}, {});
    std::size_t known = 0, held_out = 0;
    for (std::uint32_t a = 0; a < kLinked; ++a) {
      for (std::uint32_t b = 0; b < a; ++b) {
        known += sampler.known_neighbours(a, b);
        held_out += sampler.is_held_out(a, b);
      }
    }
    EXPECT_EQ(known, kLinked * (kLinked - 1) / 2) << "weight " << weight;
    EXPECT_NEAR(static_cast<double>(held_out), 78, 30) << "weight " << weight;
    EXPECT_FALSE(sampler.is_held_out(0, kLinked)) << "its only link, weight " << weight;
    EXPECT_FALSE(sampler.is_held_out(1, kLinked + 1)) << "its only link, weight " << weight;
  }
}

}  // namespace
}  // namespace idne
