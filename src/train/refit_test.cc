#include <gtest/gtest.h>

#include <algorithm>

#include "idne/generate.h"
#include "idne/topics.h"
#include "idne/train.h"
#include "model/tensors.h"
#include "temp_folder.h"
#include "tiny_model.h"

namespace idne {
namespace {

/// 120 documents in two fields, which are their labels.
Model trained(const std::vector<std::pair<std::string, std::string>>& settings) {
  const TempFolder folder;
  GenerateOptions corpus;
  corpus.documents = 120;
  corpus.fields = 2;
  generate_corpus(corpus, folder.path(), {});
  Options options(known_methods().front().options);
  for (const auto& [name, value] : settings) options.set(name, value);
  return train(read_collection(folder.path(), {}, {}), "idne", options, {1, 1}, {});
}

bool same(MatrixView a, MatrixView b) {
  return a.rows == b.rows && a.columns == b.columns && std::equal(a.data, a.data + a.rows * a.columns, b.data);
}

TEST(Refit, ChangesTopicsAndNothingElse) {
  const Model model = trained({{"dim", "16"}, {"steps", "20"}, {"topics", "2"}});
  const Model more = refit_topics(model, 3, {});
  EXPECT_EQ(more.topics().size(), 3u);
  EXPECT_EQ(more.topics().npmi.size(), 3u);
  EXPECT_TRUE(same(more.documents().vectors, model.documents().vectors));
  EXPECT_TRUE(same(more.words().vectors, model.words().vectors));
  EXPECT_TRUE(same(more.labels().weights, model.labels().weights));
  EXPECT_EQ(more.info().options.at("topics"), OptionValue(std::int64_t{3}));
  EXPECT_EQ(describe_topics(more, {}, {}).topics.size(), 3u);
  EXPECT_EQ(model.topics().size(), 2u) << "the old model stays";
}

TEST(Refit, IsWhatTrainingWithSoManyTopicsGives) {
  const Model model = trained({{"dim", "16"}, {"steps", "20"}, {"topics", "5"}});
  const Model three = trained({{"dim", "16"}, {"steps", "20"}, {"topics", "3"}});
  const Model again = refit_topics(model, 3, {});
  EXPECT_TRUE(same(again.topics().vectors, three.topics().vectors));
  EXPECT_TRUE(std::ranges::equal(again.topics().coherence, three.topics().coherence));
  EXPECT_TRUE(std::ranges::equal(again.topics().ranked, three.topics().ranked));
}

TEST(TryTopics, TellsWhatEachNumberWouldGiveAndWhichIsBest) {
  const Model model = trained({{"dim", "16"}, {"steps", "20"}, {"topics", "5"}});
  const std::vector<std::size_t> numbers{5, 2, 5};
  const auto tried = try_topics(model, numbers, {});
  ASSERT_EQ(tried.size(), 2u);
  EXPECT_EQ(tried[1].topics, 5u);
  const TopicDescriptions five = describe_topics(model, {}, {});
  EXPECT_NEAR(tried[1].coherence, five.coherence, 1e-6);
  EXPECT_NEAR(tried[1].npmi, five.npmi, 1e-6);
  EXPECT_DOUBLE_EQ(tried[1].diversity, five.diversity);
  EXPECT_EQ(tried[0].chosen + tried[1].chosen, 1);
  EXPECT_EQ(try_topics(model, {}, {}).size(), 6u) << "2, 3, 4, 6, 8 and 12: what 120 documents are enough for";
}

TEST(Train, SmallCorporaHaveFewTopicsAndAutoChoosesANumber) {
  EXPECT_EQ(trained({{"dim", "16"}, {"steps", "20"}}).topics().size(), 12u) << "one for each ten documents";
  EXPECT_EQ(trained({{"dim", "16"}, {"steps", "20"}, {"topics", "20"}}).topics().size(), 20u);
  const Model automatic = trained({{"dim", "16"}, {"steps", "20"}, {"topics", "auto"}});
  EXPECT_EQ(automatic.info().options.at("topics"), OptionValue(static_cast<std::int64_t>(automatic.topics().size())));
  EXPECT_THROW(trained({{"dim", "16"}, {"topics", "auto"}, {"topic-fit", "none"}}), Error);
}

TEST(Train, AnotherSeedHasTheSameTopics) {
  const Model one = trained({{"topics", "4"}, {"seed", "1"}}), two = trained({{"topics", "4"}, {"seed", "2"}});
  for (const MatchedTopics& match : match_topics(one, two, 10, {})) EXPECT_GE(match.overlap, 0.8);
}

TEST(Refit, GivesThePapersModelFittedTopics) {
  const Model model = refit_topics(trained({{"dim", "16"}, {"steps", "20"}, {"topic-fit", "none"}}), 2, {});
  const TopicDescriptions topics = describe_topics(model, {}, {});
  EXPECT_EQ(topics.ranking, WordRanking::Distinctive);
  EXPECT_DOUBLE_EQ(topics.diversity, 1);
}

/// One random topic drops about half of the words.
const std::vector<std::pair<std::string, std::string>> kGated{
    {"dim", "16"}, {"steps", "20"}, {"topics", "1"}, {"topic-fit", "none"}, {"start", "random"}};

TEST(Refit, WordsThatTheOldTopicsDroppedComeBackToDocumentsAndLabels) {
  const Model gated = trained(kGated), refit = refit_topics(gated, 2, {});
  EXPECT_FALSE(same(refit.documents().vectors, gated.documents().vectors));
  ASSERT_GT(gated.labels().weights.rows, 0u);
  EXPECT_FALSE(same(refit.labels().weights, gated.labels().weights)) << "learned from vectors that are gone";
}

TEST(Refit, JoinedDocumentsThatWouldMoveAreAnError) {
  auto settings = kGated;
  settings.emplace_back("neighbours", "1");
  EXPECT_THROW(refit_topics(trained(settings), 2, {}), Error);
  settings.back().second = "0";
  EXPECT_NO_THROW(refit_topics(trained(settings), 2, {}));
}

TEST(Refit, JoinedDocumentsThatStayAreNoError) {
  const Model model = trained({{"dim", "16"}, {"steps", "20"}, {"neighbours", "1"}});
  EXPECT_TRUE(same(refit_topics(model, 3, {}).documents().vectors, model.documents().vectors));
}

TEST(Refit, AModelWithoutItsDocumentsWordsSaysSo) { EXPECT_THROW(refit_topics(tiny_model(), 2, {}), Error); }

TEST(Train, LearnsLabelsByItself) {
  const Model model = trained({{"dim", "16"}, {"steps", "20"}});
  EXPECT_EQ(model.labels().weights.rows, 2u);
  EXPECT_EQ(model.labels().weights.columns, 17u);
}

TEST(Train, EveryMethodCanBeJoinedWithNeighbours) {
  const TempFolder folder;
  GenerateOptions corpus;
  corpus.documents = 60;
  generate_corpus(corpus, folder.path(), {});
  const Collection collection = read_collection(folder.path(), {}, {});
  for (const MethodInfo& method : known_methods()) {
    Options options(method.options);
    options.set("dim", "8");
    for (const auto& [name, value] : {std::pair{"steps", "5"}, {"features", "6"}, {"hidden", "8"}, {"rounds", "3"}}) {
      if (options.has(name)) options.set(name, value);
    }
    options.set("neighbours", "2");
    const Model model = train(collection, method.name, options, {1, 1}, {});
    EXPECT_EQ(model.documents().vectors.columns, 16u) << method.name;
    model.save(folder.path("m.idne"));
    EXPECT_NO_THROW(Model::load(folder.path("m.idne"))) << method.name;
  }
}

}  // namespace
}  // namespace idne
