#pragma once

#include <vector>

#include "idne/run.h"
#include "math/sparse_features.h"

namespace idne {

/// Room for add_sparse_product(), to be kept between calls: for Debian's labels it takes a tenth of the time to ask the
/// system for so many megabytes each time.
struct SparseProductRoom {
  struct Part {
    std::vector<float> in, out;
  };
  std::vector<Part> parts;
};

/// Adds the sparse rows, or their transpose, times each vector to what is there; for some vectors at a time.
void add_sparse_product(const SparseFeatures& sparse, const std::vector<const float*>& from,
                        const std::vector<float*>& to, bool transposed, SparseProductRoom& room, const Run& run);

}  // namespace idne
