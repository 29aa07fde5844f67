#pragma once

#include <vector>

#include "idne/run.h"
#include "math/sparse_features.h"

namespace idne {

/// Adds the sparse rows, or their transpose, times each vector to what is there; for some vectors at a time.
void add_sparse_product(const SparseFeatures& sparse, const std::vector<const float*>& from,
                        const std::vector<float*>& to, bool transposed, const Run& run);

}  // namespace idne
