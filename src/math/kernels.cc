#include "math/kernels.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "math/kernels.cc"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>  // NOLINT: includes this file once per target
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace idne::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Adds the lanes of a vector in one order for all widths: upper half to lower half until four are left.
template <class D, class V>
HWY_INLINE float fold(D d, V v) {
#if HWY_TARGET == HWY_SCALAR
  (void)d;
  return hn::GetLane(v);
#else
  if constexpr (hn::MaxLanes(D()) > 4) {
    const hn::Half<D> half;
    return fold(half, hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
  } else {
    HWY_ALIGN float lane[4];
    hn::Store(v, d, lane);
    return (lane[0] + lane[2]) + (lane[1] + lane[3]);
  }
#endif
}

/// One block's dot product, as sixteen running sums whatever the vector width.
HWY_INLINE float dot_block(const float* HWY_RESTRICT a, const float* HWY_RESTRICT b) {
  const hn::CappedTag<float, 16> d;
  constexpr std::size_t kLanes = hn::MaxLanes(d);
  constexpr std::size_t kSums = 16 / kLanes;
  static_assert(kSums * kLanes == 16);
  hn::Vec<decltype(d)> sum[kSums];
  for (std::size_t s = 0; s < kSums; ++s) {
    sum[s] = hn::Mul(hn::LoadU(d, a + s * kLanes), hn::LoadU(d, b + s * kLanes));
    for (std::size_t k = 16 + s * kLanes; k < kBlock; k += 16) {
      sum[s] = hn::MulAdd(hn::LoadU(d, a + k), hn::LoadU(d, b + k), sum[s]);
    }
  }
  for (std::size_t live = kSums; live > 1; live /= 2) {
    for (std::size_t s = 0; s < live / 2; ++s) sum[s] = hn::Add(sum[s], sum[s + live / 2]);
  }
  return fold(d, sum[0]);
}

void DotBlocks(const float* a, const float* b, std::size_t blocks, float* out) {
  for (std::size_t k = 0; k < blocks; ++k) out[k] = dot_block(a + k * kBlock, b + k * kBlock);
}

float Dot(const float* a, const float* b, std::size_t width) {
  float sum = 0;
  std::size_t k = 0;
  for (; k + kBlock <= width; k += kBlock) sum += dot_block(a + k, b + k);
  if (k < width) {
    HWY_ALIGN float tail[2][kBlock] = {};
    std::copy(a + k, a + width, tail[0]);
    std::copy(b + k, b + width, tail[1]);
    sum += dot_block(tail[0], tail[1]);
  }
  return sum;
}

/// Rows are far apart: asks for one that is needed soon, a cache line at a time.
HWY_INLINE void prefetch_row(const float* row, std::size_t width) {
  for (std::size_t k = 0; k < width; k += 16) hwy::Prefetch(row + k);
}
constexpr std::size_t kAhead = 4;

/// kVectors vectors of a weighted sum, held in registers.
template <std::size_t kVectors, class D>
HWY_INLINE void sum_tile(D d, const float* HWY_RESTRICT rows, std::size_t stride, const Term* HWY_RESTRICT terms,
                         std::size_t count, hn::Vec<D>* HWY_RESTRICT sum) {
  for (std::size_t v = 0; v < kVectors; ++v) sum[v] = hn::Zero(d);
  for (std::size_t t = 0; t < count; ++t) {
    const auto weight = hn::Set(d, terms[t].weight);
    const float* HWY_RESTRICT row = rows + terms[t].row * stride;
    for (std::size_t v = 0; v < kVectors; ++v) {
      sum[v] = hn::MulAdd(weight, hn::LoadU(d, row + v * hn::MaxLanes(d)), sum[v]);
    }
  }
}

void WeightedSum(const float* HWY_RESTRICT rows, std::size_t stride, const Term* HWY_RESTRICT terms, std::size_t count,
                 std::size_t width, float* HWY_RESTRICT out) {
  const hn::CappedTag<float, 16> d;
  constexpr std::size_t kLanes = hn::MaxLanes(d);
  constexpr std::size_t kTile = 8 * kLanes;
  for (std::size_t t = 0; t < std::min(count, kAhead); ++t) prefetch_row(rows + terms[t].row * stride, width);
  std::size_t k = 0;
  // The first tile runs ahead for the others: it asks for whole rows.
  for (; k + kTile <= width; k += kTile) {
    hn::Vec<decltype(d)> sum[8];
    for (auto& s : sum) s = hn::Zero(d);
    for (std::size_t t = 0; t < count; ++t) {
      if (k == 0 && t + kAhead < count) prefetch_row(rows + terms[t + kAhead].row * stride, width);
      const auto weight = hn::Set(d, terms[t].weight);
      const float* HWY_RESTRICT row = rows + terms[t].row * stride + k;
      for (std::size_t v = 0; v < 8; ++v) sum[v] = hn::MulAdd(weight, hn::LoadU(d, row + v * kLanes), sum[v]);
    }
    for (std::size_t v = 0; v < 8; ++v) hn::StoreU(sum[v], d, out + k + v * kLanes);
  }
  for (; k + kLanes <= width; k += kLanes) {
    hn::Vec<decltype(d)> sum[1];
    sum_tile<1>(d, rows + k, stride, terms, count, sum);
    hn::StoreU(sum[0], d, out + k);
  }
  for (; k < width; ++k) {
    const hn::CappedTag<float, 1> one;
    hn::Vec<decltype(one)> sum[1];
    sum_tile<1>(one, rows + k, stride, terms, count, sum);
    hn::StoreU(sum[0], one, out + k);
  }
}

void AdamWords(const WordSlice& slice, const WordGradient* HWY_RESTRICT words, std::size_t count,
               const Term* HWY_RESTRICT terms, const float* HWY_RESTRICT gradients, const Adam& adam,
               const float* HWY_RESTRICT topics, const std::uint16_t* HWY_RESTRICT guess,
               float* HWY_RESTRICT products) {
  const hn::CappedTag<float, 16> d;
  constexpr std::size_t kLanes = hn::MaxLanes(d);
  constexpr std::size_t kVectors = std::min<std::size_t>(kBlock / kLanes, 8);
  constexpr std::size_t kTile = kVectors * kLanes;
  const std::size_t width = slice.width();
  const auto keep_mean = hn::Set(d, adam.decay_mean), add_mean = hn::Set(d, 1.0f - adam.decay_mean);
  const auto keep_variance = hn::Set(d, adam.decay_variance), add_variance = hn::Set(d, 1.0f - adam.decay_variance);
  const auto rate = hn::Set(d, adam.rate), epsilon = hn::Set(d, adam.epsilon);

  for (std::size_t n = 0; n < count; ++n) {
    if (n + 2 < count) prefetch_row(slice.word(words[n + 2].word), slice.stride());
    float* HWY_RESTRICT vector = slice.word(words[n].word);
    float* HWY_RESTRICT means = vector + width;
    float* HWY_RESTRICT variances = means + width;
    for (std::size_t k = 0; k < width; k += kTile) {
      hn::Vec<decltype(d)> gradient[kVectors];
      sum_tile<kVectors>(d, gradients + k, width, terms + words[n].begin, words[n + 1].begin - words[n].begin,
                         gradient);
      for (std::size_t v = 0; v < kVectors; ++v) {
        const std::size_t at = k + v * kLanes;
        const auto g = gradient[v];
        const auto mean = hn::MulAdd(keep_mean, hn::LoadU(d, means + at), hn::Mul(add_mean, g));
        const auto variance =
            hn::MulAdd(keep_variance, hn::LoadU(d, variances + at), hn::Mul(hn::Mul(add_variance, g), g));
        const auto step = hn::Div(hn::Mul(rate, mean), hn::Add(hn::Sqrt(variance), epsilon));
        hn::StoreU(mean, d, means + at);
        hn::StoreU(variance, d, variances + at);
        hn::StoreU(hn::Sub(hn::LoadU(d, vector + at), step), d, vector + at);
      }
    }
    if (topics) {
      DotBlocks(vector, topics + guess[words[n].word] * width, slice.blocks, products + words[n].word * slice.blocks);
    }
  }
}

}  // namespace idne::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace idne {

HWY_EXPORT(WeightedSum);
HWY_EXPORT(Dot);
HWY_EXPORT(DotBlocks);
HWY_EXPORT(AdamWords);

void weighted_sum(const float* rows, std::size_t stride, const Term* terms, std::size_t count, std::size_t width,
                  float* out) {
  HWY_DYNAMIC_DISPATCH(WeightedSum)(rows, stride, terms, count, width, out);
}

float dot(const float* a, const float* b, std::size_t width) { return HWY_DYNAMIC_DISPATCH(Dot)(a, b, width); }

void dot_blocks(const float* a, const float* b, std::size_t blocks, float* out) {
  HWY_DYNAMIC_DISPATCH(DotBlocks)(a, b, blocks, out);
}

void adam_words(const WordSlice& slice, const WordGradient* words, std::size_t count, const Term* terms,
                const float* gradients, const Adam& adam, const float* topics, const std::uint16_t* guess,
                float* products) {
  HWY_DYNAMIC_DISPATCH(AdamWords)(slice, words, count, terms, gradients, adam, topics, guess, products);
}

std::string kernel_target() {
  const auto targets = static_cast<std::uint64_t>(hwy::SupportedTargets());
  return hwy::TargetName(static_cast<decltype(hwy::SupportedTargets())>(targets & (~targets + 1)));
}

}  // namespace idne
#endif
