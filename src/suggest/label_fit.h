#pragma once

#include <cstdint>
#include <span>

#include "suggest/label_head.h"

namespace idne {

LabelFit choose_fit(const LabelledDocuments& documents, std::span<const std::uint32_t> useful, const Run& run);

/// What an outcome's log odds were said to be, and whether it came.
struct Forecasted {
  float log_odds;
  bool came;
};
/// Slope and shift with which the outcomes are most probable.
LabelFit platt_scaling(std::span<const Forecasted> outcomes, LabelFit fit);

}  // namespace idne
