#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "math/kernels.h"
#include "methods/cane_layers.h"

namespace idne {

/// All that CANE learns. d dimensions for each of the two halves of a document's vector.
struct CaneParameters {
  std::vector<float> words;      ///< words × d
  std::vector<float> filters;    ///< d × 2d: those of a word, side by side as a pair's first word and as its second
  std::vector<float> attention;  ///< d × d: the A of tanh(P A Qᵀ)
  std::vector<float> structure;  ///< documents × d; used cut to length 1
};

/// What a step learns from: a link and a document that stands for those that are not linked.
struct CaneEdge {
  std::uint32_t from, to, other;
};

/// Weights of the parts of an edge's loss.
struct CaneWeights {
  float text = 1, structure = 0.3f, cross = 0.3f;
};

/// Loss and gradients of a batch of edges. Its memory is kept from batch to batch.
class CaneBatch {
 public:
  CaneBatch(const CaneTexts& texts, std::size_t words, std::size_t dimensions, const CaneWeights& weights);

  /// Sum of the losses of the edges; leaves the gradients. The same bits at any number of threads.
  double run(const CaneParameters& parameters, std::span<const CaneEdge> edges, int threads);

  /// Rows of `words` and of `structure` that have a gradient, each once, and their gradients, row after row.
  std::span<const std::uint32_t> words() const { return words_; }
  std::span<const float> word_gradients() const { return word_gradients_; }
  std::span<const std::uint32_t> documents() const { return documents_; }
  std::span<const float> structure_gradients() const { return structure_gradients_; }
  std::span<const float> filter_gradients() const { return filter_gradients_; }
  std::span<const float> attention_gradients() const { return attention_gradients_; }

 private:
  /// What a thread needs for an edge.
  struct Scratch {
    CaneAttention to, other;
    std::vector<float> from_slopes, to_slopes, other_slopes;
  };

  void lay_out(std::span<const CaneEdge> edges);
  void forward(const CaneParameters& parameters, int threads);
  double edge(std::size_t number, Scratch& scratch);
  void backward(const CaneParameters& parameters, int threads);
  void add_up_structure(const CaneParameters& parameters);
  /// The rows of a slot's positions in a stacked matrix.
  MatrixView slot(const std::vector<float>& stacked, std::size_t number) const;
  std::span<float> slot(std::vector<float>& stacked, std::size_t number) const;

  const CaneTexts& texts_;
  const std::size_t d_;
  const CaneWeights weights_;
  std::vector<Scratch> scratch_;

  /// Slots: the texts of all `from`, then of all `to`, then of all `other`; positions are stacked in that order.
  std::size_t edges_ = 0;
  std::vector<std::uint32_t> slots_;
  std::vector<std::size_t> begin_;                         ///< of a slot's positions, and the end of the last one's
  std::vector<std::uint32_t> words_;                       ///< the distinct words
  std::vector<std::uint32_t> place_;                       ///< of a word in words_
  std::vector<std::uint32_t> first_begin_, second_begin_;  ///< of a word's terms
  std::vector<Term> first_terms_, second_terms_;           ///< positions whose first and whose second word it is

  std::vector<float> vectors_;           ///< of the distinct words
  std::vector<float> filtered_;          ///< their products with the filters
  std::vector<float> positions_;         ///< P, Q … stacked
  std::vector<float> projected_;         ///< P A of all `from`
  std::vector<float> text_, structure_;  ///< vectors of the slots

  std::vector<double> losses_;
  std::vector<float> text_slopes_, structure_slopes_, position_slopes_, projected_slopes_, filtered_slopes_;
  std::vector<float> word_gradients_, filter_gradients_, attention_gradients_, structure_gradients_;
  std::vector<std::uint32_t> documents_;
};

}  // namespace idne
