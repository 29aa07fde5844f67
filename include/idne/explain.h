#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "idne/encode.h"
#include "idne/model.h"
#include "idne/topics.h"

/// Why a text is about what it is about, and why two texts are close. Topics are numbered from 1, as people see them.
namespace idne {

/// A text with the places of the words that a model knows. `counts` are the same words, sorted by number.
struct KnownText {
  struct Place {
    std::size_t begin, end;  ///< bytes of the text
    std::uint32_t word;
  };
  std::string text;
  std::vector<Place> places;
  std::vector<WordCount> counts;
};

KnownText known_text(const TextEncoder& encoder, std::string text);
/// The same for many texts: a tokenizer is costly to make.
KnownText known_text(const TextEncoder& encoder, std::string text, Tokenizer& tokenizer, const Run& run = {});
/// A document of the model, of which the words alone are kept: they stand one after the other. Throws Error if the
/// model does not keep them.
KnownText document_text(const Model& model, std::size_t document);

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

/// Which topics a text is about, and through which words. The text must outlive the result. Throws Error if the model's
/// method has no topics; Interrupted.
Explanation explain(const Model& model, const KnownText& text, const Run& run = {});

/// What a topic, a word, or a pair of them, adds to a score. Listed by amount, largest first; parts against it are
/// negative.
struct TopicPart {
  std::size_t topic;
  double part;
};
struct WordPart {
  std::uint32_t word;
  double part;
};
struct TopicPair {
  std::size_t a, b;
  double part;
};
struct WordPair {
  std::uint32_t a, b;
  double part;
};

/// Why two texts are close. Their score, the product of their vectors, is the sum over all pairs of their words and,
/// through the attention, over all pairs of their topics: each list, with what is not listed, adds up to the score.
struct PairExplanation {
  double score = 0;
  double cosine = 0;                          ///< 0 if a text has no known word
  std::vector<TopicPart> topics_a, topics_b;  ///< all topics with a part; empty if the method has none
  std::vector<TopicPair> topics;
  double other_topics = 0;                 ///< what the topic pairs that are not listed add up to
  std::vector<WordPart> words_a, words_b;  ///< all words
  std::vector<WordPair> words;
  double other_words = 0;
};

/// Lists the `top` pairs of topics and of words with the largest amounts. Vectors are those of the texts alone, also
/// where documents are joined with their neighbours. Throws Error if the method's vectors are no sums over words;
/// Interrupted.
PairExplanation explain_pair(const TextEncoder& encoder, const KnownText& a, const KnownText& b, std::size_t top,
                             const Run& run = {});

/// What the pages call a text, and its explanation.
struct ExplainedText {
  std::string title;
  const Explanation& explanation;
};

/// Whole HTML pages without scripts, which load nothing: the text with its words marked by topic, and the topics.
std::string explanation_page(const ExplainedText& text, std::span<const ShownTopic> topics);
/// Both texts, and the topics and words that make them close. Without topics (explanations that are empty) `words`
/// alone.
std::string pair_page(const ExplainedText& a, const ExplainedText& b, const PairExplanation& pair,
                      const StringsView& words, std::span<const ShownTopic> topics);

}  // namespace idne
