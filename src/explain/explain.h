#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "idne/explain.h"

/// What explanations are made of: a text's vector as a sum over its words, cut by topics. In double precision, so that
/// parts add up to the whole.
namespace idne {

/// A text's vector is Σ coefficient · word vector.
struct WordTerm {
  std::uint32_t word;
  double coefficient;
};

/// Nothing if the method's vectors are no such sums. Words without attention have no term.
std::optional<std::vector<WordTerm>> word_terms(const Model& model, std::span<const WordCount> counts);

/// Σ coefficient · word vector.
std::vector<double> sum_of_terms(MatrixView words, std::span<const WordTerm> terms);

/// D_k for each topic k, one row after the other: Σ attention of k · coefficient · word vector. Their sum is the text's
/// vector. REQUIRES: a model with topics; terms of `counts`.
std::vector<double> topic_views(const Model& model, std::span<const WordCount> counts, std::span<const WordTerm> terms);

/// The product of each term, and of each topic's view, with a vector; the larger in amount first.
std::vector<WordPart> word_parts(MatrixView words, std::span<const WordTerm> terms, std::span<const double> vector);
std::vector<TopicPart> topic_parts(std::span<const double> views, std::span<const double> vector);

/// The pairs of terms whose product is largest in amount, times `scale`.
std::vector<WordPair> top_word_pairs(MatrixView words, std::span<const WordTerm> a, std::span<const WordTerm> b,
                                     std::size_t top, double scale);

double product(std::span<const double> a, std::span<const double> b);

}  // namespace idne
