#include "math/svd.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "math/dense.h"
#include "math/parallel.h"
#include "math/random.h"

namespace idne {
namespace {

constexpr std::size_t kSpare = 32;  // dimensions beyond the rank that is asked for
constexpr int kPowerIterations = 4;
constexpr std::size_t kRowsAtOnce = 64;

/// A tall dense matrix, row after row.
struct Tall {
  std::size_t rows, columns;
  std::vector<float> values;
  Tall(std::size_t rows, std::size_t columns) : rows(rows), columns(columns), values(rows * columns) {}
  float* row(std::size_t i) { return values.data() + i * columns; }
  const float* row(std::size_t i) const { return values.data() + i * columns; }
  MatrixView view() const { return {values.data(), rows, columns}; }
};

template <class Work>
void for_rows(std::size_t rows, int threads, Work work) {
  parallel_parts(threads, rows, kRowsAtOnce, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) work(i);
  });
}

Tall multiply(const SparseRows& a, const Tall& b, int threads) {
  Tall result(a.rows(), b.columns);
  for_rows(a.rows(), threads, [&](std::size_t i) {
    const auto row = a.row(i);
    weighted_sum(b.values.data(), b.columns, row.data(), row.size(), b.columns, result.row(i));
  });
  return result;
}

/// result = a · b for a small b (row after row).
Tall multiply(const Tall& a, const std::vector<float>& b, std::size_t columns, int threads) {
  Tall result(a.rows, columns);
  multiply(Factor{a.view()}, Factor{{b.data(), a.columns, columns}}, result.values, false, threads);
  return result;
}

/// aᵀ a, added up in blocks of rows so that no long sum of floats loses its small terms.
Eigen::MatrixXd gram(const Tall& a, int threads) {
  constexpr std::size_t kBlockRows = 1024;
  const auto size = static_cast<Eigen::Index>(a.columns);
  std::vector<float> part(a.columns * a.columns);
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(size, size);
  for (std::size_t begin = 0; begin < a.rows; begin += kBlockRows) {
    const MatrixView rows{a.row(begin), std::min(kBlockRows, a.rows - begin), a.columns};
    multiply(Factor{rows, true}, Factor{rows}, part, false, threads);
    result += Eigen::Map<const Eigen::MatrixXf>(part.data(), size, size).cast<double>();
  }
  return (result + result.transpose()) / 2;
}

std::vector<float> row_major(const Eigen::MatrixXd& m) {
  std::vector<float> values;
  for (Eigen::Index r = 0; r < m.rows(); ++r) {
    for (Eigen::Index c = 0; c < m.cols(); ++c) values.push_back(static_cast<float>(m(r, c)));
  }
  return values;
}

/// An orthonormal basis of a's columns; directions that a does not have are zero columns.
Tall orthonormal(const Tall& a, int threads) {
  const Eigen::MatrixXd square = gram(a, threads);
  // By Cholesky where the columns are independent enough, which is a hundred times faster than by eigenvectors.
  const Eigen::LLT<Eigen::MatrixXd> cholesky(square);
  if (cholesky.info() == Eigen::Success && cholesky.rcond() > 1e-7) {
    const auto size = square.rows();
    return multiply(a, row_major(cholesky.matrixU().solve(Eigen::MatrixXd::Identity(size, size))), a.columns, threads);
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(square);
  const double floor = 1e-10 * std::max(eigen.eigenvalues().maxCoeff(), 1e-300);
  const Eigen::VectorXd scale =
      eigen.eigenvalues().unaryExpr([&](double v) { return v > floor ? 1 / std::sqrt(v) : 0.0; });
  return multiply(a, row_major(eigen.eigenvectors() * scale.asDiagonal()), a.columns, threads);
}

}  // namespace

SparseRows SparseRows::transposed() const {
  SparseRows result;
  result.columns = rows();
  result.offsets.assign(columns + 1, 0);
  for (const Term& entry : entries) ++result.offsets[entry.row + 1];
  for (std::size_t c = 0; c < columns; ++c) result.offsets[c + 1] += result.offsets[c];
  result.entries.resize(entries.size());
  std::vector<std::uint64_t> next(result.offsets.begin(), result.offsets.end() - 1);
  for (std::size_t i = 0; i < rows(); ++i) {
    for (const Term& entry : row(i)) result.entries[next[entry.row]++] = {static_cast<std::uint32_t>(i), entry.weight};
  }
  return result;
}

TruncatedSvd truncated_svd(const SparseRows& matrix, std::size_t rank, std::uint64_t seed, const Run& run) {
  const int threads = run.threads;
  TruncatedSvd result{std::vector<float>(rank), std::vector<float>(matrix.columns * rank)};
  const SparseRows transposed = matrix.transposed();
  const std::size_t width = std::min({rank + kSpare, matrix.rows(), matrix.columns});
  if (width == 0) return result;
  Tall directions(matrix.columns, width);
  for_rows(matrix.columns, threads, [&](std::size_t c) {
    Random random(seed, Purpose::Svd, c);
    for (std::size_t k = 0; k < width; ++k) directions.row(c)[k] = random.truncated_normal();
  });
  for (int iteration = 0; iteration < kPowerIterations; ++iteration) {
    run.check();
    const Tall images = multiply(matrix, directions, threads);
    run.check();
    directions = multiply(transposed, images, threads);
    run.check();
    directions = orthonormal(directions, threads);
  }
  run.check();
  const Tall basis = orthonormal(multiply(matrix, directions, threads), threads);
  const Tall projected = multiply(transposed, basis, threads);  // column × width: Aᵀ Q
  run.check();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(gram(projected, threads));

  const std::size_t kept = std::min(rank, width);
  Eigen::MatrixXd turn = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(width), static_cast<Eigen::Index>(kept));
  const double floor = 1e-10 * std::max(eigen.eigenvalues().maxCoeff(), 1e-300);
  for (std::size_t k = 0; k < kept; ++k) {
    const auto from = static_cast<Eigen::Index>(width - 1 - k);  // Eigen sorts upwards
    const double square = eigen.eigenvalues()[from];
    if (square <= floor) break;
    result.values[k] = static_cast<float>(std::sqrt(square));
    turn.col(static_cast<Eigen::Index>(k)) = eigen.eigenvectors().col(from) / std::sqrt(square);
  }
  Tall right = multiply(projected, row_major(turn), kept, threads);
  for (std::size_t k = 0; k < kept; ++k) {
    float largest = 0;
    for (std::size_t c = 0; c < right.rows; ++c) {
      if (std::abs(right.row(c)[k]) > std::abs(largest)) largest = right.row(c)[k];
    }
    for (std::size_t c = 0; c < right.rows; ++c) {
      result.right[c * rank + k] = largest < 0 ? -right.row(c)[k] : right.row(c)[k];
    }
  }
  return result;
}

}  // namespace idne
