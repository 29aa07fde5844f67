#include "idne/update.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "idne/encode.h"
#include "idne/generate.h"
#include "idne/train.h"
#include "model/tensors.h"
#include "suggest/frequencies.h"
#include "suggest/label_head.h"
#include "temp_folder.h"

namespace idne {
namespace {

struct Record {
  std::string id, text;
  std::vector<std::string> labels = {}, links = {}, groups = {};
};

std::string quoted_list(const std::vector<std::string>& list) {
  std::string text;
  for (const std::string& one : list) text += fmt::format("{}\"{}\"", text.empty() ? "" : ",", one);
  return "[" + text + "]";
}

std::string lines_of(const std::vector<Record>& records) {
  std::string text;
  for (const Record& r : records) {
    text += fmt::format("{{\"id\":\"{}\",\"text\":\"{}\",\"labels\":{},\"links\":{},\"groups\":{}}}\n", r.id, r.text,
                        quoted_list(r.labels), quoted_list(r.links), quoted_list(r.groups));
  }
  return text;
}

/// Sixty documents of two fields, each linked with the next of its own, in a group by tens.
std::vector<Record> two_fields(std::size_t from = 0, std::size_t to = 60) {
  const std::vector<std::string> bio{"gene", "cell", "protein", "enzyme", "genome", "tissue"},
      law{"court", "judge", "law", "trial", "jury", "appeal"};
  std::vector<Record> records;
  for (std::size_t i = from; i < to; ++i) {
    const auto& words = i % 2 ? bio : law;
    Record record{fmt::format("d{}", i), "", {i % 2 ? "bio" : "law"}, {}, {fmt::format("g{}", i / 10)}};
    for (std::size_t k = 0; k < 8; ++k) record.text += words[(i + k * k) % words.size()] + " ";
    if (i >= 2) record.links.push_back(fmt::format("d{}", i - 2));
    records.push_back(record);
  }
  return records;
}

Model trained(const std::vector<Record>& records, const std::vector<std::pair<std::string, std::string>>& more = {},
              const std::string& method = "idne") {
  const TempFolder folder;
  folder.write("documents.jsonl", lines_of(records));
  const auto methods = known_methods();
  const auto found = std::ranges::find(methods, method, &MethodInfo::name);
  Options options(found->options);
  options.set("dim", "16");
  for (const auto& [name, value] : std::vector<std::pair<std::string, std::string>>{{"steps", "40"}, {"topics", "2"}}) {
    if (options.has(name)) options.set(name, value);
  }
  for (const auto& [name, value] : more) options.set(name, value);
  return train(read_collection(folder.path(), {}, {}), method, options, {1, 1}, {});
}

Updated updated(const Model& model, const std::vector<Record>& changes, const UpdateOptions& options = {},
                std::string_view links = "", int threads = 1) {
  const TempFolder folder;
  folder.write("documents.jsonl", lines_of(changes));
  if (!links.empty()) folder.write("links.tsv", links);
  const Run run{.threads = threads, .progress = {}, .stopped = {}};
  return update_model(model, Changes(model, folder.path(), false, run), options, run);
}

std::vector<float> row(MatrixView matrix, std::size_t i) { return {matrix.row(i).begin(), matrix.row(i).end()}; }
std::vector<float> vector_of(const Model& model, std::string_view id) {
  return row(model.documents().vectors, model.document(id));
}
std::set<std::string> linked_with(const Model& model, std::string_view id) {
  std::set<std::string> ids;
  for (const std::int32_t to : model.documents().links[model.document(id)]) {
    ids.emplace(model.documents().ids[static_cast<std::size_t>(to)]);
  }
  return ids;
}
std::vector<float> embedded(const Model& model, std::string_view text, std::vector<std::uint32_t> links = {}) {
  const TextEncoder encoder(model);
  Tokenizer tokenizer;
  std::vector<float> vector(encoder.dimensions());
  encoder.encode(encoder.words(text, tokenizer), links, vector);
  return vector;
}
void expect_whole(const Model& model) {
  const TempFolder folder;
  model.save(folder.path("m.idne"));
  EXPECT_NO_THROW(Model::load(folder.path("m.idne")));
}
bool same_bytes(const Model& a, const Model& b) {
  const TempFolder folder;
  a.save(folder.path("a"));
  b.save(folder.path("b"));
  return folder.read("a") == folder.read("b");
}

TEST(Update, AddsDocumentsBehindTheOthersWithTheVectorsThatEmbedGives) {
  const Model model = trained(two_fields(0, 50));
  const auto records = two_fields(50, 60);
  const Updated result = updated(model, records);
  EXPECT_EQ(result.report.added, 10u);
  ASSERT_EQ(result.model.documents().size(), 60u);
  for (std::size_t i = 0; i < 50; ++i) {
    EXPECT_EQ(row(result.model.documents().vectors, i), row(model.documents().vectors, i));
    EXPECT_EQ(result.former[i], i);
  }
  for (std::size_t k = 0; k < records.size(); ++k) {
    EXPECT_EQ(result.model.documents().ids[50 + k], records[k].id);
    EXPECT_EQ(row(result.model.documents().vectors, 50 + k), embedded(model, records[k].text));
    EXPECT_EQ(result.former[50 + k], Updated::kNew);
  }
  expect_whole(result.model);
}

TEST(Update, LinksAndGroupsToAndFromOldDocumentsCountInBothDirections) {
  const Model model = trained(two_fields(0, 58));
  const Updated result = updated(model, two_fields(58, 60), {}, "d0\td1\nd3\td59\nd5\tnobody\n");
  const Model whole = trained(two_fields());
  EXPECT_EQ(linked_with(result.model, "d56"), (std::set<std::string>{"d54", "d58"}));
  EXPECT_EQ(linked_with(result.model, "d59"), (std::set<std::string>{"d57", "d3"}));
  EXPECT_TRUE(linked_with(result.model, "d1").contains("d0")) << "two old documents";
  EXPECT_EQ(result.model.info().links, whole.info().links + 2);
  EXPECT_EQ(result.model.info().groups, 6u);
  EXPECT_TRUE(std::ranges::equal(result.model.documents().groups[58], whole.documents().groups[58]));
  EXPECT_EQ(result.report.dropped.unknown_links, 1u);
}

TEST(Update, TheSameDocumentsAgainChangeNothing) {
  const Model model = trained(two_fields());
  const Updated result = updated(model, two_fields());
  EXPECT_EQ(result.report.unchanged, 60u);
  EXPECT_EQ(result.report.changed + result.report.added + result.report.removed, 0u);
  EXPECT_EQ(result.model.info().links, model.info().links);
  EXPECT_TRUE(std::ranges::equal(result.model.documents().links.values(), model.documents().links.values()));
  EXPECT_TRUE(std::ranges::equal(result.model.documents().own_links.values(), model.documents().own_links.values()));
  EXPECT_EQ(row(result.model.documents().vectors, 59), row(model.documents().vectors, 59));
}

TEST(Update, AKnownIdIsReplacedInItsPlace) {
  const Model model = trained(two_fields());
  auto records = two_fields(7, 8);
  records[0].text = "court judge law";
  records[0].labels = {"law"};
  const Updated result = updated(model, records);
  EXPECT_EQ(result.report.changed, 1u);
  EXPECT_EQ(result.model.documents().size(), 60u);
  EXPECT_EQ(result.model.document("d7"), 7u);
  EXPECT_EQ(vector_of(result.model, "d7"), embedded(model, "court judge law"));
  EXPECT_EQ(vector_of(result.model, "d8"), vector_of(model, "d8"));
  EXPECT_EQ(result.former[7], Updated::kNew);
  EXPECT_EQ(linked_with(result.model, "d7"), (std::set<std::string>{"d5", "d9"})) << "d9 names it still";
}

TEST(Update, ARecordReplacesTheLinksAndGroupsThatItsFormerOneNamed) {
  const Model model = trained(two_fields());
  auto records = two_fields(7, 8);
  records[0].links = {"d1"};
  records[0].groups = {"apart"};
  const Updated result = updated(model, records);
  EXPECT_EQ(result.report.changed, 1u);
  EXPECT_EQ(linked_with(result.model, "d7"), (std::set<std::string>{"d1", "d9"}));
  EXPECT_EQ(vector_of(result.model, "d7"), vector_of(model, "d7")) << "its text is the same";
  ASSERT_EQ(result.model.documents().groups[7].size(), 1u);
  EXPECT_EQ(result.model.documents().group_names[static_cast<std::size_t>(result.model.documents().groups[7][0])],
            "apart");
}

TEST(Update, LinksThatNoRecordNamedStayWithANewRecord) {
  const TempFolder folder;
  auto records = two_fields();
  for (Record& record : records) record.links.clear();
  folder.write("documents.jsonl", lines_of(records));
  folder.write("links.tsv", "d0\td2\t2.5\nd0\td4\n");
  Options options(known_methods().front().options);
  for (const char* name : {"dim", "steps"}) options.set(name, "16");
  const Model model = train(read_collection(folder.path(), {}, {}), "idne", options, {1, 1}, {});
  EXPECT_EQ(model.documents().link_weights.size(), 4u);
  const Updated result = updated(model, {{"d0", "judge", {}, {"d6"}}});
  EXPECT_EQ(linked_with(result.model, "d0"), (std::set<std::string>{"d2", "d4", "d6"}));
  EXPECT_EQ(result.model.documents().link_weights[0], 2.5f);
  EXPECT_EQ(result.model.documents().link_weights[2], 1.0f);
}

TEST(Update, RemovedDocumentsAreGoneWithTheirLinksAlsoIfTheyAreAmongTheChanges) {
  const Model model = trained(two_fields(0, 58));
  UpdateOptions options;
  options.removed = {"d10", "d59", "d10", "nobody"};
  const Updated result = updated(model, two_fields(58, 60), options);
  EXPECT_EQ(result.model.documents().size(), 58u);
  EXPECT_EQ(result.report.removed, 1u);
  EXPECT_EQ(result.report.unknown_removed, 1u);
  EXPECT_THROW(result.model.document("d10"), Error);
  EXPECT_THROW(result.model.document("d59"), Error);
  EXPECT_EQ(linked_with(result.model, "d12"), (std::set<std::string>{"d14"}));
  EXPECT_EQ(vector_of(result.model, "d12"), vector_of(model, "d12"));
  expect_whole(result.model);
}

TEST(Update, OfTheWholeCorpusWhatIsNotThereGoes) {
  const Model model = trained(two_fields());
  UpdateOptions options;
  options.whole = true;
  auto records = two_fields(10, 60);
  records[0].links.clear();
  records[1].links.clear();
  const Updated result = updated(model, records, options);
  EXPECT_EQ(result.report.removed, 10u);
  EXPECT_EQ(result.report.unchanged, 50u);
  EXPECT_EQ(result.model.documents().size(), 50u);
  EXPECT_EQ(result.model.info().groups, 5u);
  EXPECT_EQ(result.model.documents().group_names[0], "g1");
  options.removed = {};
  for (std::size_t i = 10; i < 60; ++i) options.removed.push_back(fmt::format("d{}", i));
  EXPECT_THROW(updated(model, records, options), Error) << "nothing would remain";
}

TEST(Update, NewLabelsAreLearnedAndGoneOnesForgotten) {
  auto records = two_fields();
  records[3].labels.push_back("rare");
  const Model model = trained(records);
  std::vector<Record> changes{records[3]};
  changes[0].labels = {"bio"};
  for (int k = 0; k < 12; ++k) {
    changes.push_back({fmt::format("n{}", k), "gene court gene trial enzyme", {"both"}, {"d1"}, {}});
  }
  const Updated result = updated(model, changes);
  EXPECT_EQ(result.report.new_labels, std::vector<std::string>{"both"});
  EXPECT_EQ(result.report.gone_labels, std::vector<std::string>{"rare"});
  ASSERT_EQ(result.model.labels().names.size(), 3u);
  EXPECT_EQ(result.model.labels().weights.rows, 3u);
  expect_whole(result.model);
}

TEST(Update, LabelsThatAreLearnedFromWhereTheyWereEndNearThoseLearnedFromNothing) {
  // Some labels are wrong, so that probabilities are not all 0 and 1.
  auto records = two_fields(0, 310);
  for (std::size_t i = 0; i < records.size(); i += 7) records[i].labels = {i % 2 ? "law" : "bio"};
  const std::vector<Record> first(records.begin(), records.begin() + 300), late(records.begin() + 300, records.end());
  const Updated result = updated(trained(first), late);
  Model anew = result.model;
  learn_labels(anew, {});
  const MatrixView a = result.model.labels().weights, b = anew.labels().weights;
  ASSERT_EQ(a.rows, b.rows);
  const Tfidf tfidf(document_frequencies(anew.documents().words, anew.words().size()), anew.documents().size());
  const LabelHead near(result.model, tfidf), plain(anew, tfidf);
  for (std::size_t i = 0; i < anew.documents().size(); i += 10) {
    const auto words = anew.documents().words[i];
    const auto vector = anew.documents().vectors.row(i);
    EXPECT_NEAR(near.probabilities(words, vector)[0], plain.probabilities(words, vector)[0], 0.02) << i;
  }
}

TEST(Update, TopicsKeepVectorsWordsAndNames) {
  Model model = trained(two_fields());
  ModelMaker(model).set_strings(layout::kTopicNames, std::vector<std::string>{"One", ""});
  const Updated result = updated(model, two_fields(60, 70));
  EXPECT_TRUE(std::ranges::equal(result.model.topics().ranked, model.topics().ranked));
  EXPECT_EQ(row(result.model.topics().vectors, 1), row(model.topics().vectors, 1));
  EXPECT_EQ(result.model.topics().names[0], "One");
  EXPECT_NEAR(result.model.topics().shares[0] + result.model.topics().shares[1], 1, 1e-5);
}

TEST(Update, IsTheSameAtAnyNumberOfThreads) {
  const Model model = trained(two_fields(0, 50));
  UpdateOptions options;
  for (const std::uint64_t steps : {0u, 20u}) {
    options.steps = steps;
    EXPECT_TRUE(same_bytes(updated(model, two_fields(45, 60), options, "", 1).model,
                           updated(model, two_fields(45, 60), options, "", 3).model));
  }
}

TEST(Update, DocumentsThatAreJoinedAreWhatEmbedGivesWithTheirLinks) {
  const Model model = trained(two_fields(0, 58), {{"neighbours", "2"}});
  const auto records = two_fields(58, 60);
  const Updated result = updated(model, records);
  EXPECT_EQ(vector_of(result.model, "d58"), embedded(model, records[0].text, {56}));
  EXPECT_EQ(vector_of(result.model, "d10"), vector_of(model, "d10"));
  expect_whole(result.model);
  // What a later document links to is where it should be.
  const Updated later = updated(result.model, {{"later", "gene cell", {}, {"d58"}, {}}});
  EXPECT_EQ(vector_of(later.model, "later"), embedded(result.model, "gene cell", {58}));
}

TEST(Update, EveryMethodThatEmbedsCanBeUpdated) {
  for (const MethodInfo& method : known_methods()) {
    if (!method.inductive) {
      EXPECT_THROW(updated(trained(two_fields(0, 40), {}, std::string(method.name)), two_fields(40, 44)), Error);
      continue;
    }
    const Model model = trained(two_fields(0, 40), {}, std::string(method.name));
    const auto records = two_fields(40, 44);
    const Updated result = updated(model, records);
    EXPECT_EQ(vector_of(result.model, "d0"), vector_of(model, "d0")) << method.name;
    EXPECT_EQ(vector_of(result.model, "d41"), embedded(model, records[1].text)) << method.name;
    UpdateOptions further;
    further.steps = 5;
    if (method.name == "idne") continue;
    EXPECT_THROW(updated(model, records, further), Error) << method.name;
  }
}

TEST(Update, AModelThatDoesNotKeepWhatItNeedsSaysSo) {
  Model model = trained(two_fields());
  ModelMaker(model).remove(layout::kGroupNames);
  EXPECT_THROW(updated(model, two_fields(0, 2)), Error);
  ModelMaker(model).remove(layout::kDocumentLinks);
  EXPECT_THROW(updated(model, two_fields(0, 2)), Error);
}

TEST(Update, WithoutDigestsTextsWithTheSameWordsAreTheSame) {
  Model model = trained(two_fields());
  ModelMaker(model).remove(layout::kDocumentDigests);
  auto records = two_fields(0, 3);
  records[1].text = "gene gene gene";
  const Updated result = updated(model, records);
  EXPECT_EQ(result.report.unchanged, 2u);
  EXPECT_EQ(result.report.changed, 1u);
}

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
  EXPECT_EQ(once.model.info().untrained, 10u);
  EXPECT_EQ(twice.model.info().untrained, 22u) << "two of them were there, unchanged";
  EXPECT_TRUE(twice.report.train_again);
  UpdateOptions options;
  options.steps = 5;
  EXPECT_EQ(updated(twice.model, two_fields(62, 64), options).model.info().untrained, 0u);
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
