#pragma once

#include <vector>

#include "idne/run.h"

namespace idne {

/// For each row of a matrix, row after row, a column of its own, so that the sum of the entries is largest: the
/// Hungarian method, O(rows² · columns). REQUIRES: at least as many columns as rows.
std::vector<std::size_t> best_matching(const std::vector<double>& values, std::size_t columns, const Run& run = {});

}  // namespace idne
