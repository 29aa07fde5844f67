#include "idne/index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "search/graph.h"
#include "search/search_test_models.h"
#include "targets.h"
#include "with_threads.h"

namespace idne {
namespace {

constexpr std::size_t kRows = 4200, kColumns = 24;

const Model& large_model() {
  static const Model model = model_of(clustered_vectors(kRows, kColumns, 50, 0.7f), kColumns);
  return model;
}
const DocumentIndex& large_index() {
  static const DocumentIndex index = DocumentIndex::build(large_model(), {});
  return index;
}

void expect_same(const std::vector<Hit>& a, const std::vector<Hit>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t n = 0; n < a.size(); ++n) {
    EXPECT_EQ(a[n].row, b[n].row);
    EXPECT_EQ(a[n].score, b[n].score);
  }
}

TEST(DocumentIndex, FindsWhatLookingAtAllFinds) {
  const Model& model = large_model();
  const DocumentIndex& index = large_index();
  EXPECT_FALSE(index.exact());
  EXPECT_GE(index.recall(), 0.98);
  EXPECT_LE(index.recall(), 1.0);
  EXPECT_GE(index.measure_recall(1000, 10, with_threads(2)), 0.98);
  std::size_t found = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const auto query = noise(kColumns, seed);
    const auto truth = nearest(model.documents().vectors, query, 10, 1), hits = index.search(query, 10);
    ASSERT_EQ(hits.size(), 10u);
    for (const Hit& hit : hits) {
      found += static_cast<std::size_t>(std::ranges::count_if(
          truth, [&](const Hit& other) { return other.row == hit.row && other.score == hit.score; }));
    }
  }
  EXPECT_GE(found, 980u);
}

TEST(DocumentIndex, ScoresAndOrderAreThoseOfNearest) {
  const Model& model = large_model();
  const DocumentIndex& index = large_index();
  for (std::size_t row = 0; row < kRows; row += 499) {
    const auto all = nearest(model.documents().vectors, model.documents().vectors.row(row), kRows, 1);
    const auto hits = index.search(model.documents().vectors.row(row), 30);
    EXPECT_TRUE(std::ranges::is_sorted(
        hits, [](const Hit& a, const Hit& b) { return a.score != b.score ? a.score > b.score : a.row < b.row; }));
    for (const Hit& hit : hits) {
      const auto same = std::ranges::find(all, hit.row, &Hit::row);
      EXPECT_EQ(hit.score, same->score);
    }
  }
}

TEST(DocumentIndex, ManyAskedForAreAll) {
  const Model& model = large_model();
  const DocumentIndex& index = large_index();
  const auto query = noise(kColumns, 5);
  for (const std::size_t count : {std::size_t{1000}, kRows, kRows + 1, std::size_t{1} << 40}) {
    expect_same(index.search(query, count), nearest(model.documents().vectors, query, count, 1));
  }
  EXPECT_TRUE(index.search(query, 0).empty());
}

TEST(DocumentIndex, FewDocumentsAreAllLookedAt) {
  const Model model = model_of(noise(300 * 5, 1), 5);
  const DocumentIndex index = DocumentIndex::build(model, {});
  EXPECT_TRUE(index.exact());
  EXPECT_EQ(index.recall(), 1);
  const auto query = noise(5, 2);
  expect_same(index.search(query, 7), nearest(model.documents().vectors, query, 7, 1));
  expect_same(index.search(query, 1000), nearest(model.documents().vectors, query, 1000, 1));
}

TEST(DocumentIndex, OneThatIsThereAtOnceLooksAtAll) {
  const DocumentIndex index = DocumentIndex::of_all(large_model());
  EXPECT_TRUE(index.exact());
  EXPECT_EQ(index.recall(), 1);
  const auto query = noise(kColumns, 6);
  expect_same(index.search(query, 10), nearest(large_model().documents().vectors, query, 10, 1));
}

TEST(DocumentIndex, NoDocumentsNoHits) {
  const DocumentIndex index = DocumentIndex::build(model_of({}, 5), {});
  EXPECT_TRUE(index.exact());
  EXPECT_TRUE(index.search(noise(5, 1), 10).empty());
  EXPECT_EQ(index.measure_recall(200, 10, {}), 1);
}

TEST(DocumentIndex, ZeroVectorsAreNotFoundAmongOthers) {
  auto vectors = clustered_vectors(kRows, kColumns, 50, 0.7f);
  for (std::size_t row = 0; row < kRows; row += 10)
    std::fill_n(vectors.begin() + static_cast<std::ptrdiff_t>(row * kColumns), kColumns, 0.0f);
  const Model model = model_of(std::move(vectors), kColumns);
  const DocumentIndex index = DocumentIndex::build(model, {});
  EXPECT_FALSE(index.exact());
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (const Hit& hit : index.search(noise(kColumns, seed), 100)) EXPECT_NE(hit.row % 10, 0u);
  }
  const std::vector<float> zero(kColumns);
  expect_same(index.search(zero, 10), nearest(model.documents().vectors, zero, 10, 1));
  const Model none = model_of(std::vector<float>(kRows * kColumns), kColumns);
  EXPECT_EQ(DocumentIndex::build(none, {}).search(noise(kColumns, 1), 10).size(), 10u);
}

TEST(DocumentIndex, ManyDocumentsWithTheSameVectorAreAllFound) {
  auto vectors = clustered_vectors(kRows, kColumns, 50, 0.7f);
  for (std::size_t row = 100; row < 400; ++row) {
    std::copy_n(vectors.begin(), kColumns, vectors.begin() + static_cast<std::ptrdiff_t>(row * kColumns));
  }
  const Model model = model_of(std::move(vectors), kColumns);
  const DocumentIndex index = DocumentIndex::build(model, {});
  const auto query = model.documents().vectors.row(0);
  for (const std::size_t count : {1u, 10u, 301u, 320u}) {
    expect_same(index.search(query, count), nearest(model.documents().vectors, query, count, 1));
  }
  EXPECT_EQ(index.neighbours(0, 3)[0].row, 100u);
  EXPECT_EQ(index.neighbours(399, 3)[0].row, 0u);
  EXPECT_EQ(index.neighbours(399, 400).size(), 400u);
}

TEST(DocumentIndex, AllDocumentsTheSame) {
  const Model model = model_of(std::vector<float>(kRows * 3, 1.0f), 3);
  const DocumentIndex index = DocumentIndex::build(model, {});
  expect_same(index.search(model.documents().vectors.row(7), 20),
              nearest(model.documents().vectors, model.documents().vectors.row(7), 20, 1));
}

TEST(DocumentIndex, LivesWithoutTheModel) {
  auto model = std::make_unique<Model>(model_of(noise(100 * 4, 1), 4));
  const DocumentIndex index = DocumentIndex::build(*model, {});
  model.reset();
  EXPECT_EQ(index.neighbours(0, 5).size(), 5u);
}

TEST(DocumentIndex, SearchesAtOnceAgreeWithSearchesInTurn) {
  const DocumentIndex& index = large_index();
  std::vector<std::vector<Hit>> expected(200);
  for (std::size_t row = 0; row < expected.size(); ++row) expected[row] = index.neighbours(row, 10);
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (std::size_t row = 0; row < expected.size(); ++row) expect_same(index.neighbours(row, 10), expected[row]);
    });
  }
}

TEST(DocumentIndex, BuildingCanBeStopped) {
  idne::Run run;
  run.stopped = [] { return true; };
  EXPECT_THROW(DocumentIndex::build(large_model(), run), Interrupted);
}

TEST(Graph, LinksOnlyTheRowsThatItWasGiven) {
  const auto values = noise(1000 * 8, 1);
  const Codes codes(MatrixView{values.data(), 1000, 8});
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 1; row < 1000; row += 2) rows.push_back(row);
  const std::vector<std::uint8_t> levels(1000);
  const Graph graph = build_graph({codes, levels}, rows, {});
  EXPECT_EQ(graph.entry % 2, 1u);
  for (const GraphLayer& layer : graph.layers) {
    ASSERT_EQ(layer.offsets.size(), 1001u);
    for (std::size_t row = 0; row < 1000; row += 2) EXPECT_TRUE(layer.of(row).empty());
    for (const std::uint32_t row : layer.links) EXPECT_EQ(row % 2, 1u);
  }
  EXPECT_TRUE(build_graph({codes, levels}, {}, {}).layers.empty());
}

}  // namespace
}  // namespace idne
