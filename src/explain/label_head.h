#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "idne/corpus.h"
#include "idne/model.h"

/// What turns a document's vector into probabilities of labels: one logistic regression a label against the rest, over
/// vectors at unit length.
namespace idne {

/// The regressions' weights, label × (dimension + 1), a constant last. Learns from the documents that have labels and a
/// vector; a label that all of them have, or fewer than two, gets its frequency alone. Empty if there are not two
/// labels to learn. The result does not depend on run.threads.
std::vector<float> fit_label_head(MatrixView documents, const Lists& labels, std::size_t label_count, const Run& run);

/// Whether no document has several labels, by the offsets of their lists: then the labels' probabilities sum to one.
bool one_label_each(std::span<const std::int64_t> offsets);

/// The probability of each label for a vector. REQUIRES: weights.columns == vector.size() + 1.
std::vector<double> label_probabilities(MatrixView weights, std::span<const float> vector, bool one_label);

}  // namespace idne
