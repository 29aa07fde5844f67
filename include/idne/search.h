#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "idne/model.h"

namespace idne {

struct Hit {
  std::size_t row;
  float score;  ///< cosine
};

/// The rows nearest to a vector by cosine, best first, ties by row number. A zero row has cosine 0 with everything.
std::vector<Hit> nearest(MatrixView rows, std::span<const float> query, std::size_t count, int threads);

}  // namespace idne
