#include <cmath>
#include <limits>
#include <sstream>

#include "idne/generate.h"
#include "idne/update.h"
#include "model/tensors.h"
#include "update/update_test_records.h"

/// What went wrong once, and models that mean harm.
namespace idne {
namespace {

using namespace changing;

TEST(UpdateTrouble, DocumentsWithoutAnyWordLeaveAModelThatCanBeRead) {
  UpdateOptions options;
  options.whole = true;
  for (const std::uint64_t steps : {0u, 3u}) {
    options.steps = steps;
    expect_whole(
        updated(trained(two_fields()), {{"d0", ""}, {"d1", "unknown words alone"}, {"d2", ""}}, options).model);
  }
}

TEST(UpdateTrouble, NamesThatAreThereTwiceAreAnError) {
  Model labels = trained(two_fields());
  ModelMaker(labels).set_strings(layout::kLabelNames, std::vector<std::string>{"law", "law"});
  EXPECT_THROW(updated(labels, two_fields(60, 62)), Error);
  Model groups = trained(two_fields());
  ModelMaker(groups).set_strings(layout::kGroupNames, std::vector<std::string>(6, "g"));
  EXPECT_THROW(updated(groups, two_fields(60, 62)), Error);
  Model ids = trained(two_fields());
  ModelMaker(ids).set_strings(layout::kDocumentIds, std::vector<std::string>(60, "d"));
  EXPECT_THROW(updated(ids, two_fields(60, 62)), Error);
}

TEST(UpdateTrouble, WhatIsNoModelAfterwardsIsNotGiven) {
  Model model = trained(two_fields());
  const std::size_t words = model.words().size();
  ModelMaker(model).set(layout::kWordVectors, std::vector<float>(words * 16, 3e38f), words, 16);
  for (const std::uint64_t steps : {0u, 2u}) {
    UpdateOptions options;
    options.steps = steps;
    EXPECT_THROW(updated(model, two_fields(60, 62), options), Error) << steps;
  }
}

TEST(UpdateTrouble, AFitOfLabelsThatNobodyFoundIsPassedOver) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const std::vector<float>& fit :
       {std::vector{nan, 1.f, 0.f, 0.f}, {30, 1e-40f, 0, 0}, {-1, 1, 0, 0}, {10, 1, 0, nan}}) {
    Model model = trained(two_fields(0, 200));
    ModelMaker(model).set(layout::kLabelFit, fit);
    const Updated result = updated(model, two_fields(200, 203));
    for (const float weight : ModelTensors(result.model).floats(layout::kLabelWeights)) {
      ASSERT_TRUE(std::isfinite(weight));
    }
  }
}

TEST(UpdateTrouble, WeightsOfTopicWordsNeedNotBeAsManyAsWords) {
  Model model = trained(two_fields());
  ModelMaker(model).set(layout::kTopicWordWeights, std::vector<float>{1, 1});
  UpdateOptions options;
  options.steps = 2;
  EXPECT_NO_THROW(updated(model, two_fields(60, 62), options));
}

TEST(UpdateTrouble, OneDocumentThatChangesOftenIsOneDocument) {
  Model model = trained(two_fields());
  auto records = two_fields(5, 6);
  for (int k = 0; k < 30; ++k) {
    records[0].text += "gene ";
    model = updated(model, records).model;
  }
  EXPECT_EQ(model.documents().untrained.size(), 1u);
  UpdateOptions options;
  options.removed = {"d5"};
  EXPECT_TRUE(update_model(model, Changes(), options, {}).model.documents().untrained.empty());
}

TEST(UpdateTrouble, NewLabelsAreNoFailureOfTheOldOnes) {
  auto records = two_fields(200, 240);
  for (Record& record : records) record.labels = {"new"};
  const Updated result = updated(trained(two_fields(0, 200)), records);
  EXPECT_EQ(result.report.foreseen.labelled, 0u);
  EXPECT_FALSE(result.report.train_again) << result.report.advice;
}

TEST(UpdateTrouble, DocumentsThatChangeALittleAreFine) {
  const TempFolder folder, changed;
  GenerateOptions corpus;
  corpus.documents = 400;
  generate_corpus(corpus, folder.path(), {});
  Options options(known_methods().front().options);
  options.set("dim", "16");
  const Model model = train(read_collection(folder.path(), {}, {}), "idne", options, {1, 1}, {});
  std::istringstream lines(folder.read("documents.jsonl"));
  std::string text, line;
  const std::string_view field = "\"text\": \"";
  for (int n = 0; n < 100 && std::getline(lines, line); ++n) {
    text += line.insert(line.find(field) + field.size(), "The ") + "\n";
  }
  changed.write("documents.jsonl", text);
  changed.write("links.tsv", folder.read("links.tsv"));
  const Updated result = update_model(model, Changes(model, changed.path(), false, {}), {}, {});
  EXPECT_EQ(result.report.changed, 100u);
  EXPECT_EQ(result.report.foreseen.linked, 100u);
  EXPECT_FALSE(result.report.train_again) << result.report.advice;
  EXPECT_GT(result.report.foreseen.links, 0.5) << "more is not to be had by documents that find themselves first";
}

TEST(UpdateTrouble, AnotherGroupAloneIsAChange) {
  auto records = two_fields(3, 4);
  records[0].groups = {"g5"};
  EXPECT_EQ(updated(trained(two_fields()), records).report.changed, 1u);
}

/// Sixty documents without links of their own, and those of a file.
Model with_file(std::string_view links) {
  const TempFolder folder;
  auto records = two_fields();
  for (std::size_t i = 2; i < records.size(); ++i) records[i].links.clear();
  records[0].links = {"d9"};
  folder.write("documents.jsonl", lines_of(records));
  folder.write("links.tsv", links);
  Options options(known_methods().front().options);
  for (const char* name : {"dim", "steps"}) options.set(name, "16");
  return train(read_collection(folder.path(), {}, {}), "idne", options, {1, 1}, {});
}

TEST(UpdateTrouble, ALinkThatAFileNamesStaysWhateverRecordsSay) {
  const Model model = with_file("d0\td9\nd0\td4\t5\n");
  const Updated without = updated(model, {{"d0", "judge"}});
  EXPECT_EQ(linked_with(without.model, "d0"), (std::set<std::string>{"d4", "d9"}));
  const Updated again = updated(without.model, {{"d0", "judge", {}, {"d4"}}});
  EXPECT_EQ(linked_with(again.model, "d0"), (std::set<std::string>{"d4", "d9"}));
  EXPECT_EQ(again.model.documents().link_weights[0], 5.0f) << "a record says no weight";
}

TEST(UpdateTrouble, WhatPeopleAcceptedTheyCanTakeBack) {
  const Model model = trained(two_fields());
  UpdateOptions yes, no;
  yes.feedback = {{Feedback::Kind::Link, "d1", "d30", true}, {Feedback::Kind::Label, "d1", "law", true}};
  no.feedback = {{Feedback::Kind::Link, "d30", "d1", false}, {Feedback::Kind::Label, "d1", "law", false}};
  const Updated accepted = update_model(model, Changes(), yes, {});
  EXPECT_TRUE(linked_with(accepted.model, "d1").contains("d30"));
  EXPECT_EQ(accepted.model.documents().labels[1].size(), 2u);
  UpdateOptions whole;
  whole.whole = true;
  EXPECT_TRUE(linked_with(updated(accepted.model, two_fields(), whole).model, "d1").contains("d30"));
  const Updated rejected = update_model(accepted.model, Changes(), no, {});
  EXPECT_FALSE(linked_with(rejected.model, "d1").contains("d30"));
  EXPECT_EQ(rejected.model.documents().labels[1].size(), 1u);
  EXPECT_EQ(rejected.model.info().links, model.info().links);
  no.feedback = {{Feedback::Kind::Link, "d1", "d3", false}, {Feedback::Kind::Label, "d1", "bio", false}};
  const Updated of_records = update_model(model, Changes(), no, {});
  EXPECT_TRUE(linked_with(of_records.model, "d1").contains("d3")) << "a record names it";
  EXPECT_EQ(of_records.model.documents().labels[1].size(), 1u);
  expect_whole(of_records.model);
}

TEST(UpdateTrouble, ANoIsRememberedWhenItsLabelGoesAndComes) {
  UpdateOptions no, gone;
  no.feedback = {{Feedback::Kind::Label, "d1", "law", false}};
  const Model said = update_model(trained(two_fields()), Changes(), no, {}).model;
  for (std::size_t i = 0; i < 60; i += 2) gone.removed.push_back(fmt::format("d{}", i));
  const Model later = updated(update_model(said, Changes(), gone, {}).model, two_fields(60, 64)).model;
  ASSERT_GT(later.documents().rejected_labels.size(), 0u);
  const auto rejected = later.documents().rejected_labels[later.document("d1")];
  ASSERT_EQ(rejected.size(), 1u);
  EXPECT_EQ(later.labels().names[static_cast<std::size_t>(rejected[0])], "law");
}

TEST(UpdateTrouble, StrictMeansIdsThatNobodyHas) {
  const TempFolder folder;
  folder.write("documents.jsonl", lines_of({{"n", "gene", {}, {"d3", "nobody"}}}));
  const Model model = trained(two_fields());
  UpdateOptions strict;
  strict.strict = true;
  const Changes changes(model, folder.path(), true, {});
  EXPECT_THROW(update_model(model, changes, strict, {}), Error);
  EXPECT_NO_THROW(update_model(model, changes, {}, {}));
}

TEST(UpdateTrouble, ATopicThatLostItsDocumentsStaysWhereItWas) {
  const Model model = trained(two_fields());
  UpdateOptions options;
  options.steps = 3;
  for (std::size_t i = 0; i < 60; i += 2) options.removed.push_back(fmt::format("d{}", i));
  const Updated result = update_model(model, Changes(), options, {});
  for (std::size_t k = 0; k < 2; ++k) {
    double square = 0;
    for (const float value : result.model.topics().vectors.row(k)) square += value * value;
    EXPECT_GT(square, 0.01);
  }
}

}  // namespace
}  // namespace idne
