#pragma once

#include <span>

#include "idne/matrix.h"

namespace idne {

/// A matrix, or its transpose, as a factor of a product.
struct Factor {
  MatrixView matrix;
  bool transposed = false;

  std::size_t rows() const { return transposed ? matrix.columns : matrix.rows; }
  std::size_t columns() const { return transposed ? matrix.rows : matrix.columns; }
};

/// out (row after row) = a · b, or out += a · b. Sums run in the order of a's columns with fused multiply-add, so the
/// same input gives the same bits at any number of threads and on every CPU that has it.
/// REQUIRES: a.columns() == b.rows(), out.size() == a.rows() · b.columns(), out overlaps neither factor.
void multiply(const Factor& a, const Factor& b, std::span<float> out, bool add, int threads);

}  // namespace idne
