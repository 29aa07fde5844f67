#include "math/svd.h"

#include <algorithm>
#include <cmath>

#include "math/cholesky.h"
#include "math/dense.h"
#include "math/matrix.h"
#include "math/parallel.h"
#include "math/random.h"
#include "math/symmetric_eigen.h"

namespace idne {
namespace {

constexpr std::size_t kSpare = 32;  // dimensions beyond the rank that is asked for
constexpr int kPowerIterations = 4;
constexpr int kIterationsForSpace = 3;
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
void for_rows(std::size_t rows, const Run& run, Work work) {
  parallel_parts(run.threads, rows, kRowsAtOnce, [&](std::size_t begin, std::size_t end) {
    run.check();
    for (std::size_t i = begin; i < end; ++i) work(i);
  });
}

Tall multiply(const SparseRows& a, const Tall& b, const Run& run) {
  Tall result(a.rows(), b.columns);
  for_rows(a.rows(), run, [&](std::size_t i) {
    const auto row = a.row(i);
    weighted_sum(b.values.data(), b.columns, row.data(), row.size(), b.columns, result.row(i));
  });
  return result;
}

/// Columns of a small factor that are zeros below their first `rows()`.
using Group = Packed<float>;

/// The columns of a small factor that has zeros below its diagonal: in groups, so that they are not multiplied with.
std::vector<Group> upper_groups(const Matrix& u, const Run& run) {
  constexpr std::size_t kColumnsAtOnce = 128;
  const std::vector<float> floats = u.floats();
  std::vector<Group> groups;
  for (std::size_t first = 0; first < u.columns(); first += kColumnsAtOnce) {
    const std::size_t count = std::min(kColumnsAtOnce, u.columns() - first);
    groups.emplace_back(PartFactor<float>{floats.data() + first, first + count, count, u.columns()}, run);
  }
  return groups;
}

/// A small matrix's transpose, as a factor.
Group transposed_group(const Matrix& b, const Run& run) {
  const std::vector<float> floats = b.floats();
  return Group({floats.data(), b.rows(), b.columns(), b.columns(), true}, run);
}

/// a · b in place of a, for a square b: a second matrix as tall as a would be the most that a training ever holds.
void multiply_in_place(Tall& a, const std::vector<Group>& b, const Run& run) {
  constexpr std::size_t kRows = 8192;
  std::vector<float> some(std::min(kRows, a.rows) * a.columns);
  for (std::size_t begin = 0; begin < a.rows; begin += kRows) {
    const std::size_t rows = std::min(kRows, a.rows - begin);
    float* out = some.data();
    for (const Group& group : b) {
      group.multiply({a.row(begin), rows, group.rows(), a.columns}, Into::Place, out, a.columns, run);
      out += group.columns();
    }
    std::copy_n(some.data(), rows * a.columns, a.row(begin));
  }
}

/// Below this a value of a Gram matrix is rounding.
double rounding(const std::vector<double>& values) { return 1e-10 * std::max(values.back(), 1e-300); }

/// An orthonormal basis of a's columns, in their place; directions that a does not have are zero columns.
void make_orthonormal(Tall& a, const Run& run) {
  const Matrix square = gram(a.view(), run);
  // By Cholesky where the columns are independent enough, which is many times faster than by eigenvectors.
  const Cholesky cholesky(square, run);
  if (cholesky.reciprocal_condition(run) > 1e-7) {
    return multiply_in_place(a, upper_groups(cholesky.inverse_of_upper(run), run), run);
  }
  SymmetricEigen eigen = symmetric_eigen(square, run);
  for (std::size_t k = 0; k < a.columns; ++k) {
    const double value = eigen.values[k];
    eigen.vectors.scale_row(k, value > rounding(eigen.values) ? 1 / std::sqrt(value) : 0);
  }
  std::vector<Group> whole;
  whole.push_back(transposed_group(eigen.vectors, run));
  multiply_in_place(a, whole, run);
}

/// A basis of about the space of the largest right singular vectors, the better the more iterations.
Tall right_space(const SparseRows& matrix, const SparseRows& transposed, std::size_t width, int iterations,
                 std::uint64_t seed, const Run& run) {
  Tall directions(matrix.columns, width);
  for_rows(matrix.columns, run, [&](std::size_t c) {
    Random random(seed, Purpose::Svd, c);
    // Even numbers between −1 and 1 lose nothing beside normal ones, and two of them cost half of one of those.
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < width; ++k, bits >>= 16) {
      if (k % 2 == 0) bits = random.bits32();
      directions.row(c)[k] = static_cast<float>(static_cast<std::int16_t>(bits & 0xffff)) * 0x1p-15f;
    }
  });
  for (int iteration = 0; iteration < iterations; ++iteration) {
    Tall product = multiply(matrix, directions, run);
    directions = Tall(0, 0);  // the widest matrices: as few of them at once as can be
    directions = multiply(transposed, product, run);
    product = Tall(0, 0);
    make_orthonormal(directions, run);
  }
  return directions;
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
  TruncatedSvd result{std::vector<float>(rank), {}};
  const SparseRows transposed = matrix.transposed();
  const std::size_t width = std::min({rank + kSpare, matrix.rows(), matrix.columns});
  if (width == 0) {
    result.right.resize(matrix.columns * rank);
    return result;
  }
  Tall directions = right_space(matrix, transposed, width, kPowerIterations, seed, run);
  Tall basis = multiply(matrix, directions, run);
  directions = Tall(0, 0);
  make_orthonormal(basis, run);
  const Tall projected = multiply(transposed, basis, run);  // column × width: Aᵀ Q
  const SymmetricEigen eigen = symmetric_eigen(gram(projected.view(), run), run);

  const std::size_t kept = std::min(rank, width);
  Matrix turn(kept, width);
  for (std::size_t k = 0; k < kept; ++k) {
    const std::size_t from = width - 1 - k;  // the values rise
    const double square = eigen.values[from];
    if (!(square > rounding(eigen.values))) break;
    result.values[k] = static_cast<float>(std::sqrt(square));
    std::ranges::copy(eigen.vectors.row(from), turn.row(k).begin());
    turn.scale_row(k, 1 / std::sqrt(square));
  }
  result.right.resize(matrix.columns * rank);
  transposed_group(turn, run).multiply({projected.values.data(), projected.rows, width, width}, Into::Place,
                                       result.right.data(), rank, run);
  for (std::size_t k = 0; k < kept; ++k) {
    float largest = 0;
    for (std::size_t c = 0; c < matrix.columns; ++c) {
      if (std::abs(result.right[c * rank + k]) > std::abs(largest)) largest = result.right[c * rank + k];
    }
    if (!(largest < 0)) continue;
    for (std::size_t c = 0; c < matrix.columns; ++c) result.right[c * rank + k] = -result.right[c * rank + k];
  }
  return result;
}

std::vector<float> right_singular_space(const SparseRows& matrix, std::size_t rank, std::uint64_t seed,
                                        const Run& run) {
  const std::size_t width = std::min({rank, matrix.rows(), matrix.columns});
  if (width == 0) return std::vector<float>(matrix.columns * rank);
  Tall space = right_space(matrix, matrix.transposed(), width, kIterationsForSpace, seed, run);
  if (width == rank) return std::move(space.values);
  std::vector<float> result(matrix.columns * rank);
  for (std::size_t c = 0; c < matrix.columns; ++c) std::copy_n(space.row(c), width, result.data() + c * rank);
  return result;
}

}  // namespace idne
