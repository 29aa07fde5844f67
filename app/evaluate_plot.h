#pragma once

#include <optional>
#include <string>
#include <vector>

#include "idne/evaluate.h"

namespace idne::app {

/// An option that runs through several values.
struct Sweep {
  std::string name;
  std::vector<std::string> values;
};

/// Where a contestant of a sweep stands on the axis; nothing for one that is not swept, or over words.
std::optional<double> swept_number(const Contestant& contestant, const Sweep& sweep);

/// The paper's figure: a line per ratio or, without classification, per task and metric.
Plot plot_of(const Evaluation& evaluation, const EvaluateOptions& options, const Sweep& sweep);

}  // namespace idne::app
