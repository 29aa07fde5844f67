#include "explain/areas.h"

#include <gtest/gtest.h>

#include "explain/topic_test_models.h"

namespace idne {
namespace {

/// Documents around two places, all with word 0 and each kind with a word of its own, 1 or 2; the first of each kind
/// also have word 3. Those of the third kind are of another topic, and lie where the first kind does.
struct Map {
  Model model;
  std::vector<float> places;
  std::vector<std::size_t> topics;
};

Map two_places(std::size_t first, std::size_t second, std::size_t other_topic = 0) {
  std::vector<std::vector<WordCount>> documents;
  Map map;
  for (std::size_t n = 0; n < first + second + other_topic; ++n) {
    const bool far = n >= first && n < first + second;
    documents.push_back({{0, 1}, {far ? 2u : 1u, 3}});
    if (n == 0 || n == first) documents.back().push_back({3, 1});
    const float shift = 0.01f * static_cast<float>(n % 5);
    map.places.insert(map.places.end(), {far ? 0.5f + shift : -0.5f - shift, far ? 0.25f : -0.25f});
    map.topics.push_back(n < first + second ? 1 : 2);
  }
  map.model = model_of({{1, 0}, {1, 0}, {1, 0}, {1, 0}}, documents);
  ModelMaker(map.model).set(layout::kDocumentVectors, std::vector<float>(documents.size() * 2, 1.0f), documents.size(),
                            2);
  return map;
}

TEST(MapAreas, LieWhereDocumentsAreThickAndHaveTheWordsThatSetThemApart) {
  const Map map = two_places(20, 30, 9);
  const std::vector<MapArea> areas = map_areas(map.model, map.places, map.topics);
  ASSERT_EQ(areas.size(), 2u) << "topic 2 has one place, which is what its own name is for";
  EXPECT_EQ(areas[0].documents, 30u) << "the largest first";
  EXPECT_EQ(areas[0].name, "w2");
  EXPECT_NEAR(areas[0].x, 0.52, 1e-5);
  EXPECT_NEAR(areas[0].y, 0.25, 1e-5);
  EXPECT_EQ(areas[1].documents, 20u);
  EXPECT_EQ(areas[1].name, "w1");
  EXPECT_NEAR(areas[1].x, -0.52, 1e-5);
  EXPECT_EQ(areas[1].topic, 1u);
}

TEST(MapAreas, AFewDocumentsAreNone) {
  const Map map = two_places(40, 7);
  EXPECT_TRUE(map_areas(map.model, map.places, map.topics).empty()) << "one is left: the topic itself";
}

TEST(MapAreas, DocumentsWithoutAPlaceOrWithoutKeptWordsHaveNone) {
  Map map = two_places(20, 30);
  ModelMaker(map.model).set(layout::kDocumentVectors, std::vector<float>(100), 50, 2);
  EXPECT_TRUE(map_areas(map.model, map.places, map.topics).empty());
}

TEST(MapAreas, OnePlainIsOneArea) {
  // Documents as dense everywhere: a walk uphill must end, and the same each time.
  Map map = two_places(200, 200);
  for (std::size_t n = 0; n < 400; ++n) {
    map.places[2 * n] = -0.95f + 0.1f * static_cast<float>(n % 20);
    map.places[2 * n + 1] = -0.95f + 0.1f * static_cast<float>(n / 20);
  }
  const std::vector<MapArea> once = map_areas(map.model, map.places, map.topics);
  EXPECT_EQ(once, map_areas(map.model, map.places, map.topics));
  EXPECT_LT(once.size(), 10u);
}

}  // namespace
}  // namespace idne
