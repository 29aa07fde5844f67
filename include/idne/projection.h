#pragma once

#include <vector>

#include "idne/index.h"
#include "idne/model.h"
#include "idne/run.h"

namespace idne {

/// The map of all documents: two numbers each (x, y), row after row, within −1 … 1, alike documents near each other.
/// Documents with zero vectors lie on a ring around the others. The same numbers at any number of threads. Throws
/// Interrupted.
std::vector<float> project(const Model& model, const DocumentIndex& index, const Run& run);

}  // namespace idne
