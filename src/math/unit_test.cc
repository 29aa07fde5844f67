#include "math/unit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace idne {
namespace {

TEST(Unit, RowsGetLengthOneAndZerosStay) {
  const std::vector<float> rows{3, 4, 0, 0, -2, 0};
  EXPECT_EQ(unit_rows({rows.data(), 3, 2}, 1), (std::vector<float>{0.6f, 0.8f, 0, 0, -1, 0}));
  const std::vector<std::uint32_t> chosen{2, 0, 2};
  EXPECT_EQ(unit_rows({rows.data(), 3, 2}, chosen, 2), (std::vector<float>{-1, 0, 0.6f, 0.8f, -1, 0}));
}

TEST(Unit, VectorsWhoseSquareIsNoFloatAreNoExceptions) {
  for (const float length : {1e-25f, 1e-15f, 1e15f, 1e25f}) {
    std::vector<float> vector{3 * length, 4 * length};
    to_unit_length(vector);
    EXPECT_NEAR(vector[0], 0.6f, 1e-6f) << length;
    EXPECT_NEAR(vector[1], 0.8f, 1e-6f) << length;
  }
}

TEST(Unit, WhatIsNoNumberStaysNone) {
  std::vector<float> vector{1, std::nanf("")};
  to_unit_length(vector);
  EXPECT_TRUE(std::isnan(vector[1]));
}

}  // namespace
}  // namespace idne
