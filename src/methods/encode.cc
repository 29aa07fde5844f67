#include "methods/encode.h"

#include <algorithm>

#include "math/parallel.h"

namespace idne {

std::vector<float> encode_all(const CountMatrix& counts, const Encoder& encoder, const Run& run) {
  const std::size_t dimensions = encoder.dimensions();
  std::vector<float> vectors(counts.rows() * dimensions);
  constexpr std::size_t kRows = 1024;
  parallel_for(run.threads, (counts.rows() + kRows - 1) / kRows, [&](std::size_t part, std::size_t) {
    run.check();
    for (std::size_t i = part * kRows; i < std::min(counts.rows(), (part + 1) * kRows); ++i) {
      encoder.encode(counts.row(i), {vectors.data() + i * dimensions, dimensions});
    }
  });
  return vectors;
}

}  // namespace idne
