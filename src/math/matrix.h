#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "idne/matrix.h"
#include "idne/run.h"
#include "math/dense.h"

/// Small dense matrices in double precision: what is worked out once per model, not once per step. All products stop
/// when run.stopped says so, and are the same at any number of threads.
namespace idne {

/// Row after row; zeros to begin with.
class Matrix {
 public:
  Matrix() = default;
  Matrix(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns), values_(rows * columns) {}
  /// A copy in double precision.
  explicit Matrix(MatrixView floats);

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  double& operator()(std::size_t r, std::size_t c) { return values_[r * columns_ + c]; }
  double operator()(std::size_t r, std::size_t c) const { return values_[r * columns_ + c]; }
  std::span<double> row(std::size_t r) { return {values_.data() + r * columns_, columns_}; }
  std::span<const double> row(std::size_t r) const { return {values_.data() + r * columns_, columns_}; }
  std::span<double> values() { return values_; }
  std::span<const double> values() const { return values_; }

  /// Of a square matrix: the sum of its diagonal, and adding to each element of it.
  double trace() const;
  void add_to_diagonal(double value);
  /// The mean of a square matrix and its transpose.
  void make_symmetric();
  void scale_row(std::size_t r, double by);

  Matrix transposed() const;
  std::vector<float> floats() const;

 private:
  std::size_t rows_ = 0, columns_ = 0;
  std::vector<double> values_;
};

/// A matrix, or its transpose, as the factor of a product.
PartFactor<double> plain(const Matrix& matrix);
PartFactor<double> transposed(const Matrix& matrix);

Matrix product(const PartFactor<double>& a, const PartFactor<double>& b, const Run& run);

/// Σ a_rc b_rc.
double sum_of_products(const Matrix& a, const Matrix& b);

/// aᵀ b, made symmetric. Added up in blocks of rows, each in single precision, so that no long sum of floats loses its
/// small terms. REQUIRES: a and b have the same shape.
Matrix symmetric_product(MatrixView a, MatrixView b, const Run& run);
inline Matrix gram(MatrixView rows, const Run& run) { return symmetric_product(rows, rows, run); }

}  // namespace idne
