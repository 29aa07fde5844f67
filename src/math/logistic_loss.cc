#include "math/logistic_loss.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "math/logistic_loss.cc"
#include <hwy/foreach_target.h>  // NOLINT: includes this file once per target
#include <hwy/highway.h>
// clang-format off: after the two above
#include <hwy/contrib/math/math-inl.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace idne::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

double LossAt(const LossInput& in, float* HWY_RESTRICT first, float* HWY_RESTRICT second) {
  const hn::CappedTag<float, kLossLanes> d;
  constexpr std::size_t kLanes = hn::MaxLanes(d);
  const auto one = hn::Set(d, 1.0f), zero = hn::Zero(d), c = hn::Set(d, in.c), step = hn::Set(d, in.step);
  double loss = 0;
  HWY_ALIGN float lanes[kLanes];
  for (std::size_t k = 0; k < in.rows; k += kLanes) {
    const auto signed_weight = hn::Mul(c, hn::LoadU(d, in.weights + k));
    const auto weight = hn::Abs(signed_weight);
    auto margin = hn::MulAdd(step, hn::LoadU(d, in.direction + k), hn::LoadU(d, in.margins + k));
    margin = hn::Mul(hn::CopySign(one, signed_weight), margin);
    const auto e = hn::Exp(d, hn::Neg(hn::Abs(margin)));
    const auto share = hn::Div(one, hn::Add(one, e));  // of the likelier class
    const auto wrong = hn::IfThenElse(hn::Lt(margin, zero), share, hn::Mul(e, share));
    hn::StoreU(hn::Neg(hn::Mul(signed_weight, wrong)), d, first + k);
    hn::StoreU(hn::Mul(hn::Mul(weight, e), hn::Mul(share, share)), d, second + k);
    const auto row_loss = hn::Add(hn::Max(hn::Neg(margin), zero), hn::Log1p(d, e));
    hn::Store(hn::Mul(weight, row_loss), d, lanes);
    for (std::size_t lane = 0; lane < kLanes; ++lane) loss += static_cast<double>(lanes[lane]);
  }
  return loss;
}

}  // namespace idne::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace idne {

HWY_EXPORT(LossAt);

double logistic_loss(const LossInput& in, float* first, float* second) {
  return HWY_DYNAMIC_DISPATCH(LossAt)(in, first, second);
}

}  // namespace idne
#endif
