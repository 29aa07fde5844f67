#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace idne {

/// Singular values, falling, and right singular vectors (vectors[k] belongs to values[k]).
struct DenseSvd {
  std::vector<double> values;
  std::vector<std::vector<double>> vectors;
};

/// The plain twin of truncated_svd: one-sided Jacobi rotations (Hestenes, 1958) of the columns until all are at right
/// angles. Each vector's largest entry is positive; that of a zero value is arbitrary.
inline DenseSvd dense_svd(std::vector<std::vector<double>> a) {
  const std::size_t rows = a.size(), columns = rows ? a[0].size() : 0;
  std::vector<std::vector<double>> turn(columns, std::vector<double>(columns));  // turn[row][column]
  for (std::size_t c = 0; c < columns; ++c) turn[c][c] = 1;
  const auto product = [&](std::size_t p, std::size_t q) {
    double sum = 0;
    for (std::size_t r = 0; r < rows; ++r) sum += a[r][p] * a[r][q];
    return sum;
  };
  for (int sweep = 0; sweep < 60; ++sweep) {
    bool done = true;
    for (std::size_t p = 0; p < columns; ++p) {
      for (std::size_t q = p + 1; q < columns; ++q) {
        const double pp = product(p, p), qq = product(q, q), pq = product(p, q);
        if (std::abs(pq) <= 1e-14 * std::sqrt(pp * qq) || std::abs(pq) < 1e-280) continue;
        done = false;
        const double zeta = (qq - pp) / (2 * pq);
        const double tangent = (zeta < 0 ? -1 : 1) / (std::abs(zeta) + std::sqrt(1 + zeta * zeta));
        const double cosine = 1 / std::sqrt(1 + tangent * tangent), sine = cosine * tangent;
        for (auto* m : {&a, &turn}) {
          for (auto& row : *m) {
            const double x = row[p], y = row[q];
            row[p] = cosine * x - sine * y;
            row[q] = sine * x + cosine * y;
          }
        }
      }
    }
    if (done) break;
  }
  std::vector<std::size_t> order(columns);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t p, std::size_t q) { return product(p, p) > product(q, q); });
  DenseSvd result;
  for (const std::size_t c : order) {
    result.values.push_back(std::sqrt(product(c, c)));
    std::vector<double> vector(columns);
    double largest = 0;
    for (std::size_t r = 0; r < columns; ++r) {
      vector[r] = turn[r][c];
      if (std::abs(vector[r]) > std::abs(largest)) largest = vector[r];
    }
    if (largest < 0) {
      for (double& x : vector) x = -x;
    }
    result.vectors.push_back(std::move(vector));
  }
  return result;
}

}  // namespace idne
