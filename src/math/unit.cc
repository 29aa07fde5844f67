#include "math/unit.h"

#include <cmath>

#include "math/kernels.h"
#include "math/parallel.h"

namespace idne {

void to_unit_length(std::span<float> vector) {
  const float square = dot(vector.data(), vector.data(), vector.size());
  if (square <= 0) return;
  const float scale = 1 / std::sqrt(square);
  for (float& value : vector) value *= scale;
}

void rows_to_unit_length(std::vector<float>& rows, std::size_t width, int threads) {
  parallel_parts(threads, rows.size() / width, 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) to_unit_length({rows.data() + i * width, width});
  });
}

}  // namespace idne
