#include "math/random.h"

#include <cmath>

namespace idne {

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> c, std::array<std::uint32_t, 2> k) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53u} * c[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57u} * c[2];
    c = {static_cast<std::uint32_t>(b >> 32) ^ c[1] ^ k[0], static_cast<std::uint32_t>(b),
         static_cast<std::uint32_t>(a >> 32) ^ c[3] ^ k[1], static_cast<std::uint32_t>(a)};
    k = {k[0] + 0x9E3779B9u, k[1] + 0xBB67AE85u};
  }
  return c;
}

float Random::truncated_normal() {
  // By inversion: x = √2·erf⁻¹(y) with y uniform in ±erf(√2). The polynomial is the central branch of Giles,
  // "Approximating the erfinv function" (2010); its range, |y| < 0.9966, covers two standard deviations.
  constexpr double kEdge = 0.95449973610364158;
  const double y = kEdge * ((bits32() + 0.5) * 0x1p-31 - 1.0);
  const double w = -std::log((1.0 - y) * (1.0 + y)) - 2.5;
  double p = 2.81022636e-08;
  for (const double coefficient : {3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503,
                                   -0.00417768164, 0.246640727, 1.50140941}) {
    p = p * w + coefficient;
  }
  return static_cast<float>(std::sqrt(2.0) * p * y);
}

}  // namespace idne
