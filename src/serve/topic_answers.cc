#include "serve/topic_answers.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "idne/topic_relations.h"
#include "idne/topics.h"
#include "json/parts.h"

namespace idne {
namespace {

/// The first of a list.
Json first_of(const Json& list, std::size_t count) {
  Json some = Json::array();
  for (std::size_t n = 0; n < std::min(count, list.size()); ++n) some.push_back(list[n]);
  return some;
}

}  // namespace

Json TopicAnswers::all_of(const Model& model, const Run& run) {
  const TopicDescriptions all = describe_topics(model, {kMostWords, kMostExamples, {}}, run);
  std::vector<std::vector<SimilarTopics>> related(all.topics.size());
  constexpr std::size_t kRelated = 5;
  const std::vector<SimilarTopics> pairs = similar_topics(model, run);
  const double near = near_similarity(pairs);
  for (const SimilarTopics& pair : pairs) {
    if (pair.similarity < near) break;
    for (const auto& [topic, other] : {std::pair(pair.first, pair.second), std::pair(pair.second, pair.first)}) {
      auto& list = related[topic - 1];
      if (list.size() < kRelated) {
        list.push_back({topic, other, pair.similarity, pair.documents, pair.words});
      }
    }
  }
  return to_json(all, related);
}

Json TopicAnswers::cut(std::size_t words, std::size_t examples) const {
  Json some = Json::object();
  for (const auto& [name, value] : all_.items()) {
    if (name != "topics") {
      some[name] = value;
      continue;
    }
    Json& topics = some[name] = Json::array();
    for (const Json& topic : value) {
      Json one = Json::object();
      for (const auto& [field, its] : topic.items()) {
        one[field] = field == "words" ? first_of(its, words) : field == "documents" ? first_of(its, examples) : its;
      }
      topics.push_back(std::move(one));
    }
  }
  return some;
}

}  // namespace idne
