#include "search/codes.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "math/parallel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/codes.cc"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // NOLINT: includes this file once per target
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace idne::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Sums of whole numbers: exact, so the same whatever the vector width.
std::int32_t DotBytes(const std::int8_t* HWY_RESTRICT a, const std::int8_t* HWY_RESTRICT b, std::size_t width) {
  const hn::CappedTag<std::int16_t, 32> wide;
  const hn::Rebind<std::int8_t, decltype(wide)> narrow;
  const hn::RepartitionToWide<decltype(wide)> sums;
  auto even = hn::Zero(sums), odd = hn::Zero(sums);
  for (std::size_t k = 0; k < width; k += hn::Lanes(wide)) {
    const auto x = hn::PromoteTo(wide, hn::LoadU(narrow, a + k)), y = hn::PromoteTo(wide, hn::LoadU(narrow, b + k));
    even = hn::ReorderWidenMulAccumulate(sums, x, y, even, odd);
  }
  return hn::GetLane(hn::SumOfLanes(sums, hn::Add(even, odd)));
}

}  // namespace idne::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace idne {

HWY_EXPORT(DotBytes);
std::int32_t dot_bytes(const std::int8_t* a, const std::int8_t* b, std::size_t width) {
  return HWY_DYNAMIC_DISPATCH(DotBytes)(a, b, width);
}

namespace {
constexpr std::size_t kLine = 64;
constexpr float kLargest = 127;

/// To the nearest whole number, ties to the even one, as std::nearbyint has it: several at once where that is a call
/// each. REQUIRES: less than 2²² either way.
float rounded(float value) {
  constexpr float kShift = 0x1.8p23f;
  return (value + kShift) - kShift;
}

/// Fills in a code and gives the inverse of its length; 0 for a vector without a direction.
float encode_into(std::span<const float> vector, std::int8_t* code) {
  // Without their signs floats are in the order of their bits, and those that are not finite are last.
  std::int32_t bits = 0;
  for (const float value : vector) bits = std::max(bits, std::bit_cast<std::int32_t>(value) & 0x7fffffff);
  const auto largest = std::bit_cast<float>(bits);
  if (!std::isnormal(largest)) return 0;
  std::int32_t square = 0;
  for (std::size_t k = 0; k < vector.size(); ++k) {
    const auto number = static_cast<std::int32_t>(rounded(vector[k] / largest * kLargest));
    code[k] = static_cast<std::int8_t>(number);
    square += number * number;
  }
  return 1 / std::sqrt(static_cast<float>(square));
}

}  // namespace

Codes::Codes(MatrixView rows, int threads)
    : width_((rows.columns + kLine - 1) / kLine * kLine),
      memory_(rows.rows * width_ / sizeof(float)),
      inverse_lengths_(rows.rows) {
  parallel_parts(threads, rows.rows, 1024, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) inverse_lengths_[i] = encode_into(rows.row(i), bytes() + i * width_);
  });
}

Code Codes::encode(std::span<const float> vector, std::vector<std::int8_t>& bytes) const {
  bytes.assign(width_, 0);
  const float inverse_length = encode_into(vector, bytes.data());
  return {bytes.data(), inverse_length};
}

float Codes::cosine(const Code& a, const Code& b) const {
  return static_cast<float>(dot_bytes(a.bytes, b.bytes, width_)) * a.inverse_length * b.inverse_length;
}

void Codes::prefetch(std::size_t row) const {
  for (std::size_t k = 0; k < width_; k += kLine) hwy::Prefetch(bytes() + row * width_ + k);
}

}  // namespace idne
#endif
