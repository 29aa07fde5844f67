#include "search/codes.h"

#include <algorithm>
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

/// Fills in a code and gives the inverse of its length; 0 for a vector without a direction.
float encode_into(std::span<const float> vector, std::int8_t* code) {
  float largest = 0;
  for (const float value : vector) {
    if (!std::isfinite(value)) return 0;
    largest = std::max(largest, std::abs(value));
  }
  if (!std::isnormal(largest)) return 0;
  float square = 0;
  for (std::size_t k = 0; k < vector.size(); ++k) {
    const float rounded = std::nearbyint(vector[k] / largest * kLargest);
    code[k] = static_cast<std::int8_t>(rounded);
    square += rounded * rounded;
  }
  return 1 / std::sqrt(square);
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
