#pragma once

#include <hwy/targets.h>

#include <functional>
#include <string>
#include <vector>

#include "math/random.h"

namespace idne {

/// Runs the test on every instruction set that this CPU has, not on the best one alone.
inline void on_every_target(const std::function<void(const std::string& target)>& test) {
  for (const auto target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(target);
    test(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(0);
  }
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

/// The same on those that have fused multiply-add, which all give the same bits. False if this CPU has none: then the
/// test has shown nothing, and should say so (GTEST_SKIP).
inline bool on_every_fused_target(const std::function<void(const std::string& target)>& test) {
  bool any = false;
  on_every_target([&](const std::string& target) {
    if (!target.starts_with("AVX") && !target.starts_with("NEON") && !target.starts_with("SVE")) return;
    any = true;
    test(target);
  });
  return any;
}
inline constexpr const char* kNoFusedMultiplyAdd = "this CPU has no fused multiply-add";

inline std::vector<float> noise(std::size_t size, std::uint64_t seed) {
  Random random(seed, Purpose::Generate, 0);
  std::vector<float> values(size);
  for (float& value : values) value = random.truncated_normal();
  return values;
}

}  // namespace idne
