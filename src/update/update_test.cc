#include "idne/update.h"

#include <cmath>

#include "idne/topics.h"
#include "model/tensors.h"
#include "suggest/frequencies.h"
#include "suggest/label_head.h"
#include "update/update_test_records.h"

namespace idne {
namespace {

using namespace changing;

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

TEST(Update, NamesThatPeopleGaveToLabelsStay) {
  const auto records = two_fields();
  const Model model = rename_label(trained(records), "bio", "Biology");
  auto changes = records;
  changes.push_back({"n1", "gene enzyme gene", {"bio"}, {"d1"}, {}});
  changes.push_back({"n2", "gene enzyme gene", {"Biology", "bio"}, {"d1"}, {}});
  const Updated result = updated(model, changes);
  EXPECT_EQ(result.report.unchanged, records.size()) << "the corpus calls it as before";
  EXPECT_TRUE(result.report.new_labels.empty());
  const Model& now = result.model;
  ASSERT_EQ(now.labels().names.size(), model.labels().names.size());
  for (const std::size_t row : {now.documents().size() - 2, now.documents().size() - 1}) {
    const auto labels = now.documents().labels[row];
    ASSERT_EQ(labels.size(), 1u);
    EXPECT_EQ(now.labels().names[static_cast<std::size_t>(labels[0])], "Biology");
    EXPECT_EQ(now.labels().own_names[static_cast<std::size_t>(labels[0])], "bio") << "for the next time";
  }
  expect_whole(now);
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

}  // namespace
}  // namespace idne
