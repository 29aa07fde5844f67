#pragma once

#include <cstdint>
#include <vector>

#include "idne/text.h"

namespace idne {

/// Document-level NPMI: for each list of words the mean over its pairs of
/// ln(p(a,b) / p(a)p(b)) / −ln p(a,b), with probabilities counted over all documents; −1 for a pair that never meets.
/// A list with fewer than two words gets 0.
std::vector<double> npmi(const CountMatrix& documents, const std::vector<std::vector<std::uint32_t>>& lists);

/// The share of distinct words among all words of the lists.
double diversity(const std::vector<std::vector<std::uint32_t>>& lists);

}  // namespace idne
