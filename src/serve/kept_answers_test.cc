#include "serve/kept_answers.h"

#include <gtest/gtest.h>

#include "idne/serve.h"
#include "json/values.h"
#include "temp_folder.h"
#include "tiny_model.h"

namespace idne {
namespace {

TEST(KeptAnswers, AreReadAsTheyWereWorkedOut) {
  const TempFolder folder;
  const Model model = tiny_model();
  const TextEncoder encoder(model);
  SearchIndex index = open_search_index(model, folder.path("m"), {});
  const KeptAnswers made = open_answers(encoder, "v1", index, folder.path("m"), {});
  auto again = load_search_index(model, folder.path("m"), 1);
  ASSERT_TRUE(again);
  const auto kept = kept_answers(again->answers, model, "v1");
  ASSERT_TRUE(kept) << "they are in the file";
  EXPECT_EQ(kept->main_topics, made.main_topics);
  EXPECT_EQ(kept->names, made.names);
  EXPECT_EQ(kept->usual, made.usual);
  EXPECT_EQ(text_of(kept->topics), text_of(made.topics));
  EXPECT_EQ(again->map, index.map);
}

TEST(KeptAnswers, AreasComeBack) {
  const TempFolder folder;
  const Model model = tiny_model();
  SearchIndex index = open_search_index(model, folder.path("m"), {});
  KeptAnswers answers = open_answers(TextEncoder(model), "v1", index, folder.path("m"), {});
  EXPECT_TRUE(answers.areas.empty()) << "this model does not keep its documents' words";
  answers.areas = {{2, 0.5f, -0.1f, 9, "moon, tide"}, {1, 0, 1, 8, "sea"}};
  const auto kept = kept_answers(bytes_of(answers, "v1"), model, "v1");
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->areas, answers.areas);
}

TEST(KeptAnswers, OfAnotherModelOrForgedAreNotUsed) {
  const TempFolder folder;
  const Model model = tiny_model();
  SearchIndex index = open_search_index(model, folder.path("m"), {});
  EXPECT_EQ(index.answers, "") << "an index without them is an index";
  prepare_to_serve(model, folder.path("m"), index, {});
  const std::string version = version_of(model);
  const Json good = Json::parse(index.answers);
  ASSERT_TRUE(kept_answers(text_of(good), model, version));
  EXPECT_FALSE(kept_answers(text_of(good), model, "0123"));
  EXPECT_FALSE(kept_answers("", model, version));
  EXPECT_FALSE(kept_answers("[1]", model, version));
  EXPECT_FALSE(kept_answers(index.answers.substr(1), model, version));
  constexpr std::size_t kLevels = 100'000;  // which nobody could write again
  std::string deep = text_of(good);
  deep.insert(deep.find("\"topics\":{") + 10,
              "\"more\":" + std::string(kLevels, '[') + std::string(kLevels, ']') + ",");
  EXPECT_FALSE(kept_answers(deep, model, version));
  for (const auto& [name, value] : std::vector<std::pair<std::string, Json>>{{"main_topics", {1, 99, 0}},
                                                                             {"main_topics", {1}},
                                                                             {"main_topics", "x"},
                                                                             {"main_topics", {-1, 0, 0}},
                                                                             {"names", Json::array()},
                                                                             {"usual", "x"},
                                                                             {"areas", {{3, 0, 0, 8, "x"}}},
                                                                             {"areas", {{1, 0, 0, 8}}},
                                                                             {"areas", "x"},
                                                                             {"topics", Json()},
                                                                             {"topics", {{"topics", {1, 2}}}}}) {
    Json forged = good;
    forged[name] = value;
    EXPECT_FALSE(kept_answers(text_of(forged), model, version)) << name << ' ' << value;
  }
}

}  // namespace
}  // namespace idne
