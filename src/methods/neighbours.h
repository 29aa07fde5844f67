#pragma once

#include <span>
#include <vector>

#include "idne/model.h"
#include "idne/network.h"

namespace idne {

/// The network's own view of its documents: each text vector, at unit length, joined with its mean over `hops` hops of
/// neighbours, itself included, at unit length. Twice as wide as `text`.
std::vector<float> join_neighbours(MatrixView text, const Network& network, std::size_t hops, int threads);

}  // namespace idne
