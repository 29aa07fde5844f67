#pragma once

#include <cstddef>

/// Loops over rows of doubles, for the symmetric eigenproblem and for Cholesky's solutions: compiled for several
/// instruction sets and chosen at run time, as math/kernels.h. The order of sums is fixed: the same bits on every CPU
/// that has fused multiply-add. Lengths are multiples of kLanes, so rows are padded with zeros.
namespace idne::rows {

inline constexpr std::size_t kLanes = 8;

inline std::size_t padded(std::size_t n) { return (n + kLanes - 1) / kLanes * kLanes; }

double dot(const double* a, const double* b, std::size_t n);
/// to += scale · from. Any n.
void add_scaled(double scale, const double* from, double* to, std::size_t n);

/// Rows that are worked on together, `stride` apart.
struct Few {
  static constexpr std::size_t kMaxRows = 4;
  double* first;
  std::size_t stride;
  std::size_t count;  ///< 1 … kMaxRows
};

/// row −= v_i w + w_i v for each row i of `few`, then out_i = row · x.
struct RankTwo {
  const double *v, *w, *x;
  const double *v_of_rows, *w_of_rows;
};
void update_and_multiply(const Few& few, const RankTwo& by, std::size_t n, double* out);

/// row −= scale (row · v) v for each of the rows.
void reflect(const Few& few, double scale, const double* v, std::size_t n);

struct Rotation {
  double cosine, sine;
};
/// Turns row `last` against the one before it by the first rotation, that one against the one before by the second …,
/// each (upper, lower) → (cosine · upper − sine · lower, sine · upper + cosine · lower).
void rotate_upwards(double* last, std::size_t stride, const Rotation* rotations, std::size_t count, std::size_t n);

}  // namespace idne::rows
