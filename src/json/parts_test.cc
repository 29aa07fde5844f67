#include "json/parts.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tiny_model.h"

namespace idne {
namespace {

TEST(PartsJson, ADocumentHasItsLabelsAndMainTopic) {
  const Model model = tiny_model();
  EXPECT_EQ(text_of(document_json(model, 2, 1)),
            R"({"row":2,"id":"ç","title":"Gamma","labels":["sky","sea"],"topic":1})");
  EXPECT_EQ(text_of(document_json(model, 1, 0)), R"({"row":1,"id":"b","title":"","labels":[],"topic":null})");
}

TEST(PartsJson, WordsHaveCountsAndNorms) {
  const std::vector<std::size_t> words{1};
  const Json json = words_json(tiny_model(), words);
  ASSERT_EQ(json["words"].size(), 1u);
  EXPECT_EQ(json["words"][0]["word"], "tide");
  EXPECT_EQ(json["words"][0]["count"], 7);
  EXPECT_NEAR(json["words"][0]["norm"], std::sqrt(0.0625 + 4), 1e-12);
}

TEST(PartsJson, TheMapIsWholeNumbersWithTopicsAndFirstLabels) {
  const std::vector<float> places{-1, 1, 0, 2, -2, 0.5f};  // two lie outside and are brought in
  const std::vector<MapArea> areas{{2, -1, 0, 9, "moon, tide"}, {0, 1, 1, 8, "sea"}};
  EXPECT_EQ(
      text_of(map_json(tiny_model(), places, {1, 0, 2}, areas)),
      R"({"documents":3,"x":[0,32767,0],"y":[65535,65535,49151],"topic":[1,0,2],"label":[0,-1,0],)"
      R"("labels":["sky","sea"],"links":[],"date":[],"areas":[{"topic":2,"x":0,"y":32767,"documents":9,"name":"moon, tide"},)"
      R"({"topic":null,"x":65535,"y":65535,"documents":8,"name":"sea"}]})");
}

TEST(PartsJson, WhatASearchFindsHasACosineOrNone) {
  const std::vector<MergedHit> hits{{0, 0.5, {"moon"}, 0.25f}, {1, 0.25, {}, {}}};
  EXPECT_EQ(
      text_of(to_json(hits, "moon", tiny_model())),
      R"({"query":"moon","results":[{"row":0,"id":"a","title":"Alpha","score":0.5,"words":["moon"],"cosine":0.25},)"
      R"({"row":1,"id":"b","title":"","score":0.25,"words":[],"cosine":null}]})");
  EXPECT_EQ(text_of(to_json(std::vector<SnippetPart>{{"the ", false}, {"moon", true}})),
            R"([{"text":"the ","match":false},{"text":"moon","match":true}])");
}

}  // namespace
}  // namespace idne
