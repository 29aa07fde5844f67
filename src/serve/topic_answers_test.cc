#include "serve/topic_answers.h"

#include <gtest/gtest.h>

#include "idne/topic_relations.h"
#include "idne/topics.h"
#include "json/values.h"
#include "methods/method.h"
#include "model/tensors.h"
#include "small_corpus.h"
#include "with_threads.h"

namespace idne {
namespace {

Model trained(const std::string& fit) {
  const Corpus corpus = small_corpus(60, 120, 3);
  const Method& method = find_method("idne");
  Options options(method.options());
  options.set("dim", "8");
  options.set("steps", "20");
  options.set("topics", "7");
  options.set("topic-fit", fit);
  Model model = method.fit(corpus, options, Run{});
  std::vector<std::string> ids;
  for (int i = 0; i < 60; ++i) ids.push_back(fmt::format("d{}", i));
  ModelMaker maker(model);
  maker.info().method = "idne";
  maker.set(layout::kDocumentWords, corpus.counts);
  maker.set_strings(layout::kWordStrings, corpus.vocabulary.words.strings());
  maker.set_strings(layout::kDocumentIds, ids);
  maker.set_strings(layout::kDocumentTitles, ids);
  return model;
}

TEST(TopicAnswers, AreWhatADescriptionOfThatSizeWouldBe) {
  for (const char* fit : {"none", "kmeans"}) {
    const Model model = trained(fit);
    const TopicAnswers answers(TopicAnswers::all_of(model, with_threads(2)));
    for (const std::size_t words : {1, 2, 7, 10, 19, 20, 49, 50}) {
      for (const std::size_t examples : {0, 1, 3, 20}) {
        Json json = answers.cut(words, examples);
        for (Json& topic : json["topics"]) topic.erase("related");
        EXPECT_EQ(json, to_json(describe_topics(model, {words, examples, {}}, {})))
            << fit << ' ' << words << ' ' << examples;
      }
    }
  }
}

TEST(TopicAnswers, RelatedTopicsAreTheMostSimilarOthers) {
  const Model model = trained("kmeans");
  const Json json = TopicAnswers(TopicAnswers::all_of(model, {})).cut(1, 0);
  const auto pairs = similar_topics(model, {});
  ASSERT_EQ(json["topics"].size(), 7u);
  for (const Json& topic : json["topics"]) {
    std::vector<std::size_t> expected, related;
    for (const SimilarTopics& pair : pairs) {
      if (pair.similarity < near_similarity(pairs) || expected.size() == 5) break;
      if (pair.first == topic["topic"]) expected.push_back(pair.second);
      if (pair.second == topic["topic"]) expected.push_back(pair.first);
    }
    for (const Json& other : topic["related"]) related.push_back(other["topic"]);
    EXPECT_EQ(related, expected);
  }
}

}  // namespace
}  // namespace idne
