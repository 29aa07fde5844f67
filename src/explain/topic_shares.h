#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "idne/model.h"
#include "methods/attention.h"

namespace idne {

/// Shares of topics in documents, for all documents or one after the other. What words give to topics is found once:
/// a word is in many documents. Safe for use by several threads; the model must live as long.
class TopicShares {
 public:
  /// Throws Error if the model has no topics.
  TopicShares(const Model& model, int threads);

  std::size_t topics() const { return attention_.topics(); }
  /// A word's attention, as TopicAttention::weights.
  void of_word(const WordCount& entry, std::span<float> out) const;
  /// Σ_w Z_kw X_w / |X| for each topic k; zeros for a bag without words.
  void of_bag(std::span<const WordCount> bag, std::span<double> out) const;

 private:
  TopicAttention attention_;
  bool by_count_;             ///< whether attention depends on how often a word occurs
  std::vector<float> table_;  ///< word × topic; empty if attention has to be found each time
};

/// Document × topic.
std::vector<double> shares_in_documents(const Model& model, const CountMatrix& counts, int threads);

}  // namespace idne
