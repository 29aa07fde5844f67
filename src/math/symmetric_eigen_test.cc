#include "math/symmetric_eigen.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>
#include <vector>

#include "targets.h"
#include "with_threads.h"

namespace idne {
namespace {

Matrix random_symmetric(std::size_t n, std::uint64_t seed) {
  const auto values = noise(n * n, seed);
  Matrix a({values.data(), n, n});
  a.make_symmetric();
  return a;
}

/// XᵀX of rows whose directions fall off as those of texts do, from 1 to 1e-6.
Matrix falling(std::size_t n) {
  auto rows = noise(2 * n * n, 7);
  for (std::size_t at = 0; at < rows.size(); ++at) {
    rows[at] *= static_cast<float>(std::pow(1e-3, static_cast<double>(at % n) / static_cast<double>(n)));
  }
  return gram({rows.data(), 2 * n, n}, {});
}

/// Projections: values 0 and 1 alone, many times each.
Matrix degenerate(std::size_t n) {
  const SymmetricEigen eigen = symmetric_eigen(random_symmetric(n, 3), {});
  Matrix half(n / 2, n);
  for (std::size_t k = 0; k < n / 2; ++k) std::ranges::copy(eigen.vectors.row(k), half.row(k).begin());
  Matrix a = product(transposed(half), plain(half), {});
  a.make_symmetric();
  return a;
}

Matrix diagonal(std::size_t n) {
  Matrix a(n, n);
  for (std::size_t k = 0; k < n; ++k) a(k, k) = static_cast<double>((k * 7) % n) - 3;
  return a;
}

Matrix tridiagonal(std::size_t n) {
  Matrix a(n, n);
  for (std::size_t k = 0; k < n; ++k) a(k, k) = std::abs(static_cast<double>(k) - 10);  // Wilkinson's, with close pairs
  for (std::size_t k = 0; k + 1 < n; ++k) a(k, k + 1) = a(k + 1, k) = 1;
  return a;
}

Matrix scaled(Matrix a, double by) {
  for (double& value : a.values()) value *= by;
  return a;
}

/// Against Eigen: the values, that A V = V Λ, and that the vectors are at right angles and of unit length.
void expect_right(const Matrix& a, const SymmetricEigen& found, const std::string& what) {
  const std::size_t n = a.rows();
  ASSERT_EQ(found.values.size(), n) << what;
  ASSERT_EQ(found.vectors.rows(), n) << what;
  ASSERT_EQ(found.vectors.columns(), n) << what;
  double size = 0;
  for (const double x : a.values()) size = std::max(size, std::abs(x));
  const double enough = 1e-13 * size * static_cast<double>(n + 1);

  using EigenMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto rows = static_cast<Eigen::Index>(n);
  const Eigen::Map<const EigenMatrix> oracle_matrix(a.values().data(), rows, rows);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> oracle(oracle_matrix, Eigen::EigenvaluesOnly);
  for (std::size_t k = 0; k < n; ++k) {
    EXPECT_NEAR(found.values[k], oracle.eigenvalues()[static_cast<Eigen::Index>(k)], enough) << what << " " << k;
    if (k > 0) {
      EXPECT_LE(found.values[k - 1], found.values[k]) << what;
    }
  }
  const Matrix image = product(plain(found.vectors), plain(a), {});
  const Matrix angles = product(plain(found.vectors), transposed(found.vectors), {});
  double residual = 0, skew = 0;
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t c = 0; c < n; ++c) {
      residual = std::max(residual, std::abs(image(k, c) - found.values[k] * found.vectors(k, c)));
      skew = std::max(skew, std::abs(angles(k, c) - (k == c ? 1 : 0)));
    }
  }
  EXPECT_LE(residual, enough) << what;
  EXPECT_LE(skew, 1e-14 * static_cast<double>(n + 10)) << what;
}

TEST(SymmetricEigen, AgreesWithEigen) {
  on_every_target([](const std::string& target) {
    for (const std::size_t n : {1u, 2u, 3u, 4u, 7u, 8u, 9u, 21u, 64u, 130u}) {
      const std::string size = target + ", " + std::to_string(n);
      expect_right(random_symmetric(n, n), symmetric_eigen(random_symmetric(n, n), {}), size + " random");
      expect_right(falling(n), symmetric_eigen(falling(n), {}), size + " falling");
      expect_right(degenerate(n), symmetric_eigen(degenerate(n), {}), size + " degenerate");
      expect_right(diagonal(n), symmetric_eigen(diagonal(n), {}), size + " diagonal");
      expect_right(tridiagonal(n), symmetric_eigen(tridiagonal(n), {}), size + " tridiagonal");
      expect_right(Matrix(n, n), symmetric_eigen(Matrix(n, n), {}), size + " zero");
    }
  });
}

TEST(SymmetricEigen, SizeOfTheNumbersDoesNotMatter) {
  for (const double size : {1e-280, 1e-150, 1e150, 1e280}) {
    const Matrix a = scaled(random_symmetric(30, 1), size);
    expect_right(a, symmetric_eigen(a, {}), std::to_string(std::log10(size)));
  }
}

TEST(SymmetricEigen, OfNothingIsNothing) {
  const SymmetricEigen found = symmetric_eigen(Matrix(0, 0), {});
  EXPECT_TRUE(found.values.empty());
  EXPECT_EQ(found.vectors.rows(), 0u);
}

TEST(SymmetricEigen, NumbersThatAreNotFiniteGiveNone) {
  for (const double bad : {std::nan(""), static_cast<double>(INFINITY)}) {
    Matrix a = random_symmetric(20, 1);
    a(3, 4) = a(4, 3) = bad;
    const SymmetricEigen found = symmetric_eigen(a, {});
    for (const double value : found.values) EXPECT_TRUE(std::isnan(value));
    for (const double value : found.vectors.values()) EXPECT_TRUE(std::isnan(value));
  }
}

TEST(SymmetricEigen, SameBitsAtAnyNumberOfThreads) {
  for (const std::size_t n : {200u, 1030u}) {  // threads share out the columns of large ones alone
    const Matrix a = falling(n);
    const SymmetricEigen one = symmetric_eigen(a, {}), more = symmetric_eigen(a, with_threads(2));
    expect_right(a, one, std::to_string(n));
    EXPECT_EQ(one.values, more.values);
    EXPECT_TRUE(std::ranges::equal(one.vectors.values(), more.vectors.values())) << n;
  }
}

TEST(SymmetricEigen, EveryTargetWithFusedMultiplyAddGivesTheSameBits) {
  const Matrix a = random_symmetric(77, 5);
  std::vector<double> first;
  const bool any = on_every_fused_target([&](const std::string& target) {
    const SymmetricEigen found = symmetric_eigen(a, {});
    std::vector<double> all = found.values;
    all.insert(all.end(), found.vectors.values().begin(), found.vectors.values().end());
    if (first.empty()) first = all;
    EXPECT_EQ(first, all) << target;
  });
  if (!any) GTEST_SKIP() << kNoFusedMultiplyAdd;
}

TEST(SymmetricEigen, AsksOftenWhetherToStopAndStops) {
  const Matrix a = falling(300);
  int asked = 0;
  idne::Run run;
  run.stopped = [&] { return ++asked < 0; };
  symmetric_eigen(a, run);
  const int all = asked;
  EXPECT_GT(all, 300) << "once per column at least";
  for (const double share : {0.0, 0.3, 0.6, 0.95}) {  // in each of its parts
    asked = 0;
    const int last = static_cast<int>(share * all);
    run.stopped = [&] { return ++asked > last; };
    EXPECT_THROW(symmetric_eigen(a, run), Interrupted) << share;
  }
}

TEST(SymmetricEigen, StopsWhereThreadsShareTheWork) {
  const Matrix a = falling(1030);
  std::atomic<int> asked{0};
  idne::Run run = with_threads(2);
  run.stopped = [&] { return ++asked > 100; };
  EXPECT_THROW(symmetric_eigen(a, run), Interrupted);
}

TEST(PrincipalDirections, AreTheLargestFirstAndTheirLargestEntriesPositive) {
  Matrix a(4, 4);
  a(0, 0) = 2, a(1, 1) = 9, a(2, 2) = 5, a(3, 3) = 1;
  const Matrix found = principal_directions(a, 2, {});
  EXPECT_EQ(found.rows(), 2u);
  EXPECT_NEAR(found(0, 1), 1, 1e-15);
  EXPECT_NEAR(found(1, 2), 1, 1e-15);
  const Matrix more = principal_directions(falling(40), 40, {});
  for (std::size_t k = 0; k < 40; ++k) {
    const auto row = more.row(k);
    const auto largest = std::ranges::max_element(row, {}, [](double x) { return std::abs(x); });
    EXPECT_GT(*largest, 0);
  }
}

}  // namespace
}  // namespace idne
