#pragma once

#include <span>
#include <vector>

#include "idne/matrix.h"
#include "idne/network.h"

/// The network's own view of its documents: a text vector, at unit length, joined with the mean over some hops of
/// neighbours, at unit length. Twice as wide as the text vector.
namespace idne {

/// Rows for 0, 1 … `hops` hops, one below the other: the text vectors at unit length, then each time the means of the
/// rows before over the document itself and its neighbours. (hops + 1) · documents rows.
std::vector<float> neighbour_levels(MatrixView text, const Network& network, std::size_t hops, int threads);

/// The documents' joined vectors, of their neighbour_levels.
std::vector<float> join_levels(MatrixView levels, std::size_t documents);

/// Both at once.
std::vector<float> join_neighbours(MatrixView text, const Network& network, std::size_t hops, int threads);

/// The joined vector of a new document that has links to `neighbours`, among the documents of `levels`, which are
/// 0 … hops − 1 hops; `text` is its text vector. Without neighbours its mean is its own text vector.
void join_new(MatrixView levels, std::size_t documents, std::span<const float> text,
              std::span<const std::uint32_t> neighbours, std::span<float> out);

}  // namespace idne
