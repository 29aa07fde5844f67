#include "math/double_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "math/double_rows.cc"
#include <hwy/foreach_target.h>  // NOLINT: includes this file once per target
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace idne::rows::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<double, kLanes>;
using Vector = hn::Vec<Tag>;
constexpr std::size_t kWidth = hn::MaxLanes(Tag());
constexpr std::size_t kSums = kLanes / kWidth;  ///< vectors that make up the eight running sums

/// Adds eight running sums in one order for all vector widths.
HWY_INLINE double total(const Vector* sums) {
  const Tag d;
  HWY_ALIGN double lane[kLanes];
  for (std::size_t s = 0; s < kSums; ++s) hn::StoreU(sums[s], d, lane + s * kWidth);
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

double Dot(const double* HWY_RESTRICT a, const double* HWY_RESTRICT b, std::size_t n) {
  const Tag d;
  Vector sums[kSums];
  for (auto& sum : sums) sum = hn::Zero(d);
  for (std::size_t k = 0; k < n; k += kLanes) {
    for (std::size_t s = 0; s < kSums; ++s) {
      sums[s] = hn::MulAdd(hn::LoadU(d, a + k + s * kWidth), hn::LoadU(d, b + k + s * kWidth), sums[s]);
    }
  }
  return total(sums);
}

void AddScaled(double scale, const double* HWY_RESTRICT from, double* HWY_RESTRICT to, std::size_t n) {
  const Tag d;
  const auto factor = hn::Set(d, scale);
  std::size_t k = 0;
  for (; k + kWidth <= n; k += kWidth) {
    hn::StoreU(hn::MulAdd(factor, hn::LoadU(d, from + k), hn::LoadU(d, to + k)), d, to + k);
  }
  const hn::CappedTag<double, 1> one;
  for (; k < n; ++k) {
    hn::StoreU(hn::MulAdd(hn::Set(one, scale), hn::LoadU(one, from + k), hn::LoadU(one, to + k)), one, to + k);
  }
}

template <std::size_t kRows>
HWY_INLINE void update_rows(const Few& few, const RankTwo& by, std::size_t n, double* HWY_RESTRICT out) {
  const Tag d;
  Vector sums[kRows][kSums];
  for (auto& row : sums) {
    for (auto& sum : row) sum = hn::Zero(d);
  }
  const double *HWY_RESTRICT v = by.v, *HWY_RESTRICT w = by.w, *HWY_RESTRICT x = by.x;
  for (std::size_t k = 0; k < n; k += kLanes) {
    for (std::size_t s = 0; s < kSums; ++s) {
      const std::size_t at = k + s * kWidth;
      const auto v_at = hn::LoadU(d, v + at), w_at = hn::LoadU(d, w + at), x_at = hn::LoadU(d, x + at);
      for (std::size_t r = 0; r < kRows; ++r) {
        double* HWY_RESTRICT row = few.first + r * few.stride + at;
        auto value = hn::NegMulAdd(hn::Set(d, by.v_of_rows[r]), w_at, hn::LoadU(d, row));
        value = hn::NegMulAdd(hn::Set(d, by.w_of_rows[r]), v_at, value);
        hn::StoreU(value, d, row);
        sums[r][s] = hn::MulAdd(value, x_at, sums[r][s]);
      }
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) out[r] = total(sums[r]);
}

void UpdateAndMultiply(const Few& few, const RankTwo& by, std::size_t n, double* out) {
  switch (few.count) {
    case 1:
      return update_rows<1>(few, by, n, out);
    case 2:
      return update_rows<2>(few, by, n, out);
    case 3:
      return update_rows<3>(few, by, n, out);
    default:
      return update_rows<Few::kMaxRows>(few, by, n, out);
  }
}

template <std::size_t kRows>
HWY_INLINE void reflect_rows(const Few& few, double scale, const double* HWY_RESTRICT v, std::size_t n) {
  const Tag d;
  Vector sums[kRows][kSums];
  for (auto& row : sums) {
    for (auto& sum : row) sum = hn::Zero(d);
  }
  for (std::size_t k = 0; k < n; k += kLanes) {
    for (std::size_t s = 0; s < kSums; ++s) {
      const std::size_t at = k + s * kWidth;
      const auto v_at = hn::LoadU(d, v + at);
      for (std::size_t r = 0; r < kRows; ++r) {
        sums[r][s] = hn::MulAdd(hn::LoadU(d, few.first + r * few.stride + at), v_at, sums[r][s]);
      }
    }
  }
  Vector factor[kRows];
  for (std::size_t r = 0; r < kRows; ++r) factor[r] = hn::Set(d, scale * total(sums[r]));
  for (std::size_t k = 0; k < n; k += kWidth) {
    const auto v_at = hn::LoadU(d, v + k);
    for (std::size_t r = 0; r < kRows; ++r) {
      double* HWY_RESTRICT row = few.first + r * few.stride + k;
      hn::StoreU(hn::NegMulAdd(factor[r], v_at, hn::LoadU(d, row)), d, row);
    }
  }
}

void Reflect(const Few& few, double scale, const double* v, std::size_t n) {
  switch (few.count) {
    case 1:
      return reflect_rows<1>(few, scale, v, n);
    case 2:
      return reflect_rows<2>(few, scale, v, n);
    case 3:
      return reflect_rows<3>(few, scale, v, n);
    default:
      return reflect_rows<Few::kMaxRows>(few, scale, v, n);
  }
}

/// The lower row of one rotation is the upper one of the last: it stays in registers.
template <std::size_t kVectors>
HWY_INLINE void rotate_columns(double* HWY_RESTRICT last, std::size_t stride, const Rotation* HWY_RESTRICT rotations,
                               std::size_t count) {
  const Tag d;
  Vector lower[kVectors];
  for (std::size_t c = 0; c < kVectors; ++c) lower[c] = hn::LoadU(d, last + c * kWidth);
  for (std::size_t t = 0; t < count; ++t, last -= stride) {
    const auto cosine = hn::Set(d, rotations[t].cosine), sine = hn::Set(d, rotations[t].sine);
    for (std::size_t c = 0; c < kVectors; ++c) {
      const auto upper = hn::LoadU(d, last - stride + c * kWidth);
      hn::StoreU(hn::MulAdd(sine, upper, hn::Mul(cosine, lower[c])), d, last + c * kWidth);
      lower[c] = hn::NegMulAdd(sine, lower[c], hn::Mul(cosine, upper));
    }
  }
  for (std::size_t c = 0; c < kVectors; ++c) hn::StoreU(lower[c], d, last + c * kWidth);
}

void RotateUpwards(double* last, std::size_t stride, const Rotation* rotations, std::size_t count, std::size_t n) {
  constexpr std::size_t kVectors = 8;
  std::size_t k = 0;
  for (; k + kVectors * kWidth <= n; k += kVectors * kWidth) {
    rotate_columns<kVectors>(last + k, stride, rotations, count);
  }
  for (; k < n; k += kWidth) rotate_columns<1>(last + k, stride, rotations, count);
}

}  // namespace idne::rows::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace idne::rows {

HWY_EXPORT(Dot);
HWY_EXPORT(AddScaled);
HWY_EXPORT(UpdateAndMultiply);
HWY_EXPORT(Reflect);
HWY_EXPORT(RotateUpwards);

double dot(const double* a, const double* b, std::size_t n) { return HWY_DYNAMIC_DISPATCH(Dot)(a, b, n); }

void add_scaled(double scale, const double* from, double* to, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(AddScaled)(scale, from, to, n);
}

void update_and_multiply(const Few& few, const RankTwo& by, std::size_t n, double* out) {
  HWY_DYNAMIC_DISPATCH(UpdateAndMultiply)(few, by, n, out);
}

void reflect(const Few& few, double scale, const double* v, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(Reflect)(few, scale, v, n);
}

void rotate_upwards(double* last, std::size_t stride, const Rotation* rotations, std::size_t count, std::size_t n) {
  HWY_DYNAMIC_DISPATCH(RotateUpwards)(last, stride, rotations, count, n);
}

}  // namespace idne::rows
#endif
