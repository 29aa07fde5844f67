#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "idne/method.h"
#include "idne/model.h"

namespace idne {

/// Topics are numbered from 1, as people see them; topic 1 has the largest share.
struct TopicWord {
  std::string word;
  float score;  ///< dot product with the topic
};
struct TopicSummary {
  std::size_t topic;
  double share;  ///< of all documents
  double npmi;   ///< coherence of the ten words with the largest products
  std::vector<TopicWord> words;
};
struct TopicReport {
  std::vector<TopicSummary> topics;
  double npmi;       ///< mean over the topics
  double diversity;  ///< distinct words among the topics' first ten
};

/// The topics of a model with the `top` words nearest to each. Throws Error if its method has no topics.
TopicReport report_topics(const Model& model, std::size_t top, int threads);

/// A piece of a text: a word that the model knows, or what lies between such words.
struct ExplainedToken {
  std::string_view text;
  std::optional<std::uint32_t> word;
  std::optional<std::size_t> topic;  ///< the word's strongest topic
  float weight = 0;                  ///< and its attention, 0 to 1
};
struct TopicShare {
  std::size_t topic;
  double share;
};
struct Explanation {
  std::vector<TopicShare> topics;      ///< those with any share, largest first
  std::vector<ExplainedToken> tokens;  ///< joined, they are the text
};

/// Which topics a text is about, and through which words. The text must outlive the result.
Explanation explain(const Model& model, const TextEncoder& encoder, std::string_view text);

}  // namespace idne
