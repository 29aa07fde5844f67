#pragma once

#include <span>

#include "idne/checkpoint.h"
#include "idne/evaluate.h"

/// What is asked of an evaluation.
namespace idne {

bool wants(const EvaluateOptions& options, Task task);

/// Throws Error if the corpus lacks what a task needs. `labelled`: how many documents have a label.
void check_possible(const Collection& collection, const EvaluateOptions& options, std::size_t labelled);

/// A contestant's options in a repeat, which has a seed of its own.
Options seeded(const Options& options, std::size_t repeat);

/// All that the figures depend on. `ratios`: those asked for, or the usual ones.
RunKey evaluation_key(const Collection& collection, const EvaluateOptions& options, std::span<const double> ratios);

}  // namespace idne
