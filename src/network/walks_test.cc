#include "network/walks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>

#include "small_corpus.h"

namespace idne {
namespace {

idne::Run with_threads(int threads) { return {.threads = threads, .progress = {}, .stopped = {}}; }

/// A ring of four, a group of three that hangs on it, and a document on its own.
Network ring_and_group() {
  const std::vector<Link> links{{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 0, 1}};
  const std::vector<Membership> members{{3, 0}, {4, 0}, {5, 0}};
  return Network(7, links, members);
}

bool linked(std::uint32_t a, std::uint32_t b) {
  if (a > b) std::swap(a, b);
  if (b < 4) return b - a == 1 || b - a == 3;
  return a >= 3 && b < 6 && a != b;
}

TEST(Walks, FollowLinksAndStartFromEveryLinkedDocument) {
  WalkSettings settings;
  settings.walks = 3;
  settings.length = 8;
  const auto walks = draw_walks(ring_and_group(), settings, {});
  ASSERT_EQ(walks.size(), 6u * 3 * 8);
  for (std::size_t n = 0; n < 18; ++n) {
    EXPECT_EQ(walks[n * 8], n / 3);
    for (std::size_t at = 1; at < 8; ++at) EXPECT_TRUE(linked(walks[n * 8 + at - 1], walks[n * 8 + at])) << n;
  }
}

TEST(Walks, StepsAreAsLikelyAsTheLinksAreHeavy) {
  const Network network(3, std::vector<Link>{{0, 1, 3}, {0, 2, 1}}, {});
  WalkSettings settings;
  settings.walks = 4000;
  settings.length = 2;
  const auto walks = draw_walks(network, settings, {});
  double to_heavy = 0;
  for (std::size_t n = 0; n < 4000; ++n) to_heavy += walks[2 * n + 1] == 1;
  EXPECT_NEAR(to_heavy / 4000, 0.75, 0.03);
}

/// The definition: every two places of a walk within the window.
std::map<std::pair<std::uint32_t, std::uint32_t>, double> enumerated(const std::vector<std::uint32_t>& walks,
                                                                     const WalkSettings& settings) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> sums;
  for (std::size_t begin = 0; begin < walks.size(); begin += settings.length) {
    for (std::size_t a = 0; a < settings.length; ++a) {
      for (std::size_t b = 0; b < settings.length; ++b) {
        const std::size_t distance = a > b ? a - b : b - a;
        if (distance == 0 || distance > settings.window) continue;
        sums[{walks[begin + a], walks[begin + b]}] += 1 / static_cast<double>(distance);
      }
    }
  }
  return sums;
}

TEST(Cooccurrences, AreThoseOfTheEnumeration) {
  const Corpus corpus = small_corpus(60, 10, 1);
  for (const double threshold : {0.0, 2.5, 5.0}) {
    WalkSettings settings;
    settings.walks = 4;
    settings.length = 13;
    settings.threshold = threshold;
    const auto walks = draw_walks(corpus.network, settings, {});
    const SparseRows rows = cooccurrences(walks, 60, settings, {});
    ASSERT_EQ(rows.rows(), 60u);
    auto expected = enumerated(walks, settings);
    std::erase_if(expected, [&](const auto& entry) { return entry.second <= threshold; });
    ASSERT_FALSE(expected.empty());
    ASSERT_EQ(rows.entries.size(), expected.size());
    for (std::uint32_t i = 0; i < 60; ++i) {
      std::uint32_t before = 0;
      for (const Term& entry : rows.row(i)) {
        EXPECT_NEAR(entry.weight, expected.at({i, entry.row}), 1e-4);
        EXPECT_GE(entry.row, before);
        before = entry.row + 1;
      }
    }
  }
}

TEST(Cooccurrences, SameBitsAtAnyNumberOfThreads) {
  const Corpus corpus = small_corpus(700, 10, 2);
  WalkSettings settings;
  settings.walks = 2;
  settings.length = 10;
  settings.threshold = 1;
  const auto walks = draw_walks(corpus.network, settings, with_threads(1));
  const SparseRows rows = cooccurrences(walks, 700, settings, with_threads(1));
  for (const int threads : {2, 3}) {
    EXPECT_EQ(draw_walks(corpus.network, settings, with_threads(threads)), walks);
    const SparseRows again = cooccurrences(walks, 700, settings, with_threads(threads));
    EXPECT_EQ(again.offsets, rows.offsets);
    EXPECT_TRUE(std::equal(again.entries.begin(), again.entries.end(), rows.entries.begin(), rows.entries.end(),
                           [](const Term& a, const Term& b) { return a.row == b.row && a.weight == b.weight; }));
  }
}

TEST(Cooccurrences, NetworkWithoutLinksHasNone) {
  for (const std::size_t documents : {0u, 1u, 5u}) {
    const WalkSettings settings;
    const auto walks = draw_walks(Network(documents, {}, {}), settings, {});
    EXPECT_TRUE(walks.empty());
    const SparseRows rows = cooccurrences(walks, documents, settings, {});
    EXPECT_EQ(rows.rows(), documents);
    EXPECT_TRUE(rows.entries.empty());
  }
}

TEST(Walks, StopWhenAsked) {
  const Corpus corpus = small_corpus(60, 10, 1);
  const idne::Run run{.threads = 1, .progress = {}, .stopped = [] { return true; }};
  EXPECT_THROW(draw_walks(corpus.network, {}, run), Interrupted);
}

}  // namespace
}  // namespace idne
