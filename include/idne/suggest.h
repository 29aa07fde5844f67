#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "idne/encode.h"
#include "idne/explain.h"
#include "idne/run.h"
#include "idne/search.h"

namespace idne {

struct SuggestedLabel {
  std::size_t label;  ///< number of Model::labels
  double probability;
  std::vector<WordPart> words;  ///< those that speak most for it, or against it (negative), in log odds
};

/// What a link's score is the sum of. Each is at least about 0, and 1 where a text meets its twin.
struct LinkParts {
  double words = 0;  ///< words that both have, the rarer the more
  double space = 0;  ///< how near they are in the model's space
  double votes = 0;  ///< how many of the documents that are like the text link there

  double sum() const { return words + space + votes; }
};

/// A document that is like the text and has a link to the suggested one.
struct Voter {
  std::size_t document;
  double weight;  ///< its part of LinkParts::votes
};

/// A document to link to, and why. Lists are by amount, largest first, as many as were asked for; each whole list adds
/// up to its part.
struct SuggestedLink {
  std::size_t document;
  double score;  ///< parts.sum()
  LinkParts parts;
  std::vector<WordPart> words;    ///< of parts.words
  std::vector<WordPair> pairs;    ///< of parts.space: a word of the text with a word of the document
  std::vector<TopicPart> topics;  ///< of parts.space
  std::vector<Voter> voters;      ///< of parts.votes
  /// What to tell a person: words and pairs of words (a word with itself where both have it), one idea once: not
  /// "volcano" and "volcanoes" beside "lava–volcano".
  std::vector<WordPair> reasons;
};

struct Suggestions {
  std::vector<SuggestedLabel> labels;  ///< most probable first; none if the model has no label head
  std::vector<SuggestedLink> links;    ///< best first
  std::vector<std::string> doubts;     ///< why little trust is due, in words: "only 2 of its words are known"
};

struct SuggestionCounts {
  std::size_t labels = 5, links = 5, topics = 3, words = 5;  ///< no reasons are looked for with topics = words = 0
};

/// Finds the documents whose vectors are nearest, such as an index does.
using NearestSearch = std::function<std::vector<Hit>(std::span<const float> query, std::size_t count)>;

/// Labels for texts and documents to link them to. What the words say, what the space says and what similar documents
/// link to are weighed as training found best on documents of the corpus (docs/suggest.md). Safe for use by several
/// threads at once. The encoder and its model must live as long.
class Suggester {
 public:
  /// Looks at all documents for the nearest ones, with so many threads.
  explicit Suggester(const TextEncoder& encoder, int threads = 1);
  Suggester(const TextEncoder& encoder, NearestSearch search);
  ~Suggester();
  Suggester(Suggester&&) noexcept;

  /// The words of a text that it goes by: those that the encoder knows, and behind them those that became frequent
  /// enough since the model's words were learned (Words::late). Give each thread a tokenizer of its own.
  std::vector<WordCount> words(std::string_view text, Tokenizer& tokenizer, const Run& run = {}) const;
  /// For a new text with these words, sorted as words() gives them. Nothing for one without known words. Where
  /// documents are joined with their neighbours the text counts as one that has no link yet. Labels sum to one over all
  /// if no document of the model has several. Throws Interrupted.
  Suggestions suggest(std::span<const WordCount> words, const SuggestionCounts& counts, const Run& run = {}) const;
  /// For a document of the model: labels, and the links that it does not have yet, but for those that people said no
  /// to. Throws Error if the model does not keep its documents' words; Interrupted.
  Suggestions suggest_missing(std::size_t document, const SuggestionCounts& counts, const Run& run = {}) const;

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

/// A link that is not there.
struct MissingLink {
  std::size_t from, to;  ///< documents; `to` was suggested for `from`
  double score;
};
/// The best missing links of the whole corpus, best first: up to `per_document` are looked for from each document, and
/// a pair is listed once. The same at any number of threads.
std::vector<MissingLink> missing_links(const Suggester& suggester, std::size_t documents, std::size_t per_document,
                                       const Run& run);

}  // namespace idne
