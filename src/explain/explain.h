#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "idne/explain.h"

/// What explanations are made of: a text's vector as a sum over its words, cut by topics. In double precision, so that
/// parts add up to the whole.
namespace idne {

/// Σ coefficient · word vector.
std::vector<double> sum_of_terms(MatrixView words, std::span<const WordTerm> terms);

/// D_k for each topic k, one row after the other: Σ attention of k · coefficient · word vector. Their sum is the text's
/// vector. REQUIRES: a model with topics; terms of `counts`.
std::vector<double> topic_views(const Model& model, std::span<const WordCount> counts, std::span<const WordTerm> terms);

/// The product of each term, and of each topic's view, with a vector; the larger in amount first, `top` at most.
std::vector<WordPart> word_parts(MatrixView words, std::span<const WordTerm> terms, std::span<const double> vector,
                                 std::size_t top = SIZE_MAX);
std::vector<TopicPart> topic_parts(std::span<const double> views, std::span<const double> vector);

/// A term with the length of its vector, which bounds its products.
struct BoundedTerm {
  WordTerm term;
  double bound;
};
/// The terms by the lengths of their vectors, longest first, `most` of them: all pairs of two long texts take seconds.
std::vector<BoundedTerm> longest_first(MatrixView words, std::span<const WordTerm> terms, std::size_t most = SIZE_MAX);

/// The pairs of terms whose product is largest in amount, times `scale`. REQUIRES: longest first. Throws Interrupted.
std::vector<WordPair> top_word_pairs(MatrixView words, std::span<const BoundedTerm> a, std::span<const BoundedTerm> b,
                                     std::size_t top, double scale, const Run& run = {});

double product(std::span<const double> a, std::span<const double> b);

}  // namespace idne
