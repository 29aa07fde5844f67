#pragma once

#include <vector>

#include "math/matrix.h"

namespace idne {

/// The eigenvalues of a symmetric matrix, rising, and their eigenvectors, of unit length and at right angles.
struct SymmetricEigen {
  std::vector<double> values;
  Matrix vectors;  ///< row k belongs to values[k]
};

/// By Householder's tridiagonal form and implicit QL. The same bits at any number of threads. Asks run.stopped many
/// times a second whatever the size, and throws Interrupted when it says so. Numbers that are not finite give NaN.
/// REQUIRES: a is symmetric.
SymmetricEigen symmetric_eigen(const Matrix& a, const Run& run);

/// The directions in which documents with this Gram matrix lie most: the eigenvectors of the `count` largest values,
/// the largest first, as rows, each with its entry that is largest by size positive. REQUIRES: count ≤ gram.rows().
Matrix principal_directions(const Matrix& gram, std::size_t count, const Run& run);

}  // namespace idne
