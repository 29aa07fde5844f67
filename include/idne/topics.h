#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "idne/model.h"
#include "idne/run.h"

/// What a model's topics are about. Topics are numbered from 1, as people see them; topic 1 has the largest share.
namespace idne {

/// How the words that speak for a topic are chosen.
enum class WordRanking {
  Product,      ///< the largest dot products with the topic: the paper's
  Distinctive,  ///< of those that weigh most in its documents, the ones that are expected to occur together in others
};

/// So many words name a topic where it is one of several things that are shown.
inline constexpr std::size_t kShownTopicWords = 8;

/// The ranking that a model's stored coherence is of: Distinctive if its topics are fitted.
WordRanking own_ranking(const Model& model);

/// For each topic up to `count` numbers of words, best first. Throws Error if the model has no topics, or if it keeps
/// neither the ranking nor its documents' words to find it anew.
std::vector<std::vector<std::uint32_t>> topic_words(const Model& model, WordRanking ranking, std::size_t count,
                                                    int threads);

/// Words after each other: "moon tide", or with commas where one is a phrase, "moon, New York".
std::string in_a_row(const std::vector<std::string>& words);

/// What people call each topic: the name that somebody gave it, or else its first words.
std::vector<std::string> topic_names(const Model& model, int threads);

/// A name for a topic; "" takes it away.
struct TopicName {
  std::size_t topic;
  std::string name;
};
/// The model with these names given; all else stays. Throws Error if there is no such topic, or a name is no UTF-8.
Model name_topics(const Model& model, const std::vector<TopicName>& names);
/// The model with another name for a label; all else stays, and what the corpus calls it is remembered. Throws Error if
/// there is no such label, if another one has the name, or if it is empty or no UTF-8.
Model rename_label(const Model& model, std::string_view label, const std::string& name);

/// What a topic looks like wherever texts are explained: its name, and the words that it begins with.
struct ShownTopic {
  std::string name;
  bool named = false;  ///< else the name is made of the words
  std::vector<std::string> words;

  /// "Space flight: orbit shuttle nasa", or the words alone.
  std::string text() const;
};
/// Topic k's is at k − 1.
std::vector<ShownTopic> shown_topics(const Model& model, int threads);

struct RankedWord {
  std::string word;
  float score;  ///< what it weighs in the topic, its part of all words' weights; by product, or in older models, that
};
struct ExampleDocument {
  std::string id, title;
  double share;  ///< of the topic in it
};
struct TopicDescription {
  std::size_t topic;
  std::string name;               ///< as topic_names() has it
  bool named;                     ///< whether somebody gave it that name
  double share;                   ///< of all documents
  double npmi;                    ///< how often its first ten words meet in the documents they were chosen on
  double coherence;               ///< and in others; npmi again where a model does not keep it
  std::vector<RankedWord> words;  ///< best first
  std::vector<ExampleDocument> documents;
};
struct TopicDescriptions {
  std::vector<TopicDescription> topics;
  WordRanking ranking;
  double npmi;       ///< mean over the topics
  double coherence;  ///< the same
  double diversity;  ///< distinct words among the topics' first ten
};
struct TopicQuery {
  std::size_t words = 10, documents = 2;
  std::optional<WordRanking> ranking = {};  ///< none: the model's own
};

/// Throws Error if the model's method has no topics. Examples need a model that keeps its documents' words.
TopicDescriptions describe_topics(const Model& model, const TopicQuery& query, const Run& run);

/// For each document the topic with the largest share in it; 0 for one without words, and for all if the model has no
/// topics or does not keep its documents' words.
std::vector<std::size_t> main_topics(const Model& model, int threads);

struct WordNorm {
  std::string word;
  float norm;
  std::int64_t count;  ///< in the corpus
};
/// The words with the longest vectors, longest first, or with the shortest, shortest first. Throws Error if the model's
/// words have no vectors.
std::vector<WordNorm> words_by_norm(const Model& model, std::size_t count, bool longest);

/// A topic of one model, the topic of another that it is matched with, and the share of their first words in common.
struct MatchedTopics {
  std::size_t first, second;
  double overlap;
};
/// How much of a model's topics another one has too, such as one trained with another seed: topics are matched one to
/// one so that their first `words` words have the most in common. One entry per topic of the model that has fewer, by
/// overlap.
std::vector<MatchedTopics> match_topics(const Model& first, const Model& second, std::size_t words, const Run& run);

}  // namespace idne
