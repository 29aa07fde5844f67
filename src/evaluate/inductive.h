#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "evaluate/hidden.h"
#include "methods/method.h"

namespace idne {

/// The vectors of documents that training did not see, from their words that it did.
std::vector<float> embed_hidden(const Collection& collection, std::span<const std::uint32_t> hidden, const Corpus& seen,
                                const Encoder& encoder);

/// The micro AUC of the hidden documents' labels, by a classifier (evaluate/classifier.h) that learns from the seen
/// ones. Rows are those of split.rest and of split.chosen.
double classify_hidden(const Collection& collection, const Split& split, MatrixView seen_rows, MatrixView hidden_rows,
                       std::uint64_t seed, const std::function<bool()>& stopped);

}  // namespace idne
