#include "math/cholesky.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <vector>

#include "targets.h"
#include "with_threads.h"

namespace idne {
namespace {

Matrix random_matrix(std::size_t rows, std::size_t columns, std::uint64_t seed) {
  const auto values = noise(rows * columns, seed);
  return Matrix({values.data(), rows, columns});
}

/// XᵀX + I.
Matrix definite(std::size_t n) {
  const Matrix x = random_matrix(n + 3, n, 1);
  Matrix a = product(transposed(x), plain(x), {});
  a.add_to_diagonal(1);
  return a;
}

double largest_difference(const Matrix& a, const Matrix& b) {
  EXPECT_EQ(a.values().size(), b.values().size());
  double largest = 0;
  for (std::size_t k = 0; k < a.values().size(); ++k) {
    largest = std::max(largest, std::abs(a.values()[k] - b.values()[k]));
  }
  return largest;
}

TEST(Cholesky, SolvesForOneOrManyRightSides) {
  for (const std::size_t n : {1u, 2u, 95u, 96u, 97u, 250u}) {  // around a block's size
    const Matrix a = definite(n);
    const Cholesky cholesky(a, {});
    ASSERT_TRUE(cholesky.succeeded());
    for (const std::size_t columns : {1u, 10u, 130u}) {
      const Matrix b = random_matrix(n, columns, 2);
      const Matrix x = cholesky.solve(b, {});
      EXPECT_LT(largest_difference(product(plain(a), plain(x), {}), b), 1e-9) << n << " " << columns;
    }
  }
}

TEST(Cholesky, InverseOfTheUpperFactorMakesAUnitMatrix) {
  for (const std::size_t n : {1u, 40u, 200u}) {
    const Matrix a = definite(n), inverse = Cholesky(a, {}).inverse_of_upper({});
    Matrix unit(n, n);
    unit.add_to_diagonal(1);
    EXPECT_LT(largest_difference(product(transposed(inverse), plain(product(plain(a), plain(inverse), {})), {}), unit),
              1e-9);
    for (std::size_t r = 0; r < n; ++r) {
      for (std::size_t c = 0; c < r; ++c) EXPECT_EQ(inverse(r, c), 0);
    }
  }
}

TEST(Cholesky, ConditionIsThatOfADiagonalMatrixAndAboutThatOfOthers) {
  Matrix diagonal(120, 120);
  for (std::size_t k = 0; k < 120; ++k) diagonal(k, k) = std::pow(10.0, -static_cast<double>(k % 7));
  EXPECT_NEAR(Cholesky(diagonal, {}).reciprocal_condition({}), 1e-6, 1e-12);
  const Matrix a = definite(100);
  const Cholesky cholesky(a, {});
  Matrix unit(100, 100);
  unit.add_to_diagonal(1);
  const Matrix inverse = cholesky.solve(unit, {});
  const auto norm = [](const Matrix& m) {
    double largest = 0;
    for (std::size_t r = 0; r < m.rows(); ++r) {
      double sum = 0;
      for (const double x : m.row(r)) sum += std::abs(x);
      largest = std::max(largest, sum);
    }
    return largest;
  };
  const double truth = 1 / (norm(a) * norm(inverse)), found = cholesky.reciprocal_condition({});
  EXPECT_GE(found, truth * (1 - 1e-9)) << "an estimate from below of the inverse's norm";
  EXPECT_LE(found, 3 * truth);
}

TEST(Cholesky, SaysWhereAMatrixIsNotPositiveDefinite) {
  for (const std::size_t bad : {0u, 50u, 149u}) {
    for (const double value : {-1.0, 0.0, std::nan("")}) {
      Matrix a = definite(150);
      a(bad, bad) = value;
      const Cholesky cholesky(a, {});
      EXPECT_FALSE(cholesky.succeeded());
      EXPECT_EQ(cholesky.reciprocal_condition({}), 0);
      const Matrix x = cholesky.solve(random_matrix(150, 1, 3), {});
      for (const double v : x.values()) EXPECT_TRUE(std::isnan(v));
    }
  }
}

TEST(Cholesky, SameBitsAtAnyNumberOfThreads) {
  const Matrix a = definite(400), b = random_matrix(400, 50, 2);
  const Matrix one = Cholesky(a, {}).solve(b, {});
  for (const int threads : {2, 3}) {
    const Matrix more = Cholesky(a, with_threads(threads)).solve(b, with_threads(threads));
    EXPECT_EQ(0, largest_difference(one, more));
  }
}

TEST(Cholesky, StopsWhenToldTo) {
  const Matrix a = definite(400);
  for (const int stage : {0, 5, 20}) {
    std::atomic<int> asked{0};
    idne::Run run = with_threads(2);
    run.stopped = [&] { return asked++ >= stage; };
    EXPECT_THROW(Cholesky(a, run), Interrupted) << stage;
    asked = 0;
    const Cholesky cholesky(a, {});
    EXPECT_THROW(cholesky.solve(a, run), Interrupted) << stage;
  }
}

}  // namespace
}  // namespace idne
