#include <gtest/gtest.h>

#include <algorithm>

#include "idne/projection.h"
#include "idne/search_index.h"
#include "search/index_file.h"
#include "search/update_test_documents.h"
#include "targets.h"
#include "with_threads.h"

namespace idne {
namespace {

/// A file takes only graphs whose links are what links may be.
void expect_sound(const SearchIndex& index) {
  const IndexState& state = index.documents.state();
  EXPECT_NO_THROW(index_from(index_bytes(index), state.model, 1));
  for (const GraphLayer& layer : state.graph.layers) {
    for (std::size_t row = 0; row < state.rows.rows; ++row) {
      std::vector<std::uint32_t> links(layer.of(row).begin(), layer.of(row).end());
      std::ranges::sort(links);
      EXPECT_TRUE(std::ranges::adjacent_find(links) == links.end());
      EXPECT_EQ(std::ranges::count(links, row), 0);
    }
  }
}

void expect_as_good_as_new(const SearchIndex& index) {
  expect_sound(index);
  const Model& model = index.documents.state().model;
  const DocumentIndex fresh = DocumentIndex::build(model, {});
  const double recall = index.documents.measure_recall(1000, 10, with_threads(2));
  EXPECT_GE(recall, 0.98);
  EXPECT_GE(recall, fresh.measure_recall(1000, 10, with_threads(2)) - 0.003);
  expect_none_lost(index.documents.state().graph, model.documents().size());
  const double narrow = narrow_recall(index.documents), fresh_narrow = narrow_recall(fresh);
  EXPECT_GE(narrow, fresh_narrow - 0.003);
  for (std::size_t row = 0; row < model.documents().size(); ++row) {
    const auto hits = index.documents.search(model.documents().vectors.row(row), 1);
    EXPECT_EQ(hits.at(0).row, row);
  }
}

void expect_exact_around(const SearchIndex& index, std::span<const float> query, std::size_t count) {
  const auto truth = nearest(index.documents.state().rows, query, count, 1);
  const auto hits = index.documents.search(query, count);
  ASSERT_EQ(hits.size(), truth.size());
  for (std::size_t n = 0; n < hits.size(); ++n) EXPECT_EQ(hits[n].row, truth[n].row) << n;
}

TEST(IndexUpdate, NothingChangedChangesNothing) {
  NumberedDocuments documents(4500);
  const auto all = range(0, 4500);
  const SearchIndex old = built(documents.model(all));
  const SearchIndex index = update_search_index(old, documents.model(all), all, {});
  EXPECT_EQ(index.documents.state().graph, old.documents.state().graph);
  EXPECT_EQ(index.map, old.map);
  EXPECT_EQ(index.documents.recall(), old.documents.recall());
}

TEST(IndexUpdate, ATenthIsAdded) {
  NumberedDocuments documents(5000);
  const auto before = range(0, 4500), now = range(0, 5000);
  expect_as_good_as_new(
      update_search_index(built(documents.model(before)), documents.model(now), former_rows(before, now), {}));
}

TEST(IndexUpdate, DocumentsOfANewKindAreAdded) {
  NumberedDocuments documents(5000);
  for (std::uint32_t d = 4800; d < 5000; ++d) {
    for (float& value : documents.vector(d)) value = -5 + value * 0.3f;
  }
  const auto before = range(0, 4800), now = range(0, 5000);
  expect_as_good_as_new(
      update_search_index(built(documents.model(before)), documents.model(now), former_rows(before, now), {}));
}

TEST(IndexUpdate, ATenthIsRemoved) {
  NumberedDocuments documents(5000);
  const auto before = range(0, 5000);
  auto now = before;
  std::erase_if(now, [](std::uint32_t d) { return d % 10 == 3; });
  expect_as_good_as_new(
      update_search_index(built(documents.model(before)), documents.model(now), former_rows(before, now), {}));
}

TEST(IndexUpdate, TwoThirdsAreRemoved) {
  NumberedDocuments documents(12600);
  const auto before = range(0, 12600);
  auto now = before;
  std::erase_if(now, [](std::uint32_t d) { return d % 3 != 1; });
  expect_as_good_as_new(
      update_search_index(built(documents.model(before)), documents.model(now), former_rows(before, now), {}));
}

TEST(IndexUpdate, WholeNeighbourhoodsAreRemoved) {
  NumberedDocuments documents(6000);
  const auto before = range(0, 6000), now = range(900, 5400);
  expect_as_good_as_new(
      update_search_index(built(documents.model(before)), documents.model(now), former_rows(before, now), {}));
}

TEST(IndexUpdate, DocumentsInAnotherOrder) {
  NumberedDocuments documents(4500);
  const auto before = range(0, 4500);
  const std::vector<std::uint32_t> now(before.rbegin(), before.rend());
  const SearchIndex old = built(documents.model(before));
  const SearchIndex index = update_search_index(old, documents.model(now), former_rows(before, now), {});
  EXPECT_EQ(index.documents.state().graph.entry, 4499 - old.documents.state().graph.entry);
  for (std::size_t row = 0; row < 4500; ++row) {
    EXPECT_EQ(index.map[2 * row], old.map[2 * (4499 - row)]);
    EXPECT_EQ(index.map[2 * row + 1], old.map[2 * (4499 - row) + 1]);
  }
  expect_as_good_as_new(index);
}

TEST(IndexUpdate, TwentyRoundsDoNotMakeItWorse) {
  NumberedDocuments documents(5000);
  Random random(1, Purpose::Generate, 0);
  auto order = range(0, 5000);
  shuffle(order, random);
  std::vector<std::uint32_t> current(order.begin(), order.begin() + 4500), aside(order.begin() + 4500, order.end());
  SearchIndex index = built(documents.model(current));
  for (int round = 0; round < 20; ++round) {
    auto next = current;
    for (int n = 0; n < 45; ++n) {
      const std::size_t out = random.below(static_cast<std::uint32_t>(next.size()));
      aside.push_back(next[out]);
      next.erase(next.begin() + static_cast<std::ptrdiff_t>(out));
      next.push_back(aside[static_cast<std::size_t>(n)]);
    }
    aside.erase(aside.begin(), aside.begin() + 45);
    index = update_search_index(index, documents.model(next), former_rows(current, next), with_threads(2));
    current = next;
  }
  expect_as_good_as_new(index);
}

TEST(IndexUpdate, TheEntryIsRemovedAgainAndAgain) {
  NumberedDocuments documents(4500);
  auto current = range(0, 4500);
  SearchIndex index = built(documents.model(current));
  for (int round = 0; round < 8; ++round) {
    auto next = current;
    next.erase(next.begin() + index.documents.state().graph.entry);
    index = update_search_index(index, documents.model(next), former_rows(current, next), {});
    current = next;
  }
  expect_as_good_as_new(index);
}

TEST(IndexUpdate, AllUpperLayersAreRemoved) {
  NumberedDocuments documents(4600);
  const auto before = range(0, 4600);
  const SearchIndex old = built(documents.model(before));
  ASSERT_GT(old.documents.state().graph.layers.size(), 1u);
  auto now = before;
  std::erase_if(now, [&](std::uint32_t d) { return old.documents.state().levels[d] > 0; });
  const SearchIndex index = update_search_index(old, documents.model(now), former_rows(before, now), {});
  EXPECT_EQ(index.documents.state().graph.layers.size(), 1u);
  expect_as_good_as_new(index);
}

TEST(IndexUpdate, TwinsComeAndGo) {
  NumberedDocuments documents(4700);
  for (const std::uint32_t twin : {2000u, 3000u, 4500u, 4600u}) documents.make_twins(1000, twin);
  documents.make_twins(1500, 4650);
  const auto one = range(0, 4500);       // twins 1000, 2000, 3000
  std::vector<std::uint32_t> two = one;  // the first of them goes
  std::erase(two, 1000u);
  std::vector<std::uint32_t> three{4600};  // a new one comes before the others
  three.insert(three.end(), two.begin(), two.end());
  std::vector<std::uint32_t> four = three;  // all old ones go, a new one stays and another comes
  std::erase_if(four, [](std::uint32_t d) { return d == 2000 || d == 3000 || d == 1500; });
  four.insert(four.end(), {4500, 4650});   // 4650 is what 1500 was
  std::vector<std::uint32_t> five = four;  // all go
  std::erase_if(five, [](std::uint32_t d) { return d == 4500 || d == 4600; });
  SearchIndex index = built(documents.model(one));
  auto current = one;
  for (const auto& next : {two, three, four, five, four, one}) {
    index = update_search_index(index, documents.model(next), former_rows(current, next), {});
    current = next;
    expect_sound(index);
    expect_exact_around(index, documents.vector(1000), 12);
    expect_exact_around(index, documents.vector(1500), 12);
    EXPECT_GE(index.documents.measure_recall(200, 10, {}), 0.98);
  }
}

TEST(IndexUpdate, FewDocumentsAreAllLookedAtAndManyAreNot) {
  NumberedDocuments documents(4300);
  const auto few = range(0, 4000), many = range(0, 4300);
  const SearchIndex small = built(documents.model(few));
  ASSERT_TRUE(small.documents.exact());
  const SearchIndex grown = update_search_index(small, documents.model(many), former_rows(few, many), {});
  EXPECT_FALSE(grown.documents.exact());
  EXPECT_TRUE(std::ranges::equal(std::span(grown.map).first(8000), small.map));
  expect_as_good_as_new(grown);
  EXPECT_EQ(grown.documents.state().graph, built(documents.model(many)).documents.state().graph);
  const SearchIndex shrunk = update_search_index(grown, documents.model(few), former_rows(many, few), {});
  EXPECT_TRUE(shrunk.documents.exact());
  EXPECT_EQ(shrunk.documents.recall(), 1);
  EXPECT_EQ(shrunk.map, small.map);
  const SearchIndex none = update_search_index(shrunk, documents.model({}), {}, {});
  EXPECT_TRUE(none.map.empty());
  EXPECT_TRUE(none.documents.search(documents.vector(0), 3).empty());
}

TEST(IndexUpdate, MostlyNewIsBuiltAnew) {
  NumberedDocuments documents(9500);
  const auto before = range(0, 4500), now = range(3000, 9500);
  const Model model = documents.model(now);
  const SearchIndex index = update_search_index(built(documents.model(before)), model, former_rows(before, now), {});
  const DocumentIndex fresh = DocumentIndex::build(model, {});
  EXPECT_EQ(index.documents.state().graph, fresh.state().graph);
  EXPECT_EQ(index.map, project(model, fresh, {}));
}

TEST(IndexUpdate, VectorsThatAreNotWhatTheyWereAreLinkedAnew) {
  NumberedDocuments documents(4600);
  const auto all = range(0, 4500);
  const SearchIndex old = built(documents.model(all));
  for (std::uint32_t d = 0; d < 90; ++d) documents.make_twins(4500 + d, d * 50);
  expect_as_good_as_new(update_search_index(old, documents.model(all), all, {}));
}

TEST(IndexUpdate, TheSameBytesAtAnyNumberOfThreads) {
  NumberedDocuments documents(5000);
  documents.make_twins(10, 4990);
  const auto before = range(0, 4700);
  auto now = range(200, 5000);
  std::ranges::reverse(now);
  const SearchIndex old = built(documents.model(before));
  const auto bytes = [&](int threads) {
    return index_bytes(update_search_index(old, documents.model(now), former_rows(before, now), with_threads(threads)));
  };
  const std::string one = bytes(1);
  EXPECT_TRUE(bytes(2) == one);
  EXPECT_TRUE(bytes(3) == one);
}

TEST(IndexUpdate, CanBeStopped) {
  NumberedDocuments documents(4500);
  const auto before = range(0, 4300), now = range(0, 4500);
  const SearchIndex old = built(documents.model(before));
  idne::Run run;
  run.stopped = [] { return true; };
  EXPECT_THROW(update_search_index(old, documents.model(now), former_rows(before, now), run), Interrupted);
}

}  // namespace
}  // namespace idne
