#include "json/texts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "evaluate/test_evaluations.h"
#include "tiny_model.h"

namespace idne {
namespace {

using Json = nlohmann::json;

TEST(EvaluationJson, HasAllFields) {
  const auto json = Json::parse(json_text(small()));
  EXPECT_EQ(json["corpus"], "cora");
  EXPECT_EQ(json["documents"], 2211);
  EXPECT_EQ(json["links"], 5001);
  EXPECT_EQ(json["labels"], 7);
  EXPECT_EQ(json["repeats"], 3);
  EXPECT_FALSE(json.contains("interrupted"));
  ASSERT_EQ(json["results"].size(), 6u);
  const auto& first = json["results"][0];
  EXPECT_EQ(first["method"], "idne");
  EXPECT_EQ(first["task"], "classification");
  EXPECT_EQ(first["ratio"], 0.02);
  EXPECT_EQ(first["metric"], "micro_auc");
  EXPECT_NEAR(first["mean"], 0.96, 1e-12);
  EXPECT_NEAR(first["std"], 0.01, 1e-12);
  EXPECT_NEAR(first["interval"], 4.302653 * 0.01 / std::sqrt(3), 1e-8);
  EXPECT_EQ(first["repeats"], 3);
  EXPECT_EQ(first["seconds"], 1.75);
  EXPECT_EQ(first["train_seconds"], 1.5);
  EXPECT_EQ(first["score_seconds"], 0.25);
  EXPECT_EQ(first["values"], Json({0.95, 0.96, 0.97}));
  EXPECT_FALSE(first.contains("failure"));
  EXPECT_FALSE(first.contains("difference"));
  EXPECT_NEAR(json["results"][4]["difference"], 0.01, 1e-12);
  EXPECT_NEAR(json["results"][4]["difference_interval"], 4.302653 * 0.01 / std::sqrt(3), 1e-8);
}

TEST(EvaluationJson, RowsOfSuggestionsHaveTheirMetrics) {
  const auto json = Json::parse(json_text(evaluation_of({cell("a", Task::SuggestLinks, 0.1, {0.5}, "", "recall@10")})));
  EXPECT_EQ(json["results"][0]["task"], "suggest-links");
  EXPECT_EQ(json["results"][0]["metric"], "recall@10");
}

TEST(EvaluationJson, FailureHasNoFigures) {
  const auto json = Json::parse(json_text(small()));
  const auto& failed = json["results"][5];
  EXPECT_TRUE(failed["mean"].is_null());
  EXPECT_EQ(failed["failure"], "cannot embed new documents");
  EXPECT_FALSE(failed.contains("std"));
  EXPECT_FALSE(failed.contains("interval"));
  EXPECT_FALSE(failed.contains("difference"));
  EXPECT_EQ(failed["repeats"], 0);
}

TEST(EvaluationJson, InterruptedBeforeTheFirstRepeatIsNoFigure) {
  Evaluation evaluation = evaluation_of({cell("idne", Task::Classification, 0.1, {})});
  evaluation.interrupted = true;
  const auto json = Json::parse(json_text(evaluation));
  EXPECT_EQ(json["interrupted"], true);
  EXPECT_TRUE(json["results"][0]["mean"].is_null());
  EXPECT_TRUE(json["results"][0].contains("failure"));
}

TEST(EvaluationJson, BrokenTextIsReplaced) {
  Evaluation evaluation = small();
  evaluation.corpus = "co\xffra";
  EXPECT_EQ(Json::parse(json_text(evaluation))["corpus"], "co\xEF\xBF\xBDra");
}

TEST(EvaluationJson, TakesAnEmptyEvaluation) { EXPECT_TRUE(Json::parse(json_text(Evaluation()))["results"].empty()); }

TEST(ModelJson, HasThePromisedFields) {
  const Json json = Json::parse(json_text(tiny_model(), nullptr));
  EXPECT_EQ(json["method"], "idne");
  EXPECT_EQ(json["documents"], 3);
  EXPECT_EQ(json["links"], 3);
  EXPECT_EQ(json["words"], 2);
  EXPECT_EQ(json["topics"], 2);
  EXPECT_EQ(json["dim"], 2);
  EXPECT_EQ(json["labels"], 2);
  EXPECT_EQ(json["options"], Json({{"dim", 2}}));
}

/// A text that "ç" would be linked with, because "a" is.
Suggestions one_link() {
  Suggestions suggestions;
  suggestions.labels = {{1, 0.75, {{0, 0.5}, {1, -0.25}}}};
  suggestions.links = {
      {2, 1.5, {0.5, 0.25, 0.75}, {{0, 0.5}}, {{0, 1, 0.25}}, {{2, 0.25}}, {{0, 0.75}}, {{0, 0, 0.5}}}};
  suggestions.doubts = {"no document is much like it"};
  return suggestions;
}

TEST(SuggestionsJson, ALinkHasItsPartsAndWhoVoted) {
  const Json json = Json::parse(json_text(one_link(), tiny_model()));
  EXPECT_EQ(json, Json::parse(R"({
    "labels": [{"label": "sea", "probability": 0.75, "words": [{"word": "moon", "part": 0.5}, {"word": "tide", "part": -0.25}]}],
    "links": [{"id": "ç", "score": 1.5, "title": "Gamma", "parts": {"words": 0.5, "space": 0.25, "votes": 0.75},
               "topics": [{"topic": 2, "name": "tide, moon", "part": 0.25}], "words": [{"word": "moon", "part": 0.5}],
               "pairs": [{"word": "moon", "with": "tide", "part": 0.25}], "voters": [{"id": "a", "title": "Alpha", "weight": 0.75}],
               "reasons": [{"word": "moon", "with": "moon", "part": 0.5}]}],
    "doubts": ["no document is much like it"]})"));
}

TEST(JsonLines, AnAnswerIsOneLineThatBeginsWithTheId) {
  const std::vector<std::string> names{"Sky", "Sea"};
  const std::string line = json_line("x\ny", one_link(), tiny_model(), names);
  EXPECT_TRUE(line.starts_with(R"({"id":"x\ny","labels":[)")) << line;
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  EXPECT_EQ(json_line("", Explanation(), tiny_model(), names), "{\"id\":\"\",\"topics\":[],\"tokens\":[]}\n");
  EXPECT_NE(line.find(R"("topics":[{"topic":2,"name":"Sea","part":0.25}])"), std::string::npos) << line;
  const std::vector<Hit> hits{{0, 0.5f}};
  EXPECT_EQ(json_line("x", hits, tiny_model()),
            "{\"id\":\"x\",\"similar\":[{\"id\":\"a\",\"score\":0.5,\"title\":\"Alpha\"}]}\n");
}

TEST(TrainJson, APathThatIsNoUtf8IsReplaced) {
  TrainSummary summary;
  summary.file = "caf\xe9.idne";
  EXPECT_EQ(Json::parse(json_text(tiny_model(), summary))["model"], "caf\uFFFD.idne");
}

}  // namespace
}  // namespace idne
