#pragma once

#include <cstdint>
#include <span>

#include "suggest/label_head.h"

namespace idne {

/// How closely the regressions should follow the documents (C of logistic regression), and what their log odds are
/// multiplied by and moved by afterwards, so that probabilities are right as often as they say (Platt's scaling, one
/// for all labels): regressions are a little too sure, or not sure enough, of documents that they have not seen.
struct LabelFit {
  double c = 10, slope = 1, shift = 0;
};
LabelFit choose_fit(const LabelledDocuments& documents, std::span<const std::uint32_t> useful, const Run& run);

/// What an outcome's log odds were said to be, and whether it came.
struct Forecasted {
  float log_odds;
  bool came;
};
/// Slope and shift with which the outcomes are most probable.
LabelFit platt_scaling(std::span<const Forecasted> outcomes, LabelFit fit);

}  // namespace idne
