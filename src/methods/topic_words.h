#pragma once

#include <cstdint>
#include <vector>

#include "idne/matrix.h"
#include "idne/text.h"
#include "methods/attention.h"

namespace idne {

/// How many words a topic keeps in the order in which it shows them.
inline constexpr std::size_t kRankedTopicWords = 50;

/// For each topic up to kRankedTopicWords words: those with the largest product × √attention × documents^¼, so that a word
/// which several topics share loses, and so does one that hardly occurs. They are put in order by coherence: the word
/// that meets the others most seldom in one document, a small score counting against it, goes last, again and again,
/// until kCoherenceWords are left, the largest first.
std::vector<std::vector<std::uint32_t>> distinctive_words(const CountMatrix& counts, MatrixView words,
                                                          MatrixView topics, Activation activation, int threads);

}  // namespace idne
