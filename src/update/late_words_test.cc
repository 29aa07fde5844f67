#include "idne/suggest.h"
#include "model/tensors.h"
#include "update/update_test_records.h"

/// Words that are too rare for a model until documents come that have them.
namespace idne {
namespace {

using namespace changing;

constexpr VocabularyRule kThrice{3, 1};

/// Documents 5 and 7 have a word that the others lack.
Model with_a_rare_word() {
  auto records = two_fields();
  for (const std::size_t i : {5u, 7u}) records[i].text += "Genomics";
  return trained(records, {}, "idne", kThrice);
}

std::vector<Record> one_more() {
  auto records = two_fields(60, 62);
  records[1].text += "genomics unheard";
  return records;
}

std::vector<std::string> late_words(const Model& model) {
  std::vector<std::string> words;
  for (std::size_t n = 0; n < model.words().late.size(); ++n) words.emplace_back(model.words().late[n]);
  return words;
}

std::vector<std::string> with_late_word(const Model& model) {
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < model.documents().late_words.size(); ++i) {
    if (!model.documents().late_words[i].empty()) ids.emplace_back(model.documents().ids[i]);
  }
  return ids;
}

TEST(LateWords, AModelKeepsTheWordsThatAreTooRare) {
  const Model model = with_a_rare_word();
  const ModelTensors tensors(model);
  ASSERT_EQ(tensors.strings(layout::kRareWords).size(), 1u);
  EXPECT_EQ(tensors.strings(layout::kRareWords)[0], "genomics");
  EXPECT_EQ(tensors.strings(layout::kRareForms)[0], "Genomics");
  const BagsView bags = tensors.bags(layout::kDocumentRareWords);
  EXPECT_EQ(bags[7], (std::vector<WordCount>{{0, 1}}));
  EXPECT_TRUE(bags[6].empty());
  EXPECT_EQ(late_words(model), std::vector<std::string>{});
}

TEST(LateWords, AnUpdateFindsThemInOldDocumentsAndLeavesTheSpaceAlone) {
  const Model model = with_a_rare_word();
  const Updated result = updated(model, one_more());
  EXPECT_EQ(late_words(result.model), std::vector<std::string>{"genomics"});
  EXPECT_EQ(with_late_word(result.model), (std::vector<std::string>{"d5", "d7", "d61"}));
  EXPECT_EQ(result.model.words().size(), model.words().size());
  EXPECT_EQ(vector_of(result.model, "d5"), vector_of(model, "d5"));
  EXPECT_EQ(vector_of(result.model, "d61"), embedded(model, one_more()[1].text));
  EXPECT_EQ(embedded(result.model, "gene genomics"), embedded(model, "gene genomics"));
  expect_whole(result.model);
}

TEST(LateWords, SuggestionsGoByThem) {
  const Updated result = updated(with_a_rare_word(), one_more());
  const TextEncoder encoder(result.model);
  const Suggester suggester(encoder);
  Tokenizer tokenizer;
  const std::vector<WordCount> words = suggester.words("Genomics", tokenizer);
  ASSERT_EQ(words.size(), 1u);
  EXPECT_EQ(result.model.words().shown(words[0].word), "Genomics");
  const Suggestions found = suggester.suggest(words, {2, 3, 0, 3});
  std::set<std::string> ids;
  for (const SuggestedLink& link : found.links) {
    ids.emplace(result.model.documents().ids[link.document]);
    ASSERT_FALSE(link.words.empty());
    EXPECT_EQ(link.words[0].word, words[0].word);
  }
  EXPECT_EQ(ids, (std::set<std::string>{"d5", "d7", "d61"}));
  ASSERT_FALSE(found.labels.empty());
  EXPECT_EQ(result.model.labels().names[found.labels[0].label], "bio") << "all three documents with that word are";
}

TEST(LateWords, AreRareAgainWhenTheirDocumentsGo) {
  const Updated result = updated(with_a_rare_word(), one_more());
  UpdateOptions options;
  options.removed = {"d7"};
  const Updated later = update_model(result.model, Changes(), options, {});
  EXPECT_EQ(late_words(later.model), std::vector<std::string>{});
  EXPECT_FALSE(ModelTensors(later.model).has(layout::kLateWordLabels));
  expect_whole(later.model);
  EXPECT_EQ(late_words(updated(later.model, {{"again", "genomics", {}, {}}}).model),
            std::vector<std::string>{"genomics"});
}

TEST(LateWords, LabelsLearnedFromWhereTheyWereKnowThemByName) {
  auto first = one_more();
  for (Record& record : first) record.text += " unheard unheard";
  const Updated before = updated(with_a_rare_word(), first);
  ASSERT_EQ(late_words(before.model), (std::vector<std::string>{"unheard", "genomics"}));
  // Two documents of sixty: labels are learned from where they were. The words change places.
  std::vector<Record> second{{"a", "genomics genomics genomics gene", {"bio"}, {}},
                             {"b", "genomics cell", {"bio"}, {}}};
  const Updated after = updated(before.model, second);
  ASSERT_EQ(late_words(after.model), (std::vector<std::string>{"genomics", "unheard"}));
  const TextEncoder encoder(after.model);
  const Suggester suggester(encoder);
  Tokenizer tokenizer;
  const Suggestions found = suggester.suggest(suggester.words("genomics", tokenizer), {2, 1, 0, 0});
  EXPECT_EQ(after.model.labels().names[found.labels[0].label], "bio");
}

TEST(LateWords, FurtherTrainingLearnsThemInAllDocuments) {
  UpdateOptions options;
  options.steps = 20;
  const Updated plain = updated(with_a_rare_word(), one_more());
  for (const Updated& result :
       {updated(with_a_rare_word(), one_more(), options), update_model(plain.model, Changes(), options, {})}) {
    EXPECT_EQ(result.report.new_words, 1u);
    const Model& model = result.model;
    ASSERT_EQ(model.words().shown(model.words().size() - 1), "Genomics");
    EXPECT_EQ(model.words().counts.back(), 3);
    for (const char* id : {"d5", "d7", "d61"}) {
      EXPECT_EQ(model.documents().words[model.document(id)].back().word, model.words().size() - 1) << id;
    }
    EXPECT_EQ(late_words(model), std::vector<std::string>{});
    expect_whole(model);
  }
}

TEST(LateWords, AModelOfBeforeKnowsThoseOfWhatComes) {
  Model model = with_a_rare_word();
  for (const layout::Entry* entry : {&layout::kRareWords, &layout::kRareForms, &layout::kDocumentRareWords}) {
    ModelMaker(model).remove(*entry);
  }
  EXPECT_EQ(late_words(updated(model, one_more()).model), std::vector<std::string>{});
  auto records = one_more();
  records[0].text += "unheard unheard";
  EXPECT_EQ(late_words(updated(model, records).model), std::vector<std::string>{"unheard"});
}

}  // namespace
}  // namespace idne
