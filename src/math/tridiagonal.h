#pragma once

#include <cstddef>
#include <vector>

#include "math/matrix.h"

/// The two halves of the symmetric eigenproblem, on rows padded for math/double_rows.h.
namespace idne {

/// A square matrix whose rows are padded with zeros.
struct PaddedSquare {
  explicit PaddedSquare(std::size_t n);
  double* row(std::size_t i) { return values.data() + i * stride; }
  const double* row(std::size_t i) const { return values.data() + i * stride; }

  std::size_t n, stride;
  std::vector<double> values;
};

/// A symmetric matrix with nothing but a diagonal and its two neighbours.
struct Tridiagonal {
  std::vector<double> diagonal;
  std::vector<double> beside;  ///< beside[k] is between k and k + 1
};

/// A = Qᵀ T Q: returns T, and leaves in `a` what Q is made of: in row k the vector of reflection k, whose factor is
/// factors[k]. Threads share out the rows and meet once per column.
Tridiagonal make_tridiagonal(PaddedSquare& a, std::vector<double>& factors, const Run& run);

/// Q, row by row, from what make_tridiagonal() left.
PaddedSquare reflections_product(const PaddedSquare& reflections, const std::vector<double>& factors, const Run& run);

/// Turns T into its eigenvalues, in no order, and Q's rows into the eigenvectors of A. Whether it came to an end.
bool diagonalise(Tridiagonal& t, PaddedSquare& q, const Run& run);

}  // namespace idne
