#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "idne/projection.h"
#include "idne/search_index.h"
#include "search/update_test_documents.h"

namespace idne {
namespace {

TEST(MapUpdate, NewDocumentsLieAmongTheirNeighbours) {
  constexpr std::uint32_t kCount = 1200, kKinds = 8;
  const auto vectors = clustered_vectors(kCount, kWidth, kKinds, 0.5f);
  std::vector<float> before, now = vectors;
  std::vector<std::uint32_t> former(kCount, kNotThere);
  for (std::uint32_t row = 0; row < kCount; ++row) {
    if (row % 5 == 0) continue;
    former[row] = static_cast<std::uint32_t>(before.size() / kWidth);
    before.insert(before.end(), vectors.begin() + row * kWidth, vectors.begin() + (row + 1) * kWidth);
  }
  const Model old_model = model_of(before, kWidth);
  SearchIndex old{DocumentIndex::build(old_model, {}), {}, "", "", false};
  old.map = project(old_model, old.documents, {});
  const SearchIndex index = update_search_index(old, model_of(now, kWidth), former, {});
  std::size_t among_its_kind = 0;
  for (std::uint32_t row = 0; row < kCount; ++row) {
    const float x = index.map[2 * row], y = index.map[2 * row + 1];
    EXPECT_LE(std::hypot(x, y), 0.921f);
    if (row % 5 != 0) {
      EXPECT_EQ(x, old.map[2 * former[row]]);
      EXPECT_EQ(y, old.map[2 * former[row] + 1]);
      continue;
    }
    std::uint32_t best = row;
    float least = INFINITY;
    for (std::uint32_t other = 0; other < kCount; ++other) {
      const float distance = std::hypot(index.map[2 * other] - x, index.map[2 * other + 1] - y);
      if (other != row && distance < least) least = distance, best = other;
    }
    EXPECT_GT(least, 0);
    among_its_kind += best * kKinds / kCount == row * kKinds / kCount;
  }
  EXPECT_GE(among_its_kind, kCount / 5 * 95 / 100);
}

TEST(MapUpdate, WordlessDocumentsLieOnTheRingAndLonelyOnesInside) {
  auto vectors = clustered_vectors(100, 4, 5, 0.5f);
  const SearchIndex old = open_search_index(model_of(vectors, 4), "/nowhere/m.idne", {});
  vectors.insert(vectors.end(), 8, 0.0f);                     // two without words
  vectors.insert(vectors.end(), {NAN, 0, 0, 0, 1, 1, 1, 1});  // and one that is nowhere; one more
  auto former = range(0, 104);
  std::fill(former.begin() + 100, former.end(), kNotThere);
  const SearchIndex index = update_search_index(old, model_of(vectors, 4), former, {});
  const auto radius = [&](std::size_t row) { return std::hypot(index.map[2 * row], index.map[2 * row + 1]); };
  for (const std::size_t row : {100u, 101u, 102u}) EXPECT_NEAR(radius(row), 1, 1e-5);
  EXPECT_LE(radius(103), 0.921f);
  EXPECT_NE(index.map[200], index.map[202]);
  EXPECT_TRUE(std::ranges::equal(std::span(index.map).first(200), old.map));
}

TEST(MapUpdate, TheFirstDocumentsWithWords) {
  const SearchIndex old = open_search_index(model_of(std::vector<float>(80), 4), "/nowhere/m.idne", {});
  std::vector<float> vectors(80);
  const auto more = clustered_vectors(10, 4, 1, 0.5f);
  vectors.insert(vectors.end(), more.begin(), more.end());
  auto former = range(0, 30);
  std::fill(former.begin() + 20, former.end(), kNotThere);
  const SearchIndex index = update_search_index(old, model_of(vectors, 4), former, {});
  for (std::size_t row = 20; row < 30; ++row) {
    EXPECT_LE(std::hypot(index.map[2 * row], index.map[2 * row + 1]), 0.921f);
  }
}

}  // namespace
}  // namespace idne
