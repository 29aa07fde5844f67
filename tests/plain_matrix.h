#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace idne {

/// A matrix in double precision with everything written out: what tests compare products and solutions with.
class PlainMatrix {
 public:
  PlainMatrix(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns), values_(rows * columns) {}
  PlainMatrix(std::span<const float> values, std::size_t rows, std::size_t columns) : PlainMatrix(rows, columns) {
    std::copy_n(values.begin(), values_.size(), values_.begin());
  }
  static PlainMatrix identity(std::size_t n) {
    PlainMatrix result(n, n);
    for (std::size_t k = 0; k < n; ++k) result(k, k) = 1;
    return result;
  }

  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  double& operator()(std::size_t r, std::size_t c) { return values_[r * columns_ + c]; }
  double operator()(std::size_t r, std::size_t c) const { return values_[r * columns_ + c]; }
  std::vector<float> floats() const { return {values_.begin(), values_.end()}; }

  PlainMatrix transposed() const {
    PlainMatrix result(columns_, rows_);
    for (std::size_t r = 0; r < rows_; ++r) {
      for (std::size_t c = 0; c < columns_; ++c) result(c, r) = (*this)(r, c);
    }
    return result;
  }
  double trace() const {
    double sum = 0;
    for (std::size_t k = 0; k < rows_; ++k) sum += (*this)(k, k);
    return sum;
  }
  double square_sum() const {
    double sum = 0;
    for (const double x : values_) sum += x * x;
    return sum;
  }
  double largest() const {  ///< by size
    double most = 0;
    for (const double x : values_) most = std::max(most, std::isnan(x) ? INFINITY : std::abs(x));
    return most;
  }
  double row_product(std::size_t a, std::size_t b) const {
    double sum = 0;
    for (std::size_t c = 0; c < columns_; ++c) sum += (*this)(a, c) * (*this)(b, c);
    return sum;
  }
  double row_length(std::size_t r) const { return std::sqrt(row_product(r, r)); }
  void scale_row(std::size_t r, double by) {
    for (std::size_t c = 0; c < columns_; ++c) (*this)(r, c) *= by;
  }

  friend PlainMatrix operator*(const PlainMatrix& a, const PlainMatrix& b) {
    PlainMatrix result(a.rows_, b.columns_);
    for (std::size_t r = 0; r < a.rows_; ++r) {
      for (std::size_t k = 0; k < a.columns_; ++k) {
        for (std::size_t c = 0; c < b.columns_; ++c) result(r, c) += a(r, k) * b(k, c);
      }
    }
    return result;
  }
  friend PlainMatrix operator*(double by, PlainMatrix m) {
    for (double& x : m.values_) x *= by;
    return m;
  }
  friend PlainMatrix operator+(PlainMatrix a, const PlainMatrix& b) {
    for (std::size_t k = 0; k < a.values_.size(); ++k) a.values_[k] += b.values_[k];
    return a;
  }
  friend PlainMatrix operator-(const PlainMatrix& a, const PlainMatrix& b) { return a + (-1.0) * b; }

  /// By Gauss and Jordan, without pivots: for positive definite matrices.
  PlainMatrix inverse() const {
    PlainMatrix left = *this, right = identity(rows_);
    for (std::size_t k = 0; k < rows_; ++k) {
      const double pivot = left(k, k);
      left.scale_row(k, 1 / pivot), right.scale_row(k, 1 / pivot);
      for (std::size_t r = 0; r < rows_; ++r) {
        const double factor = left(r, k);
        if (r == k || factor == 0) continue;
        for (std::size_t c = 0; c < rows_; ++c) {
          left(r, c) -= factor * left(k, c), right(r, c) -= factor * right(k, c);
        }
      }
    }
    return right;
  }

  /// A symmetric matrix without the part that belongs to negative eigenvalues, by Jacobi's rotations.
  PlainMatrix positive_part() const {
    PlainMatrix a = *this, v = identity(rows_);
    for (int sweep = 0; sweep < 60; ++sweep) {
      for (std::size_t p = 0; p < rows_; ++p) {
        for (std::size_t q = p + 1; q < rows_; ++q) {
          if (a(p, q) == 0) continue;
          const double angle = std::atan2(2 * a(p, q), a(q, q) - a(p, p)) / 2, c = std::cos(angle), s = std::sin(angle);
          for (std::size_t k = 0; k < rows_; ++k) {
            const double x = a(k, p), y = a(k, q);
            a(k, p) = c * x - s * y, a(k, q) = s * x + c * y;
          }
          for (std::size_t k = 0; k < rows_; ++k) {
            const double x = a(p, k), y = a(q, k);
            a(p, k) = c * x - s * y, a(q, k) = s * x + c * y;
            const double z = v(k, p), w = v(k, q);
            v(k, p) = c * z - s * w, v(k, q) = s * z + c * w;
          }
        }
      }
    }
    PlainMatrix scaled = v.transposed();
    for (std::size_t k = 0; k < rows_; ++k) scaled.scale_row(k, std::max(0.0, a(k, k)));
    return v * scaled;
  }

 private:
  std::size_t rows_, columns_;
  std::vector<double> values_;
};

}  // namespace idne
