#pragma once

#include <span>
#include <vector>

#include "idne/matrix.h"
#include "idne/network.h"

/// The network's own view of its documents: a text vector joined with its mean over some hops of neighbours. Twice as
/// wide as the text vector.
///
/// Each half is stretched along the directions in which the documents lie, the more the more of them do, and has unit
/// length: where few documents have labels, the many without tell which directions matter (docs/preset.md).
namespace idne {

/// Rows for 0, 1 … `hops` hops, one below the other: the text vectors at unit length, then each time the means of the
/// rows before over the document itself and its neighbours. (hops + 1) · documents rows.
std::vector<float> neighbour_levels(MatrixView text, const Network& network, std::size_t hops, int threads);

/// The stretch of both halves, one below the other, of the documents' neighbour_levels: G^0.225 for each, where G is
/// the Gram matrix of the half's directions over the documents. Rows are multiplied by it from the left.
std::vector<float> stretch_of_levels(MatrixView levels, std::size_t documents, int threads);

/// The documents' joined vectors, of their neighbour_levels.
std::vector<float> join_levels(MatrixView levels, std::size_t documents, MatrixView stretch, int threads);

/// All three at once.
std::vector<float> join_neighbours(MatrixView text, const Network& network, std::size_t hops, int threads);

/// The joined vector of a new document that has links to `neighbours`, among the documents of `levels`, which are
/// 0 … hops − 1 hops; `text` is its text vector. Without neighbours its mean is its own text vector.
void join_new(MatrixView levels, std::size_t documents, MatrixView stretch, std::span<const float> text,
              std::span<const std::uint32_t> neighbours, std::span<float> out);

}  // namespace idne
