#pragma once

#include <cstdint>
#include <vector>

#include "idne/matrix.h"
#include "idne/text.h"
#include "methods/attention.h"

namespace idne {

/// How many words a topic keeps in the order in which it shows them.
inline constexpr std::size_t kRankedTopicWords = 80;

/// A topic's words, best first, and what each weighs in it: its part of the sum over all words.
struct RankedTopicWords {
  std::vector<std::uint32_t> words;
  std::vector<float> weights;
};

/// For each topic up to kRankedTopicWords words, none of which weighs nothing (docs/topics.md).
///
/// A word weighs in a topic the geometric mean of two sums of TF-IDF, over the documents whose main topic it is, and
/// over all documents times the topic's attention to the word, and that times the root of the topic's part of it among
/// all topics. Of the heaviest the ten are first that are expected to meet each other in *other* documents, a small
/// weight counting against a word. `families` says which words are forms
/// of one: a topic shows the heaviest of them, the others go to its end, and so do words of kNoFamily. Of many
/// documents an even sample is looked at.
std::vector<RankedTopicWords> distinctive_words(const CountMatrix& counts, MatrixView words, MatrixView topics,
                                                Activation activation, const std::vector<std::uint32_t>& families,
                                                int threads);

/// word_families of a model's words.
std::vector<std::uint32_t> families_of(const Model& model);

/// NPMI of each topic's first ten words on documents that they were not chosen on: chosen on one half of the documents
/// and scored on the other, and the other way round.
std::vector<double> held_out_coherence(const CountMatrix& counts, MatrixView words, MatrixView topics,
                                       Activation activation, const std::vector<std::uint32_t>& families, int threads);

}  // namespace idne
