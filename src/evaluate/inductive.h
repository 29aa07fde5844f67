#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "evaluate/hidden.h"
#include "methods/method.h"

namespace idne {

/// The vectors of documents that training did not see, from their words that it did.
std::vector<float> embed_hidden(const Collection& collection, std::span<const std::uint32_t> hidden, const Corpus& seen,
                                const Encoder& encoder);

/// What was learned, and from which documents.
struct Seen {
  const Model& model;
  const Corpus& corpus;
  const Encoder& encoder;
};

/// The micro AUC of the hidden documents' labels, by a classifier (evaluate/classifier.h) that learns from vectors of
/// the seen ones that are of the form of theirs: made from texts alone. `hidden_rows` are those of split.chosen.
double classify_hidden(const Collection& collection, const Split& split, const Seen& seen, MatrixView hidden_rows,
                       std::uint64_t seed, const Run& run);

}  // namespace idne
