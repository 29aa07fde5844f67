#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "methods/method.h"
#include "model/saved_state.h"

namespace idne {

class Random;

/// Graph2Gauss (Bojchevski, Günnemann, 2018): a network of one hidden layer turns a document's words into a Gaussian;
/// documents that are fewer links away shall be closer, by the Kullback–Leibler divergence.
const Method& graph2gauss_method();

struct Graph2GaussSettings {
  std::size_t dimensions = 256;
  std::size_t hidden = 512;
  std::size_t hops = 2;
  std::size_t batch = 64;
  double learning_rate = 1e-3;
  double held_out = 0.1;
  std::uint64_t seed = 1;
};

inline constexpr std::uint32_t kNoDocument = UINT32_MAX;

/// What a training round compares: each first document with one at each distance 1 … hops and one farther away.
struct HopRound {
  std::vector<std::uint32_t> anchors;
  std::vector<std::uint32_t> partners;  ///< hops + 1 for each anchor; kNoDocument where none was found

  bool operator==(const HopRound&) const = default;
};

struct DocumentPair {
  std::uint32_t a;
  std::uint32_t b;
};

/// Draws documents by their distance, without listing the links: groups stay groups. Knows for each document up to a
/// few hundred of its neighbours, which it drew beforehand, so as not to take them for farther ones; in denser places
/// some are missed. A share of the links is held out: never drawn as neighbours.
class HopSampler {
 public:
  HopSampler(const Corpus& corpus, const Graph2GaussSettings& settings, const Run& run);

  /// Whether there is anything to learn: documents with words and links.
  bool empty() const { return anchors_.empty(); }
  /// Depends on (seed, round) alone.
  HopRound round(std::uint64_t round) const;
  /// Up to `count` links that are held out, and as many pairs that are no links as far as is known.
  std::vector<DocumentPair> held_out_links(std::size_t count) const;
  std::vector<DocumentPair> unlinked_pairs(std::size_t count) const;

  bool is_held_out(std::uint32_t a, std::uint32_t b) const;
  bool known_neighbours(std::uint32_t a, std::uint32_t b) const;

 private:
  void learn_neighbours(const Run& run);
  std::uint32_t draw_near(std::uint32_t i, std::size_t hops, Random& random) const;
  std::uint32_t draw_far(std::uint32_t i, std::span<const std::uint32_t> nearer, Random& random) const;

  const Corpus& corpus_;
  const Graph2GaussSettings settings_;
  std::vector<std::uint32_t> anchors_;      ///< documents with words and links
  std::vector<std::uint32_t> with_words_;   ///< documents with words
  std::vector<bool> may_lose_;              ///< whether a document has more than one link
  std::vector<std::uint64_t> known_begin_;  ///< neighbours of i: known_[known_begin_[i] … known_begin_[i + 1]), sorted
  std::vector<std::uint32_t> known_;
};

/// All weights, row after row.
struct Graph2GaussParameters {
  std::vector<float> words;          ///< words × hidden
  std::vector<float> hidden_bias;    ///< hidden
  std::vector<float> mean;           ///< hidden × dimensions
  std::vector<float> mean_bias;      ///< dimensions
  std::vector<float> variance;       ///< hidden × dimensions
  std::vector<float> variance_bias;  ///< dimensions
};

/// Uniform after Glorot and Bengio (2010), as the authors start.
Graph2GaussParameters graph2gauss_start(std::size_t words, const Graph2GaussSettings& settings, int threads);

/// A document's row of input is Σ_w count · idf, scaled to unit length.
struct Graph2GaussInput {
  std::vector<float> idf;    ///< of each word
  std::vector<float> scale;  ///< of each document; 0 if it has no words
};
Graph2GaussInput graph2gauss_input(const Corpus& corpus);

/// Hidden layer h = ReLU(x W + b); mean μ = h M + m; variance σ = elu(h V + v) + 1. With the energy
/// E_ij = KL(N_j ‖ N_i), minimises the mean of E_ij² + exp(−E_ik) over the triplets in which j is nearer to i than k,
/// by Adam. Work is cut by documents, words and blocks of dimensions: the same bits at any number of threads.
class Graph2GaussTrainer {
 public:
  Graph2GaussTrainer(const Corpus& corpus, const Graph2GaussSettings& settings, const Graph2GaussParameters& start,
                     int threads);
  ~Graph2GaussTrainer();

  /// One round; returns its loss. A round without triplets changes nothing and has no loss: NaN.
  double advance(const HopRound& round);
  /// The energy of each pair.
  std::vector<double> energies(std::span<const DocumentPair> pairs);

  Graph2GaussParameters parameters() const;

  /// Adds all that the rounds so far have led to; and back into a trainer that has run none.
  void save(SavedState& state) const;
  void restore(const SavedState& state);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace idne
