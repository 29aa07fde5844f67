#pragma once

#include <span>
#include <vector>

#include "idne/model.h"
#include "idne/run.h"
#include "math/placement.h"

namespace idne {

/// What learn_link_weights asks of a model whose documents are spread over processes: for each of a sample of its
/// documents, and for each weight of votes, the reciprocal rank of the first right link, to the bit as one process with
/// all documents finds it. None if too few have words and links. A meeting of all.
std::vector<std::vector<double>> spread_link_ranks(const Model& model, const Placement& spread,
                                                   std::span<const double> weights, const Run& run);

}  // namespace idne
