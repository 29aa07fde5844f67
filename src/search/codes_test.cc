#include "search/codes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/kernels.h"
#include "targets.h"

namespace idne {
namespace {

TEST(Codes, DotAgreesWithAPlainLoop) {
  std::vector<std::int8_t> a(640), b(640);
  Random random(1, Purpose::Generate, 0);
  for (auto& value : a) value = static_cast<std::int8_t>(static_cast<int>(random.below(255)) - 127);
  for (auto& value : b) value = static_cast<std::int8_t>(static_cast<int>(random.below(255)) - 127);
  a[0] = b[0] = 127, a[1] = -127, b[1] = 127;
  on_every_target([&](const std::string& target) {
    for (const std::size_t width : {0u, 64u, 128u, 640u}) {
      std::int32_t expected = 0;
      for (std::size_t k = 0; k < width; ++k) expected += a[k] * b[k];
      EXPECT_EQ(dot_bytes(a.data(), b.data(), width), expected) << target << " " << width;
    }
  });
}

TEST(Codes, CosinesAreNearTheTrueOnes) {
  for (const std::size_t columns : {1u, 50u, 256u}) {
    const auto values = noise(40 * columns, 1);
    const MatrixView rows{values.data(), 40, columns};
    const Codes codes(rows, 2);
    for (std::size_t i = 1; i < rows.rows; ++i) {
      const float* a = rows.row(0).data();
      const float* b = rows.row(i).data();
      const float expected = dot(a, b, columns) / std::sqrt(dot(a, a, columns) * dot(b, b, columns));
      EXPECT_NEAR(codes.cosine(codes[0], codes[i]), expected, 0.005) << columns;
    }
  }
}

TEST(Codes, RowsWithoutADirectionAreKnown) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const std::vector<float> values{0, 0, 1, kInfinity, std::nanf(""), 1, 1e-42f, 0, 1e-30f, 1e30f};
  const Codes codes(MatrixView{values.data(), 5, 2});
  for (const std::size_t row : {0u, 1u, 2u, 3u}) EXPECT_FALSE(codes.has_direction(row)) << row;
  EXPECT_TRUE(codes.has_direction(4));
}

TEST(Codes, AnotherVectorIsCodedAsARowIs) {
  const auto values = noise(3 * 70, 1);
  const MatrixView rows{values.data(), 3, 70};
  const Codes codes(rows);
  std::vector<std::int8_t> bytes;
  const Code code = codes.encode(rows.row(1), bytes);
  EXPECT_EQ(code.inverse_length, codes[1].inverse_length);
  EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), codes[1].bytes));
  EXPECT_NEAR(codes.cosine(code, codes[1]), 1, 1e-5);
  EXPECT_EQ(codes.encode(std::vector<float>(70), bytes).inverse_length, 0);
}

}  // namespace
}  // namespace idne
