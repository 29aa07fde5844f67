#include "idne/projection.h"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "search/search_test_models.h"
#include "targets.h"
#include "with_threads.h"

namespace idne {
namespace {

std::vector<float> map_of(const Model& model, int threads = 1) {
  return project(model, DocumentIndex::build(model, {}), with_threads(threads));
}

void expect_inside(const std::vector<float>& map) {
  for (const float value : map) {
    ASSERT_TRUE(std::isfinite(value));
    EXPECT_LE(std::abs(value), 1.0f);
  }
}

/// The document nearest on the map.
std::size_t nearest_on(const std::vector<float>& map, std::size_t i) {
  std::size_t best = i;
  float least = INFINITY;
  for (std::size_t j = 0; j < map.size() / 2; ++j) {
    const float distance = std::hypot(map[2 * i] - map[2 * j], map[2 * i + 1] - map[2 * j + 1]);
    if (j != i && distance < least) least = distance, best = j;
  }
  return best;
}

TEST(Projection, PlantedClustersStayApart) {
  constexpr std::size_t kRows = 600, kClusters = 8;
  const auto map = map_of(model_of(clustered_vectors(kRows, 20, kClusters, 0.6f), 20));
  expect_inside(map);
  std::size_t same = 0;
  for (std::size_t i = 0; i < kRows; ++i) same += nearest_on(map, i) * kClusters / kRows == i * kClusters / kRows;
  EXPECT_GE(same, kRows * 95 / 100);
}

TEST(Projection, TheSameAtAnyNumberOfThreads) {
  const Model model = model_of(clustered_vectors(3000, 10, 8, 0.6f), 10);
  const auto map = map_of(model, 1);
  EXPECT_EQ(map, map_of(model, 1));
  EXPECT_EQ(map, map_of(model, 3));
}

TEST(Projection, TinyCorpora) {
  for (std::size_t rows = 0; rows <= 5; ++rows) {
    for (const std::size_t columns : {1u, 2u, 7u}) {
      const auto map = map_of(model_of(noise(rows * columns, 1), columns));
      EXPECT_EQ(map.size(), 2 * rows);
      expect_inside(map);
    }
  }
}

TEST(Projection, TheSameVectorsGetPlacesOfTheirOwn) {
  const auto map = map_of(model_of(std::vector<float>(50 * 4, 1.0f), 4));
  expect_inside(map);
  for (std::size_t i = 0; i < 50; ++i) {
    const std::size_t j = nearest_on(map, i);
    EXPECT_GT(std::hypot(map[2 * i] - map[2 * j], map[2 * i + 1] - map[2 * j + 1]), 0);
  }
}

TEST(Projection, ZeroVectorsLieOnARingAroundTheOthers) {
  auto vectors = clustered_vectors(200, 6, 4, 0.5f);
  for (std::size_t row = 0; row < 200; row += 20) std::fill_n(&vectors[row * 6], 6, 0.0f);
  vectors[6 * 7] = NAN;
  const auto map = map_of(model_of(std::move(vectors), 6));
  expect_inside(map);
  for (std::size_t row = 0; row < 200; ++row) {
    const float radius = std::hypot(map[2 * row], map[2 * row + 1]);
    if (row % 20 == 0 || row == 7) {
      EXPECT_NEAR(radius, 1, 1e-5) << row;
    } else {
      EXPECT_LT(radius, 0.95f) << row;
    }
  }
  expect_inside(map_of(model_of(std::vector<float>(30), 3)));
}

TEST(Projection, ReportsFromTheCallersThread) {
  const Model model = model_of(clustered_vectors(3000, 10, 8, 0.6f), 10);
  idne::Run run = with_threads(3);
  const auto caller = std::this_thread::get_id();
  std::size_t reports = 0;
  run.progress = [&](const Progress&) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    ++reports;
  };
  project(model, DocumentIndex::build(model, {}), run);
  EXPECT_GT(reports, 0u);
}

TEST(Projection, CanBeStopped) {
  const Model model = model_of(noise(100, 1), 4);
  idne::Run run;
  run.stopped = [] { return true; };
  EXPECT_THROW(project(model, DocumentIndex::build(model, {}), run), Interrupted);
}

}  // namespace
}  // namespace idne
