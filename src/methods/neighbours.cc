#include "methods/neighbours.h"

#include <cmath>

#include "math/kernels.h"

namespace idne {
namespace {

void to_unit_length(std::vector<float>& rows, std::size_t width) {
  for (std::size_t at = 0; at < rows.size(); at += width) {
    const float square = dot(rows.data() + at, rows.data() + at, width);
    if (square <= 0) continue;
    const float scale = 1 / std::sqrt(square);
    for (std::size_t k = 0; k < width; ++k) rows[at + k] *= scale;
  }
}

}  // namespace

std::vector<float> join_neighbours(MatrixView text, const Network& network, std::size_t hops, int threads) {
  const std::size_t width = text.columns;
  std::vector<float> own(text.data, text.data + text.rows * width);
  to_unit_length(own, width);
  std::vector<float> means = own;
  for (std::size_t hop = 0; hop < hops; ++hop) means = network.neighbour_means(means, width, 1, threads);
  to_unit_length(means, width);
  std::vector<float> joined(2 * own.size());
  for (std::size_t i = 0; i < text.rows; ++i) {
    std::copy_n(own.data() + i * width, width, joined.data() + 2 * i * width);
    std::copy_n(means.data() + i * width, width, joined.data() + (2 * i + 1) * width);
  }
  return joined;
}

}  // namespace idne
