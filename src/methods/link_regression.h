#pragma once

#include <cstdint>
#include <vector>

#include "corpus/corpus.h"
#include "idne/run.h"

namespace idne {

/// How many documents word vectors are started from at most.
inline constexpr std::size_t kStartDocuments = 32768;

/// Word vectors, word × dimension, that hold the text and the links at once, without a step of training.
///
/// Z are the documents' LSA vectors at unit length, twice as many dimensions as asked for. The links are predicted from
/// pairs of them by least squares: the B that minimises Σ_ij (A_ij − z_i B z_j)² with a ridge is R⁻¹ (Zᵀ A Z) R⁻¹ with
/// R = ZᵀZ + ridge, and costs O(documents · dimensions²). Two documents are then as alike as their texts and their
/// predicted links together say, z_i ((1 − share) I + share · B) z_j; the principal dimensions of that are kept.
/// `share` is between 0, the text alone, and 1, the links alone.
///
/// Of more than `most_documents` an even sample is looked at, and some neighbours of each: time and memory do not grow
/// any more. A word that the sample lacks gets zeros.
std::vector<float> link_regression_words(const Corpus& corpus, std::size_t dimensions, double share, std::uint64_t seed,
                                         const Run& run, std::size_t most_documents = kStartDocuments);

}  // namespace idne
