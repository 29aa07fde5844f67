#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corpus/corpus.h"
#include "math/kernels.h"

namespace idne {

/// How positive pairs are drawn: from a document drawn uniformly (Node), or from all paths alike (Path). Near is Node
/// with half of the pairs linked: where documents have many links, there are far more paths of length 2 than of 1.
enum class Sampling { Near, Node, Path };

/// The documents of training step `step`: `batch` first documents, then for each of them one at the end of a path of
/// length 1 or 2 (a positive pair), then for each one drawn uniformly (a negative pair). Depends on (seed, step) alone.
std::vector<std::uint32_t> draw_documents(const Network& network, Sampling sampling, std::size_t batch,
                                          std::uint64_t seed, std::uint64_t step);

/// A training step made ready: who takes part, by document and by word.
struct Batch {
  std::vector<std::uint32_t> begin;  ///< terms of document slot s: terms[begin[s] … begin[s + 1])
  std::vector<Term> terms;           ///< word and its share of the document
  std::vector<WordGradient> words;   ///< each word once, and an end
  std::vector<Term> word_terms;      ///< document slot and the word's share of it

  std::size_t slots() const { return begin.size() - 1; }
  std::size_t word_count() const { return words.size() - 1; }
};

/// Which words of long documents take part in a step: of those with more than `most` different words (0: of none) as
/// many are drawn, evenly over the text, a word as often as it is long there; the mean of what is drawn is the
/// document. Depends on (seed, step) and the batch's documents alone.
struct WordDraw {
  std::size_t most = 0;
  std::uint64_t seed = 0, step = 0;
};

/// Makes batches. One per thread: it holds a table over the vocabulary.
class BatchMaker {
 public:
  /// `inverse_length` holds 1/|X_i| for each document, 0 for an empty one.
  BatchMaker(const Corpus& corpus, std::span<const float> inverse_length);
  void make(std::span<const std::uint32_t> documents, Batch& batch, const WordDraw& draw = {});

 private:
  void add_term(Term term, Batch& batch);
  void add_drawn(std::span<const WordCount> document, std::size_t most, double offset, Batch& batch);

  const Corpus& corpus_;
  std::span<const float> inverse_length_;
  std::vector<std::uint32_t> stamp_;  ///< the batch that a word was last seen in
  std::vector<std::uint32_t> place_;  ///< and where it stands in that batch's words
  std::uint32_t now_ = 0;
};

std::vector<float> inverse_lengths(const CountMatrix& counts);

}  // namespace idne
