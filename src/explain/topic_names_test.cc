#include <gtest/gtest.h>

#include "explain/topic_test_models.h"
#include "idne/error.h"
#include "idne/topics.h"
#include "temp_folder.h"
#include "tiny_model.h"

namespace idne {
namespace {

TEST(TopicNames, AreTheFirstWordsUntilSomebodyGivesOne) {
  const Model model = trained("kmeans");
  const TopicDescriptions before = describe_topics(model, {}, {});
  for (const TopicDescription& topic : before.topics) {
    EXPECT_FALSE(topic.named);
    EXPECT_EQ(topic.name, fmt::format("{}, {}, {}", topic.words[0].word, topic.words[1].word, topic.words[2].word));
  }
  const Model named = name_topics(model, {{2, " Space \n flight "}});
  EXPECT_EQ(topic_names(named, 1), (std::vector<std::string>{before.topics[0].name, "Space flight"}));
  EXPECT_TRUE(describe_topics(named, {}, {}).topics[1].named);
  EXPECT_TRUE(shown_topics(named, 1)[1].text().starts_with("Space flight: "));
  EXPECT_EQ(topic_names(model, 1)[1], before.topics[1].name) << "the old model stays";
}

TEST(TopicNames, CanBeChangedAndTakenAway) {
  const Model model = trained("kmeans");
  const Model named = name_topics(name_topics(model, {{1, "One"}, {2, "Two"}}), {{1, "Uno"}});
  EXPECT_EQ(topic_names(named, 1), (std::vector<std::string>{"Uno", "Two"}));
  const Model without = name_topics(named, {{1, ""}, {2, " "}});
  EXPECT_EQ(topic_names(without, 1), topic_names(model, 1));
  EXPECT_FALSE(ModelTensors(without).has(layout::kTopicNames)) << "nothing is left of them";
}

TEST(LabelNames, CanBeChanged) {
  const Model model = tiny_model();
  const std::string old(model.labels().names[0]), other(model.labels().names[1]);
  const Model named = rename_label(model, old, " Another\tname ");
  EXPECT_EQ(named.labels().names[0], "Another name");
  EXPECT_EQ(named.labels().names[1], other);
  EXPECT_EQ(model.labels().names[0], old) << "the old model stays";
  EXPECT_EQ(named.labels().own_names[0], old) << "what the corpus calls it";
  EXPECT_EQ(named.labels().own_names[1], "");
  EXPECT_EQ(rename_label(named, "Another name", "third").labels().own_names[0], old);
  EXPECT_FALSE(ModelTensors(rename_label(named, "Another name", old)).has(layout::kLabelOwnNames)) << "as it was";
  EXPECT_THROW(rename_label(model, "none", "x"), Error);
  EXPECT_THROW(rename_label(model, old, other), Error);
  EXPECT_THROW(rename_label(model, old, " "), Error);
  EXPECT_THROW(rename_label(model, old, "\xFF"), Error);
}

TEST(TopicNames, AreOfTopicsThatThereAre) {
  const Model model = trained("kmeans");
  EXPECT_THROW(name_topics(model, {{0, "None"}}), Error);
  EXPECT_THROW(name_topics(model, {{3, "None"}}), Error);
  EXPECT_THROW(name_topics(model, {{1, "\xFF"}}), Error);
  EXPECT_THROW(name_topics(Model(), {{1, "None"}}), Error);
}

}  // namespace
}  // namespace idne
