#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "idne/model.h"
#include "idne/run.h"

/// Which topics belong together: those that are in the same documents and that the same words speak for. Topics are
/// numbered from 1, as people see them.
namespace idne {

/// Two topics, and how alike they are: 0 is what chance gives, 1 is the same topic, below 0 they keep apart.
struct SimilarTopics {
  std::size_t first, second;
  double similarity;  ///< the mean of the two below
  double documents;   ///< correlation of their shares in documents, less what chance gives
  double words;       ///< and of their parts of words, each word as often as it occurs
};

/// All pairs of topics, the most similar first. Of a model that does not keep its documents' words, `words` alone
/// decides. Throws Error if the model has no topics.
std::vector<SimilarTopics> similar_topics(const Model& model, const Run& run);

/// From which similarity on two of so many topics are called near: clearly beyond what chance gives.
double near_similarity(const std::vector<SimilarTopics>& pairs);

/// Topics merged two by two, the most similar first; a branch is as similar to another as their topics are in the mean.
struct TopicTree {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  struct Node {
    std::vector<std::size_t> topics;            ///< all below, as they are drawn
    std::string name;                           ///< the topic's; of a branch, the words that its two halves share most
    double share = 0;                           ///< of all documents
    double similarity = 1;                      ///< of its two halves; 1 for a topic
    std::size_t first = kNone, second = kNone;  ///< its halves, the one with the larger share first; a topic has none

    bool is_topic() const { return first == kNone; }
  };
  std::vector<Node> nodes;  ///< a node stands behind its halves: the last holds all topics
  double near = 0;          ///< branches with a smaller similarity hold what does not really belong together

  const Node& root() const { return nodes.back(); }
  /// The largest branches whose halves are near to each other, and topics that are in none, as they are drawn.
  std::vector<std::size_t> groups() const;
};

/// Deterministic: ties go to the topics with the smaller numbers. Throws Error if the model has no topics.
TopicTree topic_tree(const Model& model, const Run& run);

/// The tree as a picture, which follows the reader's light or dark theme.
std::string tree_svg(const TopicTree& tree, const std::string& title);

}  // namespace idne
