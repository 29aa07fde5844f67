#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>

#include "idne/model.h"
#include "methods/topic_words.h"

namespace idne {

/// A model's topics, described once and for the most that can be asked for; what is asked for is cut out of that.
class TopicAnswers {
 public:
  using Json = nlohmann::ordered_json;
  static constexpr std::size_t kMostWords = kRankedTopicWords, kMostExamples = 20;

  /// What `idne topics --format json` prints, with as many words and examples as there may be, and each topic's
  /// relatives. The model must have topics.
  static Json all_of(const Model& model, const Run& run);

  explicit TopicAnswers(Json all) : all_(std::move(all)) {}
  /// With so many words and examples, no more than those above.
  Json cut(std::size_t words, std::size_t examples) const;

 private:
  Json all_;
};

}  // namespace idne
