#pragma once

#include "math/placement.h"
#include "model/container.h"

namespace idne {

/// Writes a model whose documents are spread over processes: each gives a container that has its own documents, and
/// rank 0 writes the bytes that one process with all of them would write, piece by piece. A meeting of all.
void save_spread(const std::filesystem::path& path, int version, Container container, const Placement& spread,
                 const Run& run);

}  // namespace idne
