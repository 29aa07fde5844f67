#include "math/tridiagonal.h"

#include <algorithm>
#include <cmath>

#include "math/crew.h"
#include "math/double_rows.h"
#include "math/parallel.h"

namespace idne {
namespace {

/// The first of the padded columns that begin before column k or at it.
std::size_t aligned(std::size_t k) { return k / rows::kLanes * rows::kLanes; }

/// Numbers that a thread works on between two questions whether to stop: a millisecond's work.
constexpr std::size_t kWorkBetweenChecks = std::size_t{1} << 20;
/// Rows for which it pays to have one more thread: with fewer, they meet more often than they work.
constexpr std::size_t kRowsPerThread = 512;
/// Rows for which it pays to have more than one where they need not meet.
constexpr std::size_t kWorthThreads = 128;

/// Householder's reduction, as one thread of several does it. Each column's reflection makes one update of rank two,
/// which is put off until the rows are read again for the next one: each row is then read and written once per column.
class Reduction {
 public:
  /// What the threads share: the matrix, of which each updates its own rows, and products with the vector, of which
  /// there are two sets, because a fast thread may be one column ahead.
  struct Shared {
    PaddedSquare& a;
    std::vector<double>& factors;
    Tridiagonal& result;
    std::vector<double> products[2];
    Crew crew;
  };

  Reduction(Shared& shared, std::size_t thread, std::size_t threads, const Run& run)
      : shared_(shared), thread_(thread), threads_(threads), run_(run), n_(shared.a.n) {
    for (auto* vector : {&v_, &w_, &next_, &column_}) vector->resize(shared.a.stride);
  }

  Work run() {
    for (std::size_t k = 0; k < n_; ++k) {
      if (thread_ == 0) run_.check();
      take_column(k);
      if (k + 2 >= n_) continue;
      const double factor = choose_vector(k);
      update_rows(k, shared_.products[k % 2]);
      co_await shared_.crew.meet(thread_);
      reflect(k, factor);
    }
  }

 private:
  /// Column k as the last reflection leaves it. Every thread does this for itself.
  void take_column(std::size_t k) {
    const double* row = shared_.a.row(k);
    const double v = v_[k], w = w_[k];
    std::fill(column_.begin(), column_.end(), 0.0);
    for (std::size_t j = k; j < n_; ++j) column_[j] = row[j] - (v * w_[j] + w * v_[j]);
    if (thread_ != 0) return;
    shared_.result.diagonal[k] = column_[k];
    if (k + 1 < n_) shared_.result.beside[k] = column_[k + 1];
  }

  /// When all products are there.
  void reflect(std::size_t k, double factor) {
    const std::vector<double>& products = shared_.products[k % 2];
    if (thread_ == 0) {  // nobody reads row k any more
      std::copy(next_.begin(), next_.end(), shared_.a.row(k));
      shared_.factors[k] = factor;
    }
    // w = factor · p − (factor / 2 · w·v) v, so that A − v wᵀ − w vᵀ is the reflected matrix.
    const std::size_t first = aligned(k + 1), size = w_.size() - first;
    v_.swap(next_);
    std::fill(w_.begin(), w_.begin() + static_cast<std::ptrdiff_t>(k + 1), 0.0);
    for (std::size_t j = k + 1; j < n_; ++j) w_[j] = factor * products[j];
    const double half = factor / 2 * rows::dot(w_.data() + first, v_.data() + first, size);
    rows::add_scaled(-half, v_.data() + first, w_.data() + first, size);
  }

  /// The vector that takes all of column k below k + 1 away, in next_. Returns its factor; 0 if nothing is to be taken.
  double choose_vector(std::size_t k) {
    const double head = column_[k + 1];
    const std::size_t first = aligned(k + 1);
    next_ = column_;
    next_[k] = next_[k + 1] = 0;
    const double square = rows::dot(next_.data() + first, next_.data() + first, next_.size() - first);
    if (square == 0) return 0;
    const double length = std::sqrt(head * head + square), end = head > 0 ? -length : length;
    for (std::size_t j = k + 2; j < n_; ++j) next_[j] /= head - end;
    next_[k + 1] = 1;
    if (thread_ == 0) shared_.result.beside[k] = end;
    return (end - head) / end;
  }

  void update_rows(std::size_t k, std::vector<double>& products) {
    constexpr std::size_t kGroup = rows::Few::kMaxRows;
    const std::size_t first = aligned(k + 1), size = v_.size() - first;
    std::size_t since_asked = 0;
    for (std::size_t group = (k + 1) / kGroup; group * kGroup < n_; ++group) {
      if (group % threads_ != thread_) continue;
      const std::size_t begin = std::max(k + 1, group * kGroup), end = std::min(n_, (group + 1) * kGroup);
      rows::update_and_multiply({shared_.a.row(begin) + first, shared_.a.stride, end - begin},
                                {.v = v_.data() + first,
                                 .w = w_.data() + first,
                                 .x = next_.data() + first,
                                 .v_of_rows = v_.data() + begin,
                                 .w_of_rows = w_.data() + begin},
                                size, products.data() + begin);
      if ((since_asked += size * kGroup) >= kWorkBetweenChecks) {
        since_asked = 0;
        run_.check();
      }
    }
  }

  Shared& shared_;
  const std::size_t thread_, threads_;
  const Run& run_;
  const std::size_t n_;
  std::vector<double> v_, w_;          ///< the update that is put off
  std::vector<double> next_, column_;  ///< the next reflection's vector, and what it is made of
};

}  // namespace

PaddedSquare::PaddedSquare(std::size_t n) : n(n), stride(rows::padded(n)), values(n * stride) {}

Tridiagonal make_tridiagonal(PaddedSquare& a, std::vector<double>& factors, const Run& run) {
  const std::size_t n = a.n;
  Tridiagonal result{std::vector<double>(n), std::vector<double>(n)};
  factors.assign(n, 0);
  const std::size_t threads =
      std::clamp<std::size_t>(n / kRowsPerThread, 1, static_cast<std::size_t>(std::max(1, run.threads)));
  Reduction::Shared shared{
      a, factors, result, {std::vector<double>(a.stride), std::vector<double>(a.stride)}, Crew(threads)};
  std::vector<Reduction> members;
  for (std::size_t t = 0; t < threads; ++t) members.emplace_back(shared, t, threads, run);
  shared.crew.run(static_cast<int>(threads), [&](std::size_t t) { return members[t].run(); });
  return result;
}

PaddedSquare reflections_product(const PaddedSquare& reflections, const std::vector<double>& factors, const Run& run) {
  constexpr std::size_t kGroup = rows::Few::kMaxRows;
  const std::size_t n = reflections.n;
  PaddedSquare q(n);
  parallel_parts(n < kWorthThreads ? 1 : run.threads, n, kGroup, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) q.row(i)[i] = 1;
    std::size_t since_asked = kWorkBetweenChecks;
    // Reflection k leaves the first k + 1 columns alone, and thereby the rows up to k, which are the unit matrix's yet.
    for (std::size_t k = std::min(end - 1, n - std::min<std::size_t>(n, 2)); k-- > 0;) {
      const std::size_t first = aligned(k + 1), size = q.stride - first;
      rows::reflect({q.row(begin) + first, q.stride, end - begin}, factors[k], reflections.row(k) + first, size);
      if ((since_asked += size * kGroup) >= kWorkBetweenChecks) {
        since_asked = 0;
        run.check();
      }
    }
  });
  return q;
}

}  // namespace idne
