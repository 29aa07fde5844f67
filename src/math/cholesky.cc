#include "math/cholesky.h"

#include <algorithm>
#include <cmath>

#include "math/double_rows.h"
#include "math/parallel.h"

namespace idne {
namespace {

constexpr std::size_t kBlockRows = 96;

/// Rows `first` … of a matrix, columns `begin` … `end`.
PartFactor<double> part(const Matrix& matrix, std::size_t first, std::size_t rows, std::size_t begin, std::size_t end,
                        bool transposed = false) {
  return {matrix.values().data() + first * matrix.columns() + begin, rows, end - begin, matrix.columns(), transposed};
}

/// Rows begin … end of b, less a · b's rows from `first` on.
void subtract(const PartFactor<double>& a, Matrix& b, std::size_t first, std::size_t begin, const Run& run) {
  const Packed<double> known(part(b, first, a.columns(), 0, b.columns()), run);
  known.multiply(a, Into::Subtract, b.row(begin).data(), b.columns(), run);
}

double largest_column_sum(const Matrix& symmetric) {
  double largest = 0;
  for (std::size_t r = 0; r < symmetric.rows(); ++r) {
    double sum = 0;
    for (const double x : symmetric.row(r)) sum += std::abs(x);
    largest = std::max(largest, sum);
  }
  return largest;
}

}  // namespace

Cholesky::Cholesky(Matrix a, const Run& run) : l_(std::move(a)), norm_(largest_column_sum(l_)) {
  const std::size_t n = l_.rows();
  for (std::size_t begin = 0; begin < n && succeeded_; begin += kBlockRows) {
    const std::size_t end = std::min(n, begin + kBlockRows);
    if (begin > 0) {
      const Packed<double> above(part(l_, begin, end - begin, 0, begin, true), run);
      above.multiply(part(l_, begin, n - begin, 0, begin), Into::Subtract, l_.row(begin).data() + begin, n, run);
    }
    succeeded_ = factor_block(begin, end);
    if (succeeded_) finish_rows(begin, end, run);
  }
}

/// The block on the diagonal by itself.
bool Cholesky::factor_block(std::size_t begin, std::size_t end) {
  for (std::size_t r = begin; r < end; ++r) {
    for (std::size_t c = begin; c <= r; ++c) {
      double sum = l_(r, c);
      for (std::size_t k = begin; k < c; ++k) sum -= l_(r, k) * l_(c, k);
      if (c < r) {
        l_(r, c) = sum / l_(c, c);
      } else {
        if (!(sum > 0) || !std::isfinite(sum)) return false;
        l_(r, r) = std::sqrt(sum);
      }
    }
  }
  return true;
}

/// The rows below that block, in its columns.
void Cholesky::finish_rows(std::size_t begin, std::size_t end, const Run& run) {
  constexpr std::size_t kRows = 32;
  const std::size_t below = l_.rows() - end;
  parallel_parts(below < 4 * kRows ? 1 : run.threads, below, kRows, [&](std::size_t first, std::size_t last) {
    for (std::size_t r = end + first; r < end + last; ++r) {
      for (std::size_t c = begin; c < end; ++c) {
        double sum = l_(r, c);
        for (std::size_t k = begin; k < c; ++k) sum -= l_(r, k) * l_(c, k);
        l_(r, c) = sum / l_(c, c);
      }
    }
  });
}

void Cholesky::solve_lower(Matrix& b, const Run& run) const {
  const std::size_t n = l_.rows();
  for (std::size_t begin = 0; begin < n; begin += kBlockRows) {
    const std::size_t end = std::min(n, begin + kBlockRows);
    if (begin > 0) subtract(part(l_, begin, end - begin, 0, begin), b, 0, begin, run);
    for (std::size_t r = begin; r < end; ++r) {
      for (std::size_t k = begin; k < r; ++k) {
        rows::add_scaled(-l_(r, k), b.row(k).data(), b.row(r).data(), b.columns());
      }
      b.scale_row(r, 1 / l_(r, r));
    }
  }
}

void Cholesky::solve_upper(Matrix& b, const Run& run) const {
  const std::size_t n = l_.rows(), blocks = (n + kBlockRows - 1) / kBlockRows;
  for (std::size_t block = blocks; block-- > 0;) {
    const std::size_t begin = block * kBlockRows, end = std::min(n, begin + kBlockRows);
    if (end < n) subtract(part(l_, end, n - end, begin, end, true), b, end, begin, run);
    for (std::size_t r = end; r-- > begin;) {
      for (std::size_t k = r + 1; k < end; ++k) {
        rows::add_scaled(-l_(k, r), b.row(k).data(), b.row(r).data(), b.columns());
      }
      b.scale_row(r, 1 / l_(r, r));
    }
  }
}

Matrix Cholesky::solve(Matrix b, const Run& run) const {
  if (!succeeded_) {
    std::ranges::fill(b.values(), std::nan(""));
    return b;
  }
  solve_lower(b, run);
  solve_upper(b, run);
  return b;
}

Matrix Cholesky::inverse_of_upper(const Run& run) const {
  Matrix b(l_.rows(), l_.rows());
  b.add_to_diagonal(1);
  solve_upper(b, run);
  return b;
}

double Cholesky::reciprocal_condition(const Run& run) const {
  constexpr int kMostTurns = 5;
  const std::size_t n = l_.rows();
  if (n == 0 || !succeeded_) return 0;
  // Climbs to a column of the inverse whose sum is large: the norm is convex, so its gradient leads to a vertex.
  Matrix x(n, 1);
  for (double& value : x.values()) value = 1 / static_cast<double>(n);
  double norm = 0;
  for (int turn = 0; turn < kMostTurns; ++turn) {
    Matrix column = solve(x, run);
    double sum = 0;
    for (double& value : column.values()) {
      sum += std::abs(value);
      value = value < 0 ? -1 : 1;
    }
    norm = std::max(norm, sum);
    const Matrix gradient = solve(std::move(column), run);
    std::size_t best = 0;
    for (std::size_t k = 1; k < n; ++k) {
      if (std::abs(gradient(k, 0)) > std::abs(gradient(best, 0))) best = k;
    }
    if (std::abs(gradient(best, 0)) <= sum_of_products(gradient, x)) break;
    x = Matrix(n, 1);
    x(best, 0) = 1;
  }
  return 1 / (norm * norm_);
}

}  // namespace idne
