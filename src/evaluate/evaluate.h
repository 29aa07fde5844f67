#pragma once

#include <functional>
#include <string_view>

#include "idne/evaluate.h"
#include "methods/method.h"

namespace idne {

/// evaluate() with other methods than those of the registry.
using MethodFinder = std::function<const Method&(std::string_view name)>;
Evaluation evaluate(const Collection& collection, const EvaluateOptions& options, const MethodFinder& find_method,
                    const Run& run);

}  // namespace idne
