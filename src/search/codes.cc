#include "search/codes.h"

#include <algorithm>
#include <cmath>

#include "math/parallel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "search/codes.cc"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // NOLINT: includes this file once a target
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
}  // namespace

Codes::Codes(std::size_t columns) : width_((columns + kLine - 1) / kLine * kLine), bytes_(width_), inverse_lengths_(1) {}

Codes::Codes(MatrixView rows, int threads) : Codes(rows.columns) {
  bytes_.assign(rows.rows * width_, 0);
  inverse_lengths_.assign(rows.rows, 0);
  parallel_parts(threads, rows.rows, 1024, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) encode(rows.row(i), i);
  });
}

void Codes::encode(std::span<const float> vector, std::size_t row) {
  float largest = 0;
  for (const float value : vector) {
    if (!std::isfinite(value)) return;
    largest = std::max(largest, std::abs(value));
  }
  if (!std::isnormal(largest)) return;
  std::int8_t* code = bytes_.data() + row * width_;
  for (std::size_t k = 0; k < vector.size(); ++k) {
    code[k] = static_cast<std::int8_t>(std::lrint(vector[k] / largest * kLargest));
  }
  inverse_lengths_[row] = 1 / std::sqrt(static_cast<float>(dot_bytes(code, code, width_)));
}

float Codes::cosine(const Code& a, const Code& b) const {
  return static_cast<float>(dot_bytes(a.bytes, b.bytes, width_)) * a.inverse_length * b.inverse_length;
}

void Codes::prefetch(std::size_t row) const {
  for (std::size_t k = 0; k < width_; k += kLine) hwy::Prefetch(bytes_.data() + row * width_ + k);
}

}  // namespace idne
#endif
