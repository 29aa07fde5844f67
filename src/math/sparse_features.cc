#include "math/sparse_features.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "math/sparse_features.cc"
#include <hwy/foreach_target.h>  // NOLINT: includes this file once per target
#include <hwy/highway.h>

#ifndef IDNE_SPARSE_PART
#define IDNE_SPARSE_PART
namespace idne {

/// Some rows of a sparse matrix.
struct SparsePart {
  const std::uint64_t* offsets;  ///< one more than rows
  const std::uint32_t* numbers;
  const float* values;
  std::size_t rows;
};

}  // namespace idne
#endif

HWY_BEFORE_NAMESPACE();
namespace idne::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<float, kSparseLanes>;
constexpr std::size_t kVectors = kSparseLanes / hn::MaxLanes(Lanes());

void SparseTimes(const SparsePart& part, const float* HWY_RESTRICT in, float* HWY_RESTRICT out) {
  const Lanes d;
  const std::size_t n = hn::MaxLanes(d);
  for (std::size_t r = 0; r < part.rows; ++r) {
    hn::Vec<Lanes> sums[kVectors];
    for (auto& sum : sums) sum = hn::Zero(d);
    for (std::uint64_t e = part.offsets[r]; e < part.offsets[r + 1]; ++e) {
      const float* row = in + std::size_t{part.numbers[e]} * kSparseLanes;
      const auto value = hn::Set(d, part.values[e]);
      for (std::size_t v = 0; v < kVectors; ++v) sums[v] = hn::MulAdd(value, hn::LoadU(d, row + v * n), sums[v]);
    }
    for (std::size_t v = 0; v < kVectors; ++v) hn::StoreU(sums[v], d, out + r * kSparseLanes + v * n);
  }
}

void SparseTransposedTimes(const SparsePart& part, const float* HWY_RESTRICT in, float* HWY_RESTRICT out) {
  const Lanes d;
  const std::size_t n = hn::MaxLanes(d);
  for (std::size_t r = 0; r < part.rows; ++r) {
    hn::Vec<Lanes> factors[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) factors[v] = hn::LoadU(d, in + r * kSparseLanes + v * n);
    for (std::uint64_t e = part.offsets[r]; e < part.offsets[r + 1]; ++e) {
      float* row = out + std::size_t{part.numbers[e]} * kSparseLanes;
      const auto value = hn::Set(d, part.values[e]);
      for (std::size_t v = 0; v < kVectors; ++v) {
        hn::StoreU(hn::MulAdd(value, factors[v], hn::LoadU(d, row + v * n)), d, row + v * n);
      }
    }
  }
}

}  // namespace idne::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace idne {

HWY_EXPORT(SparseTimes);
HWY_EXPORT(SparseTransposedTimes);

void SparseFeatures::multiply(const float* in, std::size_t begin, std::size_t end, float* out) const {
  const SparsePart part{offsets_.data() + begin, numbers_.data(), values_.data(), end - begin};
  HWY_DYNAMIC_DISPATCH(SparseTimes)(part, in, out + begin * kSparseLanes);
}

void SparseFeatures::multiply_transposed(const float* in, std::size_t begin, std::size_t end, float* out) const {
  const SparsePart part{offsets_.data() + begin, numbers_.data(), values_.data(), end - begin};
  HWY_DYNAMIC_DISPATCH(SparseTransposedTimes)(part, in + begin * kSparseLanes, out);
}

}  // namespace idne
#endif
