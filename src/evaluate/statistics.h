#pragma once

#include <optional>

#include "idne/evaluate.h"

namespace idne {

/// Whether there is a mean to print. Takes null.
bool has_figure(const Cell* cell);

/// The cell with the differences of its values to the other's, repeat by repeat: as both meet the same splits, their
/// mean has an interval of its own, which is narrower than those of the two figures. Nothing if there is no repeat that
/// both have figures of.
std::optional<Cell> paired_difference(const Cell& cell, const Cell& reference);
/// The same to the first contestant's figure in the same column. Nothing for its own. REQUIRES: a cell of `evaluation`.
std::optional<Cell> difference_to_first(const Evaluation& evaluation, const Cell& cell);

}  // namespace idne
