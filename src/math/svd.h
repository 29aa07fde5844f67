#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "idne/run.h"
#include "math/kernels.h"

namespace idne {

/// A sparse matrix, row after row. Entries are {column, value}.
struct SparseRows {
  std::size_t columns = 0;
  std::vector<std::uint64_t> offsets{0};
  std::vector<Term> entries;

  std::size_t rows() const { return offsets.size() - 1; }
  std::span<const Term> row(std::size_t i) const {
    return std::span(entries).subspan(offsets[i], offsets[i + 1] - offsets[i]);
  }
  SparseRows transposed() const;
};

/// The largest singular values of a sparse matrix, falling, and their right singular vectors: column × rank, row after
/// row. Ranks that the matrix does not have are zeros.
struct TruncatedSvd {
  std::vector<float> values;
  std::vector<float> right;
};

/// By random projection and power iterations (Halko, Martinsson, Tropp, 2011). Deterministic, the same at any number of
/// threads; each singular vector's largest entry by size is positive. Singular values below about 1 % of the largest
/// may be left out. Asks run.stopped many times a second, and throws Interrupted
/// when it says so.
TruncatedSvd truncated_svd(const SparseRows& matrix, std::size_t rank, std::uint64_t seed, const Run& run);

/// The space of the right singular vectors of the largest singular values alone, as columns that are orthonormal:
/// column × rank, row after row. Which ones of that space, and how near to the boundary it is right, is not said: it
/// takes a third of the time of truncated_svd(). Ranks that the matrix does not have are zeros.
std::vector<float> right_singular_space(const SparseRows& matrix, std::size_t rank, std::uint64_t seed, const Run& run);

}  // namespace idne
