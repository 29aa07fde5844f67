#pragma once

#include "math/matrix.h"

namespace idne {

/// A = L Lᵀ for a symmetric positive definite A, block by block: it stops when run.stopped says so, and is the same at
/// any number of threads.
class Cholesky {
 public:
  Cholesky(Matrix a, const Run& run);

  /// Whether A is positive definite, as far as rounding tells. If not, solutions are NaN.
  bool succeeded() const { return succeeded_; }
  /// An estimate of 1 / (|A| |A⁻¹|), in the norm of column sums (Hager, 1984); 0 if A is not positive definite.
  double reciprocal_condition(const Run& run) const;

  /// A⁻¹ b.
  Matrix solve(Matrix b, const Run& run) const;
  /// (Lᵀ)⁻¹: its columns are orthonormal with respect to A. REQUIRES: succeeded().
  Matrix inverse_of_upper(const Run& run) const;

 private:
  bool factor_block(std::size_t begin, std::size_t end);
  void finish_rows(std::size_t begin, std::size_t end, const Run& run);
  void solve_lower(Matrix& b, const Run& run) const;
  void solve_upper(Matrix& b, const Run& run) const;

  Matrix l_;  ///< below the diagonal and on it; what is above means nothing
  double norm_ = 0;
  bool succeeded_ = true;
};

}  // namespace idne
