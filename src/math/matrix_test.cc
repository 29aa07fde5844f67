#include "math/matrix.h"

#include <gtest/gtest.h>

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

TEST(Matrix, ProductsAreThoseOfPlainLoops) {
  for (const std::size_t steps : {1u, 7u, 300u}) {
    const Matrix a = random_matrix(5, steps, 1), b = random_matrix(steps, 9, 2);
    const Matrix products[] = {product(plain(a), plain(b), {}), product(transposed(a.transposed()), plain(b), {}),
                               product(plain(a), transposed(b.transposed()), with_threads(2))};
    for (const Matrix& found : products) {
      ASSERT_EQ(found.rows(), 5u);
      ASSERT_EQ(found.columns(), 9u);
      for (std::size_t r = 0; r < 5; ++r) {
        for (std::size_t c = 0; c < 9; ++c) {
          double sum = 0;
          for (std::size_t k = 0; k < steps; ++k) sum += a(r, k) * b(k, c);
          EXPECT_NEAR(found(r, c), sum, 1e-12);
        }
      }
    }
  }
}

TEST(Matrix, GramLosesNoSmallTermsInALongSum) {
  // One large row, then so many small ones that a float's sum would not notice any of them.
  constexpr std::size_t kRows = 20000;
  std::vector<float> rows(2 * kRows, 1.0f);
  rows[0] = rows[1] = 8192;  // its square is 2²⁶: a float there has steps of 8
  const double truth = 67108864.0 + kRows - 1;
  for (const int threads : {1, 3}) {
    const Matrix square = gram({rows.data(), kRows, 2}, with_threads(threads));
    for (const double value : square.values()) EXPECT_NEAR(value, truth, 1100) << "the first thousand may be lost";
  }
}

TEST(Matrix, SymmetricProductIsTheMeanOfBothOrders) {
  const auto a = noise(3000, 1), b = noise(3000, 2);
  const Matrix found = symmetric_product({a.data(), 1500, 2}, {b.data(), 1500, 2}, {});
  for (std::size_t r = 0; r < 2; ++r) {
    for (std::size_t c = 0; c < 2; ++c) {
      double sum = 0;
      for (std::size_t i = 0; i < 1500; ++i) {
        sum +=
            (static_cast<double>(a[2 * i + r]) * b[2 * i + c] + static_cast<double>(a[2 * i + c]) * b[2 * i + r]) / 2;
      }
      EXPECT_NEAR(found(r, c), sum, 1e-3);
    }
  }
  EXPECT_EQ(found(0, 1), found(1, 0));
}

}  // namespace
}  // namespace idne
