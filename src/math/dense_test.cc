#include "math/dense.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "math/random.h"
#include "targets.h"

namespace idne {
namespace {

struct Shape {
  std::size_t rows, steps, columns;
};

/// The two factors of a product of a given shape, each kept as it is or transposed.
struct Factors {
  std::vector<float> a, b;
  Shape shape;
  bool a_transposed, b_transposed;

  Factors(const Shape& s, bool at, bool bt)
      : a(noise(s.rows * s.steps, 1)), b(noise(s.steps * s.columns, 2)), shape(s), a_transposed(at), b_transposed(bt) {}
  Factor left() const {
    return a_transposed ? Factor{{a.data(), shape.steps, shape.rows}, true}
                        : Factor{{a.data(), shape.rows, shape.steps}, false};
  }
  Factor right() const {
    return b_transposed ? Factor{{b.data(), shape.columns, shape.steps}, true}
                        : Factor{{b.data(), shape.steps, shape.columns}, false};
  }
};

double element(const Factor& factor, std::size_t row, std::size_t column) {
  return factor.transposed ? factor.matrix.row(column)[row] : factor.matrix.row(row)[column];
}

/// Writes into a span with guards at both ends, so that a write beyond the result is seen.
std::vector<float> product(const Factors& factors, bool add, int threads) {
  const std::size_t size = factors.shape.rows * factors.shape.columns;
  std::vector<float> out = noise(size + 2, 3);
  const float before = out.front(), after = out.back();
  multiply(factors.left(), factors.right(), std::span(out).subspan(1, size), add, threads);
  EXPECT_EQ(before, out.front());
  EXPECT_EQ(after, out.back());
  return {out.begin() + 1, out.end() - 1};
}

constexpr Shape kShapes[] = {{1, 1, 1},     {1, 300, 1},   {2, 3, 5},    {6, 16, 32},    {7, 17, 33},   {5, 257, 31},
                             {48, 256, 64}, {49, 255, 65}, {97, 513, 1}, {100, 259, 70}, {3, 1000, 129}};

TEST(Dense, ProductAgreesWithAPlainLoop) {
  on_every_target([](const std::string& target) {
    for (const Shape& shape : kShapes) {
      for (int which = 0; which < 8; ++which) {
        const Factors factors(shape, which & 1, which & 2);
        const bool add = which & 4;
        const auto out = product(factors, add, 1);
        const auto start = noise(out.size() + 2, 3);
        for (std::size_t i = 0; i < shape.rows; ++i) {
          for (std::size_t j = 0; j < shape.columns; ++j) {
            const std::size_t at = i * shape.columns + j;
            double sum = add ? start[at + 1] : 0;
            for (std::size_t k = 0; k < shape.steps; ++k) {
              sum += element(factors.left(), i, k) * element(factors.right(), k, j);
            }
            ASSERT_NEAR(out[at], sum, 2e-6 * static_cast<double>(shape.steps) + 1e-6)
                << target << " " << shape.rows << " × " << shape.steps << " × " << shape.columns << ", case " << which;
          }
        }
      }
    }
  });
}

/// One element as the contract says: chains of 256 fused multiply-adds, added in order.
template <class T>
T in_chains(std::size_t steps, const std::function<T(std::size_t)>& a, const std::function<T(std::size_t)>& b) {
  T sum = 0;
  for (std::size_t begin = 0; begin < steps; begin += 256) {
    T chain = 0;
    for (std::size_t k = begin; k < std::min(steps, begin + 256); ++k) chain = std::fma(a(k), b(k), chain);
    sum = begin == 0 ? chain : sum + chain;
  }
  return sum;
}

TEST(Dense, ElementIsAChainOfFusedMultiplyAddsForEvery256Steps) {
  const bool any = on_every_fused_target([](const std::string& target) {
    for (const Shape& shape : kShapes) {
      const Factors factors(shape, false, false);
      const auto out = product(factors, false, 1);
      for (std::size_t i = 0; i < shape.rows; ++i) {
        for (std::size_t j = 0; j < shape.columns; ++j) {
          const float expected = in_chains<float>(
              shape.steps, [&](std::size_t k) { return factors.a[i * shape.steps + k]; },
              [&](std::size_t k) { return factors.b[k * shape.columns + j]; });
          ASSERT_EQ(out[i * shape.columns + j], expected) << target << " " << i << " " << j;
        }
      }
    }
  });
  if (!any) GTEST_SKIP() << kNoFusedMultiplyAdd;
}

TEST(Dense, DoublesAreMultipliedInTheSameWay) {
  const bool any = on_every_fused_target([](const std::string& target) {
    for (const Shape& shape : kShapes) {
      const auto a_floats = noise(shape.rows * shape.steps, 1), b_floats = noise(shape.steps * shape.columns, 2);
      const std::vector<double> a(a_floats.begin(), a_floats.end()), b(b_floats.begin(), b_floats.end());
      std::vector<double> out(shape.rows * shape.columns);
      Packed<double>({b.data(), shape.steps, shape.columns, shape.columns}, {})
          .multiply({a.data(), shape.rows, shape.steps, shape.steps}, Into::Place, out.data(), shape.columns, {});
      for (std::size_t i = 0; i < shape.rows; ++i) {
        for (std::size_t j = 0; j < shape.columns; ++j) {
          const double expected = in_chains<double>(
              shape.steps, [&](std::size_t k) { return a[i * shape.steps + k]; },
              [&](std::size_t k) { return b[k * shape.columns + j]; });
          ASSERT_EQ(out[i * shape.columns + j], expected) << target << " " << i << " " << j;
        }
      }
    }
  });
  if (!any) GTEST_SKIP() << kNoFusedMultiplyAdd;
}

TEST(Dense, PartsOfMatricesAreAddedToOrTakenFromParts) {
  // Of matrices 20 wide: rows 1 … 9, columns 2 … 14 times the transpose of rows 3 … 13, columns 5 … 17.
  constexpr std::size_t kWide = 20, kRows = 8, kSteps = 12, kColumns = 10;
  const auto floats = noise(20 * kWide, 1);
  const std::vector<double> m(floats.begin(), floats.end());
  for (const Into into : {Into::Place, Into::Add, Into::Subtract}) {
    std::vector<double> out(kRows * kWide, 7);
    Packed<double>({m.data() + 3 * kWide + 5, kColumns, kSteps, kWide, true}, {})
        .multiply({m.data() + kWide + 2, kRows, kSteps, kWide}, into, out.data() + 4, kWide, {});
    for (std::size_t i = 0; i < kRows; ++i) {
      for (std::size_t j = 0; j < kWide; ++j) {
        double expected = 7;
        if (j >= 4 && j < 4 + kColumns) {
          double sum = 0;
          for (std::size_t k = 0; k < kSteps; ++k) sum += m[(1 + i) * kWide + 2 + k] * m[(3 + j - 4) * kWide + 5 + k];
          expected = into == Into::Place ? sum : into == Into::Add ? 7 + sum : 7 - sum;
        }
        ASSERT_NEAR(out[i * kWide + j], expected, 1e-12) << i << " " << j;
      }
    }
  }
}

TEST(Dense, StopsWhenToldTo) {
  const Factors factors({300, 300, 300}, false, false);
  std::vector<float> out(300 * 300);
  for (const int threads : {1, 2}) {
    idne::Run run;
    run.threads = threads;
    std::atomic<int> asked{0};
    run.stopped = [&] { return ++asked > 20; };
    EXPECT_THROW(multiply(factors.left(), factors.right(), out, false, run), Interrupted);
  }
}

TEST(Dense, SameBitsTransposedOrNotAndAtAnyNumberOfThreads) {
  const Shape shape{211, 300, 70};  // large enough for threads to be used
  const Factors plain(shape, false, false);
  const auto expected = product(plain, true, 1);
  for (int which = 0; which < 4; ++which) {
    Factors factors = plain;
    factors.a_transposed = which & 1;
    factors.b_transposed = which & 2;
    for (std::size_t k = 0; k < shape.steps; ++k) {
      for (std::size_t i = 0; i < shape.rows && factors.a_transposed; ++i) {
        factors.a[k * shape.rows + i] = plain.a[i * shape.steps + k];
      }
      for (std::size_t j = 0; j < shape.columns && factors.b_transposed; ++j) {
        factors.b[j * shape.steps + k] = plain.b[k * shape.columns + j];
      }
    }
    for (const int threads : {1, 2, 3}) {
      const auto out = product(factors, true, threads);
      EXPECT_EQ(0, std::memcmp(expected.data(), out.data(), out.size() * sizeof(float))) << which << " " << threads;
    }
  }
}

TEST(Dense, ProductOverNoStepsIsZero) {
  std::vector<float> out{1, 2, 3, 4, 5, 6};
  const Factor a{{nullptr, 2, 0}, false}, b{{nullptr, 0, 3}, false};
  multiply(a, b, out, true, 2);
  EXPECT_EQ(out, (std::vector<float>{1, 2, 3, 4, 5, 6}));
  multiply(a, b, out, false, 2);
  EXPECT_EQ(out, std::vector<float>(6));
}

TEST(Dense, EmptyResultIsLeftAlone) {
  const std::vector<float> values(6, 1.0f);
  for (const Into into : {Into::Place, Into::Add, Into::Subtract}) {
    std::vector<float> out(8, 5.0f);
    Packed<float>({values.data(), 3, 2, 2}, {}).multiply({values.data(), 0, 3, 3}, into, out.data() + 4, 2, {});
    Packed<float>({values.data(), 3, 0, 0}, {}).multiply({values.data(), 2, 3, 3}, into, out.data() + 4, 0, {});
    EXPECT_EQ(out, std::vector<float>(8, 5.0f));
  }
  multiply({{values.data(), 0, 3}, false}, {{values.data(), 3, 2}, false}, {}, false, 1);
  multiply({{values.data(), 2, 3}, false}, {{values.data(), 3, 0}, false}, {}, false, 1);
  EXPECT_EQ(values, std::vector<float>(6, 1.0f));
}

}  // namespace
}  // namespace idne
