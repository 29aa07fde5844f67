#include "serve/topic_answers.h"

#include <algorithm>
#include <utility>

#include "json/parts.h"

namespace idne {

TopicAnswers::TopicAnswers(const Model& model, int threads)
    : all_(describe_topics(model, {kMostWords, kMostExamples, {}}, threads)), related_(all_.topics.size()) {
  constexpr std::size_t kRelated = 5;
  const std::vector<SimilarTopics> pairs = similar_topics(model, threads);
  const double near = near_similarity(pairs);
  for (const SimilarTopics& pair : pairs) {
    if (pair.similarity < near) break;
    for (const auto& [topic, other] : {std::pair(pair.first, pair.second), std::pair(pair.second, pair.first)}) {
      auto& list = related_[topic - 1];
      if (list.size() < kRelated) {
        list.push_back({topic, other, pair.similarity, pair.documents, pair.words});
      }
    }
  }
}

Json TopicAnswers::cut(std::size_t words, std::size_t examples) const {
  TopicDescriptions some = all_;
  for (TopicDescription& topic : some.topics) {
    topic.words.resize(std::min(words, topic.words.size()));
    topic.documents.resize(std::min(examples, topic.documents.size()));
  }
  return to_json(some, related_);
}

}  // namespace idne
