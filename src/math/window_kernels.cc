#include "math/window_kernels.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "math/window_kernels.cc"
#include <hwy/foreach_target.h>  // NOLINT: includes this file once per target
#include <hwy/highway.h>
// After highway.h.
#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace idne::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Tag>;
constexpr std::size_t kLanes = hn::MaxLanes(Tag());
constexpr std::size_t kSums = 16 / kLanes;  ///< vectors that make up sixteen running sums
constexpr std::size_t kVectors = kBlock / kLanes;
static_assert(kSums * kLanes == 16);

/// Adds upper half to lower half until four lanes are left: one order for all widths.
template <class D, class V>
HWY_INLINE void fold_to_four(D d, V v, float* HWY_RESTRICT four) {
#if HWY_TARGET == HWY_SCALAR
  (void)d;
  four[0] = hn::GetLane(v);
  four[1] = four[2] = four[3] = 0;
#else
  if constexpr (hn::MaxLanes(D()) > 4) {
    const hn::Half<D> half;
    fold_to_four(half, hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)), four);
  } else {
    hn::StoreU(v, d, four);
  }
#endif
}

/// A block's products of a row, which is in registers, with another: sixteen running sums, folded to four.
HWY_INLINE void multiply_block(const Vector* row, const float* other, float* HWY_RESTRICT four) {
  const Tag d;
  Vector sum[kSums];
  for (std::size_t s = 0; s < kSums; ++s) {
    sum[s] = hn::Mul(row[s], hn::LoadU(d, other + s * kLanes));
    for (std::size_t v = s + kSums; v < kVectors; v += kSums) {
      sum[s] = hn::MulAdd(row[v], hn::LoadU(d, other + v * kLanes), sum[s]);
    }
  }
  for (std::size_t live = kSums; live > 1; live /= 2) {
    for (std::size_t s = 0; s < live / 2; ++s) sum[s] = hn::Add(sum[s], sum[s + live / 2]);
  }
  fold_to_four(d, sum[0], four);
}

void WindowScores(const PairRows& rows, const PairWindow& window, std::size_t block_stride, float* scores) {
  const Tag d;
  constexpr std::size_t kAtOnce = 16;
  HWY_ALIGN float fours[4 * kAtOnce];
  const std::size_t width = rows.width(), outputs = window.output_count;
  for (std::size_t block = 0; block < rows.blocks; ++block) {
    for (std::size_t c = 0; c < window.input_count; ++c) {
      Vector input[kVectors];
      for (std::size_t v = 0; v < kVectors; ++v) {
        input[v] = hn::LoadU(d, rows.inputs + window.inputs[c] * width + block * kBlock + v * kLanes);
      }
      for (std::size_t first = 0; first < outputs; first += kAtOnce) {
        const std::size_t count = std::min(kAtOnce, outputs - first);
        for (std::size_t k = 0; k < count; ++k) {
          multiply_block(input, rows.outputs + window.outputs[first + k] * width + block * kBlock, fours + 4 * k);
        }
        float* out = scores + block * block_stride + c * outputs + first;
        for (std::size_t k = 0; k < count; ++k) {
          out[k] = (fours[4 * k] + fours[4 * k + 2]) + (fours[4 * k + 1] + fours[4 * k + 3]);
        }
      }
    }
  }
}

/// out = Σ over n of weights[n · step] · row n, one block, in the order of the rows.
HWY_INLINE void sum_block(const float* rows, const std::uint32_t* numbers, std::size_t count, std::size_t width,
                          const float* weights, std::size_t step, float* out) {
  const Tag d;
  constexpr std::size_t kHeld = std::min<std::size_t>(kVectors, 8), kTile = kHeld * kLanes;  // in registers
  for (std::size_t at = 0; at < kBlock; at += kTile) {
    Vector sum[kHeld];
    for (auto& vector : sum) vector = hn::Zero(d);
    for (std::size_t n = 0; n < count; ++n) {
      const Vector weight = hn::Set(d, weights[n * step]);
      const float* row = rows + numbers[n] * width + at;
      for (std::size_t v = 0; v < kHeld; ++v) sum[v] = hn::MulAdd(weight, hn::LoadU(d, row + v * kLanes), sum[v]);
    }
    for (std::size_t v = 0; v < kHeld; ++v) hn::StoreU(sum[v], d, out + at + v * kLanes);
  }
}

HWY_INLINE void add_block(const float* from, float scale, float* to) {
  const Tag d;
  const Vector by = hn::Set(d, scale);
  for (std::size_t k = 0; k < kBlock; k += kLanes) {
    hn::StoreU(hn::MulAdd(by, hn::LoadU(d, from + k), hn::LoadU(d, to + k)), d, to + k);
  }
}

void WindowUpdate(const PairRows& rows, const PairWindow& window, const float* slopes, const PairScales& scales,
                  float* scratch) {
  const std::size_t width = rows.width(), inputs = window.input_count, outputs = window.output_count;
  for (std::size_t block = 0; block < rows.blocks; ++block) {
    float *in = rows.inputs + block * kBlock, *out = rows.outputs + block * kBlock;
    for (std::size_t c = 0; c < inputs; ++c) {
      sum_block(out, window.outputs, outputs, width, slopes + c * outputs, 1, scratch + c * kBlock);
    }
    for (std::size_t k = 0; k < outputs; ++k) {
      sum_block(in, window.inputs, inputs, width, slopes + k, outputs, scratch + (inputs + k) * kBlock);
    }
    for (std::size_t c = 0; c < inputs; ++c) {
      add_block(scratch + c * kBlock, scales.inputs[c], in + window.inputs[c] * width);
    }
    for (std::size_t k = 0; k < outputs; ++k) {
      add_block(scratch + (inputs + k) * kBlock, scales.outputs[k], out + window.outputs[k] * width);
    }
  }
}

void Logistic(float* values, std::size_t count) {
  const Tag d;
  const auto one = hn::Set(d, 1.0f);
  const auto value = [&](Vector x) { return hn::Div(one, hn::Add(one, hn::Exp(d, hn::Neg(x)))); };
  std::size_t k = 0;
  for (; k + kLanes <= count; k += kLanes) hn::StoreU(value(hn::LoadU(d, values + k)), d, values + k);
  if (k == count) return;
  HWY_ALIGN float rest[16] = {};
  std::copy(values + k, values + count, rest);
  hn::Store(value(hn::Load(d, rest)), d, rest);
  std::copy(rest, rest + (count - k), values + k);
}

}  // namespace idne::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace idne {

HWY_EXPORT(WindowScores);
HWY_EXPORT(WindowUpdate);
HWY_EXPORT(Logistic);

void window_scores(const PairRows& rows, const PairWindow& window, std::size_t block_stride, float* scores) {
  HWY_DYNAMIC_DISPATCH(WindowScores)(rows, window, block_stride, scores);
}

void window_update(const PairRows& rows, const PairWindow& window, const float* slopes, const PairScales& scales,
                   float* scratch) {
  HWY_DYNAMIC_DISPATCH(WindowUpdate)(rows, window, slopes, scales, scratch);
}

void logistic(float* values, std::size_t count) { HWY_DYNAMIC_DISPATCH(Logistic)(values, count); }

}  // namespace idne
#endif
