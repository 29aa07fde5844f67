#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "idne/corpus.h"
#include "idne/explain.h"
#include "idne/method.h"
#include "idne/model.h"
#include "idne/search.h"

namespace idne {

/// Teaches a model to give labels to new texts: adds the tensor "labels.weights", label × (dim + 1), if the corpus has
/// at least two labels that at least two documents with a vector have. Call it after train(), with the same collection.
/// The result does not depend on run.threads.
void add_label_head(Model& model, const Collection& collection, const Run& run);

struct SuggestedLabel {
  std::size_t label;  ///< number in "labels.names"
  double probability;
};

/// A document to link to. Its score is the sum over all words of the text, and over all topics of the text, of what
/// they add to it; those that add most in amount are listed.
struct SuggestedLink {
  std::size_t document;
  double score;  ///< cosine
  std::vector<TopicPart> topics;
  std::vector<WordPart> words;
  std::vector<WordPair> pairs;  ///< a word of the text with a word of the document, where the model keeps its words
};

struct Suggestions {
  std::vector<SuggestedLabel> labels;  ///< most probable first; none if the model has no label head
  std::vector<SuggestedLink> links;    ///< nearest first
};

struct SuggestionCounts {
  std::size_t labels = 5, links = 5, topics = 3, words = 5;
};

/// What a new text with these words should be labelled with and linked to. Nothing for a text without known words.
/// Where documents are joined with their neighbours the text counts as one that has no link yet. Topics and words are
/// empty where the method has none. Labels sum to one over all if no document of the model has several.
Suggestions suggest(const Model& model, const TextEncoder& encoder, std::span<const WordCount> words,
                    const SuggestionCounts& counts, int threads);
/// The same with another way to find the nearest documents, such as an index; `left_out`, sorted, are not suggested.
using NearestSearch = std::function<std::vector<Hit>(std::span<const float> query, std::size_t count)>;
Suggestions suggest(const Model& model, const TextEncoder& encoder, std::span<const WordCount> words,
                    const SuggestionCounts& counts, const NearestSearch& search,
                    std::span<const std::int32_t> left_out = {});

}  // namespace idne
