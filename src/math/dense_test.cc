#include "math/dense.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

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

TEST(Dense, ElementIsOneChainOfFusedMultiplyAdds) {
  on_every_target([](const std::string& target) {
    if (!target.starts_with("AVX")) return;
    for (const Shape& shape : kShapes) {
      const Factors factors(shape, false, false);
      const auto out = product(factors, false, 1);
      for (std::size_t i = 0; i < shape.rows; ++i) {
        for (std::size_t j = 0; j < shape.columns; ++j) {
          float sum = 0;
          for (std::size_t k = 0; k < shape.steps; ++k) {
            sum = std::fma(factors.a[i * shape.steps + k], factors.b[k * shape.columns + j], sum);
          }
          ASSERT_EQ(out[i * shape.columns + j], sum) << target << " " << i << " " << j;
        }
      }
    }
  });
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
  multiply({{values.data(), 0, 3}, false}, {{values.data(), 3, 2}, false}, {}, false, 1);
  multiply({{values.data(), 2, 3}, false}, {{values.data(), 3, 0}, false}, {}, false, 1);
}

}  // namespace
}  // namespace idne
