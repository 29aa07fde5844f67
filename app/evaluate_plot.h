#pragma once

#include <optional>

#include "verbs/evaluate.h"

namespace idne::app {

/// Where a contestant of a sweep stands on the axis; nothing for one that is not swept, or over words.
std::optional<double> swept_number(const Contestant& contestant, const Sweep& sweep);

/// The paper's figure: a line per ratio or, without classification, per task and metric.
Plot plot_of(const Evaluation& evaluation, const EvaluateOptions& options, const Sweep& sweep);

}  // namespace idne::app
