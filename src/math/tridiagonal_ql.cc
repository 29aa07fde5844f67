#include <algorithm>
#include <cmath>
#include <limits>

#include "math/double_rows.h"
#include "math/parallel.h"
#include "math/tridiagonal.h"

namespace idne {
namespace {

using rows::Rotation;

/// √(x² + y²), without underflow.
double length(double x, double y) {
  const double square = x * x + y * y;
  return square > 1e-280 ? std::sqrt(square) : std::hypot(x, y);
}

/// Implicit QL with Wilkinson's shift (Golub and Van Loan, section 8.3), one sweep of rotations at a time.
class Sweeps {
 public:
  explicit Sweeps(Tridiagonal& t) : d_(t.diagonal), e_(t.beside), sweeps_left_(30 * d_.size()) {}

  /// The next sweep's rotations are added to the list, that of the last rows first; returns the last of these rows.
  /// False when the matrix is diagonal, or was swept too often.
  bool next(std::vector<Rotation>& rotations, std::size_t& last) {
    while (first_ < d_.size() && small(first_)) ++first_;
    if (first_ >= d_.size() || sweeps_left_ == 0) return false;
    --sweeps_left_;
    last = first_ + 1;
    while (!small(last)) ++last;
    sweep(rotations, last);
    return true;
  }
  bool finished() const { return first_ >= d_.size(); }

 private:
  /// Whether there is nothing between k and k + 1, up to rounding.
  bool small(std::size_t k) const {
    if (k + 1 >= d_.size()) return true;
    const double size = std::abs(d_[k]) + std::abs(d_[k + 1]);
    return std::abs(e_[k]) <= std::numeric_limits<double>::epsilon() * size ||
           std::abs(e_[k]) < std::numeric_limits<double>::min();
  }

  void sweep(std::vector<Rotation>& rotations, std::size_t last) {
    const double apart = (d_[first_ + 1] - d_[first_]) / (2 * e_[first_]);
    const double root = length(apart, 1);
    double g = d_[last] - d_[first_] + e_[first_] / (apart + (apart < 0 ? -root : root));
    double sine = 1, cosine = 1, moved = 0;
    for (std::size_t i = last; i-- > first_;) {
      const double f = sine * e_[i], b = cosine * e_[i], r = length(f, g);
      e_[i + 1] = r;
      if (r == 0) {  // it fell apart early: the rest stays as it is
        d_[i + 1] -= moved;
        e_[last] = 0;
        return;
      }
      sine = f / r;
      cosine = g / r;
      g = d_[i + 1] - moved;
      const double turned = (d_[i] - g) * sine + 2 * cosine * b;
      moved = sine * turned;
      d_[i + 1] = g + moved;
      g = cosine * turned - b;
      rotations.push_back({cosine, sine});
    }
    d_[first_] -= moved;
    e_[first_] = g;
    e_[last] = 0;
  }

  std::vector<double>&d_, &e_;
  std::size_t first_ = 0;
  std::size_t sweeps_left_;
};

struct Sweep {
  std::size_t last_row, first_rotation, end;
};

}  // namespace

bool diagonalise(Tridiagonal& t, PaddedSquare& q, const Run& run) {
  // Sweeps are found one after the other, and applied many at a time, each thread to columns of its own, of which so
  // many are in a core's cache together.
  constexpr std::size_t kSweepsAtOnce = 64, kRotationsAtOnce = std::size_t{1} << 18, kColumns = 32;
  Sweeps source(t);
  std::vector<Rotation> rotations;
  std::vector<Sweep> sweeps;
  do {
    run.check();
    rotations.clear();
    sweeps.clear();
    std::size_t last = 0;
    while (sweeps.size() < kSweepsAtOnce && rotations.size() < kRotationsAtOnce) {
      const std::size_t begin = rotations.size();
      if (!source.next(rotations, last)) break;
      sweeps.push_back({last, begin, rotations.size()});
    }
    const int threads = rotations.size() * q.stride < (std::size_t{1} << 18) ? 1 : run.threads;
    parallel_parts(threads, q.stride, kColumns, [&](std::size_t begin, std::size_t end) {
      run.check();
      for (const Sweep& sweep : sweeps) {
        rows::rotate_upwards(q.row(sweep.last_row) + begin, q.stride, rotations.data() + sweep.first_rotation,
                             sweep.end - sweep.first_rotation, end - begin);
      }
    });
  } while (!sweeps.empty());
  return source.finished();
}

}  // namespace idne
