#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "idne/topic_relations.h"
#include "idne/topics.h"
#include "methods/topic_words.h"

namespace idne {

/// A model's topics, described once and for the most that can be asked for; what is asked for is cut out of that.
class TopicAnswers {
 public:
  static constexpr std::size_t kMostWords = kRankedTopicWords, kMostExamples = 20;

  /// The model must have topics.
  TopicAnswers(const Model& model, int threads);
  /// What `idne topics --format json` prints, and each topic's relatives. `words` and `examples` are no more than those
  /// above.
  nlohmann::ordered_json cut(std::size_t words, std::size_t examples) const;

 private:
  TopicDescriptions all_;
  std::vector<std::vector<SimilarTopics>> related_;
};

}  // namespace idne
