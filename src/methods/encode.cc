#include "methods/encode.h"

#include <algorithm>

#include "math/parallel.h"

namespace idne {

std::vector<float> encode_all(const CountMatrix& counts, const Encoder& encoder, const Run& run) {
  const std::size_t dimensions = encoder.dimensions();
  std::vector<float> vectors(counts.rows() * dimensions);
  constexpr std::size_t kRows = 1024;
  parallel_parts(run.threads, counts.rows(), kRows, [&](std::size_t begin, std::size_t end) {
    run.check();
    for (std::size_t i = begin; i < end; ++i) {
      encoder.encode(counts.row(i), {vectors.data() + i * dimensions, dimensions});
    }
  });
  return vectors;
}

}  // namespace idne
