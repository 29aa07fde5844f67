#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>

#include "explain/topic_shares.h"
#include "idne/topic_relations.h"
#include "idne/topics.h"

namespace idne {
namespace {

using Node = TopicTree::Node;

/// Average linkage: of all branches the two with the largest similarity become one, until one is left.
class Merging {
 public:
  Merging(const std::vector<SimilarTopics>& pairs, std::vector<Node> topics)
      : count_(topics.size()), nodes_(std::move(topics)), similarity_(count_ * count_), best_(count_), at_(count_) {
    for (const SimilarTopics& pair : pairs) {
      similarity_[(pair.first - 1) * count_ + pair.second - 1] = pair.similarity;
      similarity_[(pair.second - 1) * count_ + pair.first - 1] = pair.similarity;
    }
    for (std::size_t k = 0; k < count_; ++k) at_[k] = k;
    for (std::size_t k = 0; k < count_; ++k) find_best(k);
  }

  std::vector<Node> merged(const Run& run) && {
    for (std::size_t left = count_; left > 1; --left) {
      run.check();
      merge_best();
    }
    return std::move(nodes_);
  }

 private:
  static constexpr std::size_t kGone = TopicTree::kNone;

  /// The branch behind slot k that is most similar to slot k's; the first of equal ones.
  void find_best(std::size_t k) {
    best_[k] = kGone;
    for (std::size_t other = k + 1; other < count_; ++other) {
      if (at_[other] == kGone) continue;
      if (best_[k] == kGone || similarity_[k * count_ + other] > similarity_[k * count_ + best_[k]]) best_[k] = other;
    }
  }

  void merge_best() {
    std::size_t a = kGone;
    for (std::size_t k = 0; k < count_; ++k) {
      if (at_[k] == kGone || best_[k] == kGone) continue;
      if (a == kGone || similarity_[k * count_ + best_[k]] > similarity_[a * count_ + best_[a]]) a = k;
    }
    const std::size_t b = best_[a];
    const auto size = [&](std::size_t slot) { return static_cast<double>(nodes_[at_[slot]].topics.size()); };
    const double size_a = size(a), size_b = size(b);
    Node node;
    node.similarity = similarity_[a * count_ + b];
    node.first = at_[a], node.second = at_[b];
    if (nodes_[node.second].share > nodes_[node.first].share) std::swap(node.first, node.second);
    node.share = nodes_[node.first].share + nodes_[node.second].share;
    for (const std::size_t half : {node.first, node.second}) {
      node.topics.insert(node.topics.end(), nodes_[half].topics.begin(), nodes_[half].topics.end());
    }
    at_[a] = nodes_.size();
    at_[b] = kGone;
    nodes_.push_back(std::move(node));
    for (std::size_t k = 0; k < count_; ++k) {
      if (at_[k] == kGone || k == a) continue;
      const double mean =
          (size_a * similarity_[a * count_ + k] + size_b * similarity_[b * count_ + k]) / (size_a + size_b);
      similarity_[a * count_ + k] = similarity_[k * count_ + a] = mean;
    }
    for (std::size_t k = 0; k < count_; ++k) {
      if (at_[k] == kGone) continue;
      const bool changed = k == a || best_[k] == a || best_[k] == b;
      if (changed) {
        find_best(k);
      } else if (k < a && best_[k] != kGone && similarity_[k * count_ + a] > similarity_[k * count_ + best_[k]]) {
        best_[k] = a;
      }
    }
  }

  const std::size_t count_;
  std::vector<Node> nodes_;
  std::vector<double> similarity_;  ///< slot × slot
  std::vector<std::size_t> best_;   ///< for each slot, among those behind it
  std::vector<std::size_t> at_;     ///< the node in each slot
};

/// Names branches by the words that both halves have more of than all texts have, frequent ones first.
class BranchNames {
 public:
  explicit BranchNames(std::vector<Node>& nodes) : nodes_(nodes), best_(nodes.size()), parts_(nodes.size()) {}

  void name(const Model& model, const Run& run) {
    const TopicShares shares(model, run.threads);
    std::vector<float> weights(shares.topics());
    for (std::uint32_t word = 0; word < model.words().vectors.rows; ++word) {
      run.check();
      shares.of_word({word, 1}, weights);
      // With a larger power branches are named by words that all documents have, with a smaller one by rare words.
      offer(word, std::pow(static_cast<double>(model.words().counts[word]), 0.25), weights);
    }
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      if (!nodes_[n].is_topic()) nodes_[n].name = name_of(n, model.words().shown());
    }
  }

 private:
  static constexpr std::size_t kNameWords = 3;
  struct Wanted {
    double score;
    std::uint32_t word;
  };

  void offer(std::uint32_t word, double common, std::span<const float> weights) {
    const auto lift = [&](std::size_t node) { return parts_[node] / nodes_[node].share; };
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      const Node& node = nodes_[n];
      if (node.is_topic()) {
        parts_[n] = weights[n];
        continue;
      }
      parts_[n] = parts_[node.first] + parts_[node.second];
      const double least = std::min(lift(node.first), lift(node.second));
      if (!(least > 1) || !std::isfinite(least)) continue;
      keep({common * std::log(least), word}, best_[n]);
    }
  }

  /// By score; of equal ones the word that came first, the more frequent one.
  static void keep(const Wanted& wanted, std::vector<Wanted>& best) {
    constexpr std::size_t kCandidates = 3 * kNameWords;  // some are forms of others
    const auto place = std::upper_bound(best.begin(), best.end(), wanted,
                                        [](const Wanted& a, const Wanted& b) { return a.score > b.score; });
    best.insert(place, wanted);
    if (best.size() > kCandidates) best.pop_back();
  }

  /// Whether two words are forms of one, as far as their spelling tells.
  static bool alike(std::string_view a, std::string_view b) {
    constexpr std::size_t kEnding = 2;
    if (a.size() > b.size()) std::swap(a, b);
    return b.size() - a.size() <= kEnding && b.starts_with(a);
  }

  std::string name_of(std::size_t n, const StringsView& words) const {
    std::vector<std::string_view> name;
    for (const Wanted& wanted : best_[n]) {
      const std::string_view word = words[wanted.word];
      const bool again = std::any_of(name.begin(), name.end(), [&](auto other) { return alike(word, other); });
      if (!again && name.size() < kNameWords) name.push_back(word);
    }
    return name.empty() ? fmt::format("{} topics", nodes_[n].topics.size()) : fmt::format("{}", fmt::join(name, ", "));
  }

  std::vector<Node>& nodes_;
  std::vector<std::vector<Wanted>> best_;
  std::vector<double> parts_;  ///< of a word's attention, for each node
};

}  // namespace

std::vector<std::size_t> TopicTree::groups() const {
  std::vector<std::size_t> found, open{nodes.size() - 1};
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    if (nodes[at].is_topic() || nodes[at].similarity >= near) {
      found.push_back(at);
    } else {
      open.push_back(nodes[at].second);
      open.push_back(nodes[at].first);
    }
  }
  return found;
}

TopicTree topic_tree(const Model& model, const Run& run) {
  const std::vector<SimilarTopics> pairs = similar_topics(model, run);
  std::vector<std::string> names = topic_names(model, run.threads);
  std::vector<Node> topics(model.topics().size());
  for (std::size_t k = 0; k < topics.size(); ++k) {
    topics[k].topics = {k + 1};
    topics[k].name = std::move(names[k]);
    topics[k].share = model.topics().shares[k];
  }
  TopicTree tree{Merging(pairs, std::move(topics)).merged(run), near_similarity(pairs)};
  BranchNames(tree.nodes).name(model, run);
  return tree;
}

}  // namespace idne
