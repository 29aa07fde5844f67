#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corpus/corpus.h"
#include "math/kernels.h"
#include "math/random.h"
#include "network/simrank.h"

namespace idne {

/// How positive pairs are drawn: from a document drawn uniformly (Node), or from all paths alike (Path). Near is Node
/// with half of the pairs linked: where documents have many links, there are far more paths of length 2 than of 1.
enum class Sampling { Near, Node, Path };

/// What makes two documents alike, Δ: the paths of length 1 and 2 between them (Paths), personalised PageRank (Ppr), or
/// SimRank. With the last two the first document of a pair is drawn uniformly, and the other is never the same, unless
/// nobody else is like it.
enum class Similarity { Paths, Ppr, SimRank };
/// Probability that a walk for Ppr takes one more hop, before each: PageRank's damping.
inline constexpr double kPprGoesOn = 0.85;

/// How the documents of a training step are drawn: `batch` first documents, then for each of them one at the end of a
/// path of length 1 or 2 (a positive pair), then for each one drawn uniformly (a negative pair). Depends on (seed,
/// step) alone; every pair has random numbers of its own.
struct PairDraws {
  Sampling sampling;
  std::size_t batch;
  std::uint64_t seed;
  Similarity similarity = Similarity::Paths;
  const SimRankSamples* simrank = nullptr;  ///< for that similarity

  std::vector<std::uint32_t> documents(const Network& network, std::uint64_t step) const;
  /// The same for steps first … last − 1 where documents are spread over processes: each draws from those that it has,
  /// and all learn what was drawn. A meeting of all. REQUIRES: similarity is Paths.
  std::vector<std::vector<std::uint32_t>> documents_of_all(const Network& network, std::uint64_t first,
                                                           std::uint64_t last) const;

 private:
  Random random_of(std::uint64_t step, std::size_t n) const;
  bool linked(const Network& network, std::uint32_t i, Random& random) const;
  std::uint32_t like(const Network& network, std::uint32_t i, Random& random) const;
};

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
  /// `inverse_length` holds 1/|X_i| for each row of `counts`, 0 for an empty one. Both may have others by the next
  /// batch.
  BatchMaker(const CountMatrix& counts, std::size_t words, const std::vector<float>& inverse_length);
  void make(std::span<const std::uint32_t> rows, Batch& batch, const WordDraw& draw = {});

 private:
  void add_term(Term term, Batch& batch);
  void add_drawn(std::span<const WordCount> document, std::size_t most, double offset, Batch& batch);

  const CountMatrix& counts_;
  const std::vector<float>& inverse_length_;
  std::vector<std::uint32_t> stamp_;  ///< the batch that a word was last seen in
  std::vector<std::uint32_t> place_;  ///< and where it stands in that batch's words
  std::uint32_t now_ = 0;
};

std::vector<float> inverse_lengths(const CountMatrix& counts);

}  // namespace idne
