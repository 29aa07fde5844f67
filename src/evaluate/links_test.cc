#include "evaluate/links.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace idne {
namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;

Collection network(std::uint32_t documents, std::vector<Link> links, std::vector<Membership> members = {}) {
  Collection collection;
  for (std::uint32_t i = 0; i < documents; ++i) collection.ids.add(fmt::format("d{}", i));
  collection.links = std::move(links);
  collection.memberships = std::move(members);
  return collection;
}

/// The twin that looks at every pair of hidden documents: which places are linked.
std::set<Pair> linked_places(const Collection& collection, const std::vector<std::uint32_t>& hidden) {
  std::set<Pair> linked;
  for (std::uint32_t x = 0; x < hidden.size(); ++x) {
    for (std::uint32_t y = x + 1; y < hidden.size(); ++y) {
      for (const Link& link : collection.links) {
        if ((link.a == hidden[x] && link.b == hidden[y]) || (link.a == hidden[y] && link.b == hidden[x])) {
          linked.insert({x, y});
        }
      }
      for (const Membership& m : collection.memberships) {
        for (const Membership& n : collection.memberships) {
          if (m.group == n.group && m.document == hidden[x] && n.document == hidden[y]) linked.insert({x, y});
        }
      }
    }
  }
  return linked;
}

void expect_right(const Collection& collection, const std::vector<std::uint32_t>& hidden, std::uint64_t seed) {
  Random random(seed, Purpose::Unlinked, 0);
  const std::set<Pair> linked = linked_places(collection, hidden);
  std::vector<Pair> positives, negatives;
  for (const HiddenPair& pair : hidden_pairs(collection, hidden, random)) {
    ASSERT_NE(pair.a, pair.b);
    ASSERT_LT(std::max(pair.a, pair.b), hidden.size());
    (pair.linked ? positives : negatives).push_back(std::minmax({pair.a, pair.b}));
  }
  std::sort(positives.begin(), positives.end());
  EXPECT_EQ(positives, std::vector<Pair>(linked.begin(), linked.end()));
  const std::set<Pair> distinct(negatives.begin(), negatives.end());
  EXPECT_EQ(distinct.size(), negatives.size());
  for (const Pair& pair : distinct) EXPECT_FALSE(linked.contains(pair));
  const std::size_t all = hidden.size() * (hidden.size() - 1) / 2;
  EXPECT_EQ(negatives.size(), std::min(linked.size(), all - linked.size()));
}

TEST(HiddenPairs, AreAllLinksBetweenHiddenDocumentsAndAsManyOthers) {
  const std::vector<Link> ring{{0, 1}, {2, 1}, {2, 3}, {4, 3}, {4, 5}, {5, 6}, {6, 7}, {9, 8}};
  const std::vector<Membership> groups{{1, 0}, {4, 0}, {7, 0}, {2, 1}, {1, 1}, {7, 1}, {3, 2}};
  const std::vector<std::uint32_t> hidden{1, 2, 3, 4, 7, 8, 9};
  expect_right(network(10, ring), hidden, 1);
  expect_right(network(10, {}, groups), hidden, 2);
  expect_right(network(10, ring, groups), hidden, 3);  // 1 and 2 by a link and a group, 1 and 7 by two groups
  expect_right(network(10, {}), hidden, 4);
  expect_right(network(10, {{0, 5}}), hidden, 5);  // a link, but not between hidden ones
}

TEST(HiddenPairs, OfManyDocumentsAreRightToo) {
  Random random(1, Purpose::Generate, 0);
  std::set<Pair> drawn;
  while (drawn.size() < 150) {
    const std::uint32_t a = random.below(60), b = random.below(60);
    if (a != b) drawn.insert(std::minmax({a, b}));
  }
  std::vector<Link> links;
  for (const auto& [a, b] : drawn) links.push_back({a, b});
  std::vector<std::uint32_t> hidden;
  for (std::uint32_t d = 0; d < 60; d += 1 + random.below(2)) hidden.push_back(d);
  for (std::uint64_t seed = 0; seed < 10; ++seed) expect_right(network(60, links), hidden, seed);
}

TEST(HiddenPairs, TakeAllUnlinkedPairsWhereThereAreFewer) {
  std::vector<Membership> all{{0, 0}, {1, 0}, {2, 0}, {3, 0}};
  expect_right(network(5, {}, all), {0, 1, 2, 3, 4}, 1);  // six linked, four not
  all.push_back({4, 0});
  expect_right(network(5, {}, all), {0, 1, 2, 3, 4}, 1);  // none left
}

TEST(HiddenPairs, DrawUnlinkedPairsUniformly) {
  for (const bool few : {true, false}) {
    // Of 5 documents' 10 pairs, 4 are linked and 6 not; of 6 documents' 15 pairs, 3 and 12.
    const Collection collection =
        few ? network(5, {{0, 1}, {0, 2}, {0, 3}, {0, 4}}) : network(6, {{0, 1}, {0, 2}, {0, 3}});
    const std::vector<std::uint32_t> hidden =
        few ? std::vector<std::uint32_t>{0, 1, 2, 3, 4} : std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5};
    std::map<Pair, int> times;
    Random random(1, Purpose::Unlinked, 0);
    constexpr int kDraws = 3000;
    for (int n = 0; n < kDraws; ++n) {
      for (const HiddenPair& pair : hidden_pairs(collection, hidden, random)) {
        if (!pair.linked) ++times[std::minmax({pair.a, pair.b})];
      }
    }
    const double share = few ? 4.0 / 6 : 3.0 / 12;
    EXPECT_EQ(times.size(), few ? 6u : 12u);
    for (const auto& [pair, count] : times) {
      EXPECT_NEAR(count, kDraws * share, 5 * std::sqrt(kDraws * share * (1 - share))) << pair.first << pair.second;
    }
  }
}

/// 1 and 2 by a link and two groups, 1 and 7 by two groups, others in one way: 11 links of 9 documents' 36 pairs.
Collection linked_in_several_ways() {
  return network(9, {{2, 1}, {3, 4}, {0, 8}},
                 {{1, 0}, {2, 0}, {7, 0}, {1, 1}, {7, 1}, {2, 1}, {5, 1}, {5, 2}, {6, 2}, {4, 2}});
}
const std::vector<std::uint32_t> kAllNine{0, 1, 2, 3, 4, 5, 6, 7, 8};

TEST(HiddenPairs, ThatAreLinkedInManyWaysAreListedOnce) {
  // A hundred groups with the same four members: 600 ways, 6 links.
  std::vector<Membership> members;
  for (std::uint32_t g = 0; g < 100; ++g) {
    for (const std::uint32_t d : {0u, 2u, 3u, 5u}) members.push_back({d, g});
  }
  const Collection collection = network(9, {}, members);
  Random random(1, Purpose::Unlinked, 0);
  const auto pairs = hidden_pairs(collection, kAllNine, random, 6);
  EXPECT_EQ(std::count_if(pairs.begin(), pairs.end(), [](const HiddenPair& pair) { return pair.linked; }), 6);
  EXPECT_EQ(pairs.size(), 12u);
}

TEST(HiddenPairs, AreDrawnUniformlyWhereThereAreTooManyToList) {
  const Collection collection = linked_in_several_ways();
  const std::set<Pair> linked = linked_places(collection, kAllNine);
  ASSERT_EQ(linked.size(), 11u);
  constexpr std::size_t kLimit = 5;
  constexpr int kDraws = 4000;
  std::map<Pair, int> times[2];
  Random random(1, Purpose::Unlinked, 0);
  for (int n = 0; n < kDraws; ++n) {
    std::set<Pair> seen[2];
    for (const HiddenPair& pair : hidden_pairs(collection, kAllNine, random, kLimit)) {
      const Pair places{pair.a, pair.b};
      ASSERT_LT(pair.a, pair.b);
      ASSERT_EQ(linked.contains(places), pair.linked);
      ASSERT_TRUE(seen[pair.linked].insert(places).second) << "twice";
      ++times[pair.linked][places];
    }
    ASSERT_EQ(seen[0].size(), kLimit);
    ASSERT_EQ(seen[1].size(), kLimit);
  }
  for (const int kind : {0, 1}) {
    const double all = kind ? 11 : 25, share = kLimit / all;
    EXPECT_EQ(static_cast<double>(times[kind].size()), all);
    for (const auto& [pair, count] : times[kind]) {
      EXPECT_NEAR(count, kDraws * share, 5 * std::sqrt(kDraws * share * (1 - share))) << pair.first << pair.second;
    }
  }
}

TEST(HiddenPairs, OfAHugeGroupAreNotExpanded) {
  // 60,000 of 100,000 hidden documents in one group: 1,800 million links.
  constexpr std::uint32_t kDocuments = 100000, kMembers = 60000;
  std::vector<Membership> members;
  std::vector<std::uint32_t> hidden;
  for (std::uint32_t d = 0; d < kMembers; ++d) members.push_back({d, 0});
  for (std::uint32_t d = 0; d < kDocuments; ++d) hidden.push_back(d);
  const Collection collection = network(kDocuments, {{kDocuments - 2, kDocuments - 1}}, members);
  Random random(1, Purpose::Unlinked, 0), again(1, Purpose::Unlinked, 0);
  const auto pairs = hidden_pairs(collection, hidden, random, 1000);
  ASSERT_EQ(pairs.size(), 2000u);
  for (const HiddenPair& pair : pairs) {
    EXPECT_EQ(pair.linked, std::max(pair.a, pair.b) < kMembers || pair.a == kDocuments - 2) << pair.a << " " << pair.b;
  }
  const auto same = hidden_pairs(collection, hidden, again, 1000);
  EXPECT_TRUE(std::equal(pairs.begin(), pairs.end(), same.begin(), same.end(),
                         [](const HiddenPair& x, const HiddenPair& y) { return x.a == y.a && x.b == y.b; }));
}

TEST(HiddenPairs, ComeToAnEndWhereNoPairIsUnlinked) {
  std::vector<Membership> members;
  for (std::uint32_t d = 0; d < 9; ++d) members.push_back({d, 0});
  Random random(1, Purpose::Unlinked, 0);
  const auto pairs = hidden_pairs(network(9, {}, members), kAllNine, random, 10);
  EXPECT_EQ(pairs.size(), 10u);
  for (const HiddenPair& pair : pairs) EXPECT_TRUE(pair.linked);
}

TEST(HiddenPairs, OfNoneOrOneAreNone) {
  Random random(1, Purpose::Unlinked, 0);
  const Collection collection = network(3, {{0, 1}});
  EXPECT_TRUE(hidden_pairs(collection, {}, random).empty());
  EXPECT_TRUE(hidden_pairs(collection, std::vector<std::uint32_t>{1}, random).empty());
}

TEST(LinkAuc, RanksPairsByCosineNotByLength) {
  const std::vector<float> rows{1, 0, 100, 10, 0, 0.1f, -5, 0};  // cosines with the first: 0.995, 0, −1
  const MatrixView view{rows.data(), 4, 2};
  EXPECT_EQ(link_auc(view, {{0, 1, true}, {0, 2, false}, {0, 3, false}}), 1);
  EXPECT_EQ(link_auc(view, {{0, 2, true}, {0, 1, false}, {0, 3, false}}), 0.5);
  EXPECT_EQ(link_auc(view, {{3, 0, true}, {0, 1, false}, {2, 0, false}}), 0);
}

TEST(LinkAuc, TakesZeroVectorsAsOrthogonalToAll) {
  const std::vector<float> rows{1, 0, 0, 0, 1, 1, -1, 0};
  const MatrixView view{rows.data(), 4, 2};
  EXPECT_EQ(link_auc(view, {{0, 1, true}, {0, 2, false}, {0, 3, false}}), 0.5);
}

TEST(LinkAuc, ScaleOfTheVectorsDoesNotMatter) {
  for (const float scale : {1e-12f, 1.0f, 1e12f}) {
    const std::vector<float> rows{1 * scale, 0, 2 * scale, scale, 0, scale};
    EXPECT_EQ(link_auc({rows.data(), 3, 2}, {{0, 1, true}, {0, 2, false}}), 1) << scale;
  }
}

TEST(LinkAuc, IsNoNumberForVectorsThatAreNotFiniteOrWithoutPairs) {
  for (const float bad : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
    const std::vector<float> rows{1, 0, bad, 1, 0, 1, 0, 0};
    const MatrixView view{rows.data(), 4, 2};
    EXPECT_TRUE(std::isnan(link_auc(view, {{0, 1, true}, {0, 2, false}}))) << bad;
    EXPECT_TRUE(std::isnan(link_auc(view, {{1, 3, true}, {0, 2, false}}))) << bad;
    EXPECT_FALSE(std::isnan(link_auc(view, {{0, 3, true}, {0, 2, false}})));  // nobody asked for the bad one
  }
  const std::vector<float> rows{1, 0};
  EXPECT_TRUE(std::isnan(link_auc({rows.data(), 1, 2}, {})));
}

}  // namespace
}  // namespace idne
