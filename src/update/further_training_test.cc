#include "update/further_training.h"

#include <cmath>
#include <numeric>

#include "model/tensors.h"
#include "update/update_test_records.h"

namespace idne {
namespace {

using namespace changing;

TEST(Advice, DocumentsLikeTheOthersAreFineAndStrangeOnesAreNot) {
  const Model model = trained(two_fields(0, 200));
  const Updated same = updated(model, two_fields(200, 230));
  EXPECT_FALSE(same.report.train_again) << same.report.advice;
  EXPECT_EQ(same.report.foreseen.documents, 30u);
  EXPECT_DOUBLE_EQ(same.report.foreseen.unknown_words, 0);
  EXPECT_DOUBLE_EQ(same.report.foreseen.labels, 1);
  EXPECT_EQ(same.report.foreseen.linked, 2u) << "the others link to what came with them";

  std::vector<Record> strange;
  for (int i = 0; i < 30; ++i) {
    strange.push_back({fmt::format("s{}", i), fmt::format("orbit planet telescope comet{} gene", i % 3), {"bio"}});
  }
  const Updated other = updated(model, strange);
  EXPECT_TRUE(other.report.train_again);
  EXPECT_DOUBLE_EQ(other.report.foreseen.unknown_words, 0.8);
  EXPECT_NE(other.report.advice.find("80 %"), std::string::npos) << other.report.advice;
}

TEST(Advice, CountsDocumentsSinceWordsWereLearned) {
  const Model model = trained(two_fields(0, 40));
  const Updated once = updated(model, two_fields(40, 50)), twice = updated(once.model, two_fields(48, 62));
  EXPECT_EQ(once.model.documents().untrained.size(), 10u);
  EXPECT_EQ(twice.model.documents().untrained.size(), 22u) << "two of them were there, unchanged";
  EXPECT_TRUE(twice.report.train_again);
  UpdateOptions options;
  options.steps = 5;
  EXPECT_EQ(updated(twice.model, two_fields(62, 64), options).model.documents().untrained.size(), 0u);
}

/// A third field comes.
std::vector<Record> sky() {
  const std::vector<std::string> words{"planet", "comet", "orbit", "galaxy", "telescope", "moon"};
  std::vector<Record> records;
  for (std::size_t i = 0; i < 30; ++i) {
    Record record{fmt::format("s{}", i), "", {"sky"}, {}, {}};
    for (std::size_t k = 0; k < 8; ++k) record.text += words[(i + k * k) % words.size()] + " ";
    if (i > 0) record.links.push_back(fmt::format("s{}", i - 1));
    records.push_back(record);
  }
  return records;
}

TEST(FurtherTraining, LearnsNewWordsAndKeepsTopics) {
  const Model model = trained(two_fields(0, 60));
  auto records = two_fields(60, 70);
  for (Record& record : records) record.text += "genomics genomics";
  UpdateOptions options;
  options.steps = 50;
  const Updated result = updated(model, records, options);
  EXPECT_EQ(result.report.new_words, 1u);
  EXPECT_EQ(result.model.words().size(), model.words().size() + 1);
  EXPECT_EQ(result.model.words().strings[model.words().size()], "genomics");
  EXPECT_GT(result.report.moved, 0.8);
  EXPECT_LT(result.report.moved, 1);
  ASSERT_EQ(result.report.topics.size(), 2u);
  for (const TopicMoved& topic : result.report.topics) {
    EXPECT_EQ(topic.former, topic.topic);
    EXPECT_GE(topic.words_kept, 0.8);
  }
  expect_whole(result.model);
  EXPECT_EQ(result.model.info().options.at("steps"), OptionValue(std::int64_t{90}));
}

TEST(FurtherTraining, GoesByTheWidthOfVectorsWhereOptionsNameNone) {
  Model model = trained(two_fields());
  ModelMaker(model).info().options.erase("dim");
  UpdateOptions options;
  options.steps = 3;
  const Updated result = updated(model, two_fields(60, 62), options);
  EXPECT_EQ(result.model.word_vectors().columns, 16u);
  expect_whole(result.model);
}

TEST(FurtherTraining, WordsThatWereLeftOutBeforeDoNotComeBack) {
  auto records = two_fields(0, 60);
  for (Record& record : records) record.text += "everywhere";
  const TempFolder folder;
  folder.write("documents.jsonl", lines_of(records));
  Options settings(known_methods().front().options);
  for (const char* name : {"dim", "steps"}) settings.set(name, "16");
  const Model model = train(read_collection(folder.path(), {}, {}), "idne", settings, {1, 0.9}, {});
  ASSERT_EQ(model.words().size(), 12u);
  auto more = two_fields(60, 66);
  for (Record& record : more) record.text += "everywhere the genomics";
  UpdateOptions options;
  options.steps = 2;
  const Updated result = updated(model, more, options);
  EXPECT_EQ(result.report.new_words, 1u);
  EXPECT_EQ(result.model.words().strings[12], "genomics");
  EXPECT_EQ(result.report.foreseen.new_words, std::vector<std::string>{"genomics"});
}

TEST(FurtherTraining, ANewWordBeginsAmongTheWordsAroundIt) {
  const Model model = trained(two_fields(0, 60));
  std::vector<Record> records;
  for (int i = 0; i < 6; ++i) records.push_back({fmt::format("n{}", i), "gene cell protein enzyme genomics", {}, {}});
  UpdateOptions options;
  options.steps = 1;
  const Model now = updated(model, records, options).model;
  const auto cosine = [&](std::string_view a, std::string_view b) {
    const auto x = embedded(now, a), y = embedded(now, b);
    const auto product = [](const auto& p, const auto& q) {
      return std::inner_product(p.begin(), p.end(), q.begin(), 0.0);
    };
    return product(x, y) / std::sqrt(product(x, x) * product(y, y));
  };
  EXPECT_GT(cosine("genomics", "gene cell protein enzyme"), 0.8);
  EXPECT_LT(cosine("genomics", "court judge trial"), 0.5);
}

TEST(FurtherTraining, AFieldThatCameBecomesATopicBehindTheOthers) {
  Model model = trained(two_fields(0, 60));
  ModelMaker(model).set_strings(layout::kTopicNames, std::vector<std::string>{"One", "Two"});
  UpdateOptions options;
  options.steps = 100;
  const Updated result = updated(model, sky(), options);
  ASSERT_EQ(result.report.topics.size(), 3u) << result.report.advice;
  EXPECT_EQ(result.report.topics[0].former, 1u);
  EXPECT_EQ(result.report.topics[1].former, 2u);
  EXPECT_FALSE(result.report.topics[2].former);
  EXPECT_EQ(result.model.topics().names[1], "Two");
  EXPECT_EQ(result.model.topics().names[2], "");
  std::set<std::string> words;
  for (const std::int32_t word : result.model.topics().ranked.last(result.model.topics().ranked.size() / 3)) {
    words.emplace(result.model.words().strings[static_cast<std::size_t>(word)]);
  }
  EXPECT_TRUE(words.contains("planet"));
  expect_whole(result.model);
}

TEST(FurtherTraining, NothingNewIsNeeded) {
  const Model model = trained(two_fields());
  UpdateOptions options;
  options.steps = 10;
  const Updated result = update_model(model, Changes(), options, {});
  EXPECT_EQ(result.model.documents().size(), 60u);
  EXPECT_LT(result.report.moved, 1);
}

TEST(FurtherTraining, JoinedDocumentsAreJoinedAgain) {
  const Model model = trained(two_fields(0, 50), {{"neighbours", "1"}});
  UpdateOptions options;
  options.steps = 10;
  const Updated result = updated(model, two_fields(50, 60), options);
  EXPECT_EQ(result.model.documents().vectors.columns, 32u);
  expect_whole(result.model);
}

}  // namespace
}  // namespace idne
