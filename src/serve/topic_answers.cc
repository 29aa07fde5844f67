#include "serve/topic_answers.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "json/parts.h"

namespace idne {

TopicAnswers::TopicAnswers(const Model& model, int threads)
    : all_(describe_topics(model, {kMostWords, kMostExamples, {}}, threads)), related_(all_.topics.size()) {
  const StringsView& names = model.words().shown();
  const auto lists = topic_words(model, all_.ranking, kMostWords, threads);
  for (std::size_t k = 0; k < lists.size(); ++k) {
    std::unordered_map<std::string_view, std::size_t> rank_of;
    for (std::size_t rank = 0; rank < lists[k].size(); ++rank) rank_of.emplace(names[lists[k][rank]], rank);
    ranks_.emplace_back();
    for (const RankedWord& word : all_.topics[k].words) ranks_.back().push_back(rank_of.at(word.word));
  }
  constexpr std::size_t kRelated = 5;
  for (const SimilarTopics& pair : similar_topics(model)) {
    if (pair.cosine <= 0) break;
    for (const auto& [topic, other] : {std::pair(pair.first, pair.second), std::pair(pair.second, pair.first)}) {
      auto& list = related_[topic - 1];
      if (list.size() < kRelated) list.push_back({topic, other, pair.cosine});
    }
  }
}

Json TopicAnswers::cut(std::size_t words, std::size_t examples) const {
  TopicDescriptions some{{}, all_.ranking, all_.npmi, all_.diversity};
  for (std::size_t k = 0; k < all_.topics.size(); ++k) {
    const TopicDescription& all = all_.topics[k];
    TopicDescription& topic = some.topics.emplace_back(TopicDescription{all.topic, all.share, all.npmi, {}, {}});
    for (std::size_t n = 0; n < all.words.size(); ++n) {
      if (ranks_[k][n] < words) topic.words.push_back(all.words[n]);
    }
    const auto kept = static_cast<std::ptrdiff_t>(std::min(examples, all.documents.size()));
    topic.documents.assign(all.documents.begin(), all.documents.begin() + kept);
  }
  return to_json(some, related_);
}

}  // namespace idne
