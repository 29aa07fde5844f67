#include "math/symmetric_eigen.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "math/tridiagonal.h"

namespace idne {
namespace {

SymmetricEigen not_a_number(std::size_t n) {
  SymmetricEigen result{std::vector<double>(n, std::nan("")), Matrix(n, n)};
  for (double& value : result.vectors.values()) value = std::nan("");
  return result;
}

/// The vectors in the order of their values.
SymmetricEigen sorted(const std::vector<double>& values, const PaddedSquare& vectors) {
  const std::size_t n = values.size();
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  SymmetricEigen result{{}, Matrix(n, n)};
  for (std::size_t k = 0; k < n; ++k) {
    result.values.push_back(values[order[k]]);
    std::copy_n(vectors.row(order[k]), n, result.vectors.row(k).begin());
  }
  return result;
}

}  // namespace

SymmetricEigen symmetric_eigen(const Matrix& a, const Run& run) {
  const std::size_t n = a.rows();
  double largest = 0;
  for (const double x : a.values()) {
    if (!std::isfinite(x)) return not_a_number(n);
    largest = std::max(largest, std::abs(x));
  }
  const double scale = largest > 0 ? largest : 1;  // squares of numbers up to 1 do not overflow
  Tridiagonal t;
  PaddedSquare q(0);
  {
    PaddedSquare reduced(n);
    for (std::size_t r = 0; r < n; ++r) {
      std::transform(a.row(r).begin(), a.row(r).end(), reduced.row(r), [&](double x) { return x / scale; });
    }
    std::vector<double> factors;
    t = make_tridiagonal(reduced, factors, run);
    q = reflections_product(reduced, factors, run);
  }
  if (!diagonalise(t, q, run)) return not_a_number(n);
  for (double& value : t.diagonal) value *= scale;
  return sorted(t.diagonal, q);
}

Matrix principal_directions(const Matrix& gram, std::size_t count, const Run& run) {
  const SymmetricEigen eigen = symmetric_eigen(gram, run);
  Matrix directions(count, gram.rows());
  for (std::size_t k = 0; k < count; ++k) {
    const auto vector = eigen.vectors.row(gram.rows() - 1 - k);
    double largest = 0;
    for (const double x : vector) {
      if (std::abs(x) > std::abs(largest)) largest = x;
    }
    for (std::size_t c = 0; c < vector.size(); ++c) directions(k, c) = largest < 0 ? -vector[c] : vector[c];
  }
  return directions;
}

}  // namespace idne
