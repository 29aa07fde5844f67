#pragma once

#include <vector>

#include "math/svd.h"
#include "methods/method.h"

namespace idne {

/// Latent semantic analysis: tf-idf (count / length · ln(N / df), rows to unit length) and a truncated SVD.
const Method& lsa_method();

/// ln(N / documents with the word) of each word.
std::vector<double> inverse_document_frequency(const CountMatrix& counts, std::size_t words);
/// count · idf, rows to unit length.
SparseRows tf_idf(const CountMatrix& counts, const std::vector<double>& idf);

/// LSA's word vectors, word × dimension, of documents over `words` words: the right singular vectors times idf. The sum
/// over a document's words of count / length · vector is its LSA vector, but for its length.
std::vector<float> lsa_word_vectors(const CountMatrix& counts, std::size_t words, std::size_t dimensions,
                                    std::uint64_t seed, const Run& run);
/// The same turned in a way that is not said, and less exact in the least of its dimensions, in a third of the time:
/// products between documents are LSA's.
std::vector<float> lsa_words_turned(const CountMatrix& counts, std::size_t words, std::size_t dimensions,
                                    std::uint64_t seed, const Run& run);

}  // namespace idne
