#include "methods/neighbours.h"

#include <algorithm>
#include <cmath>

#include "math/kernels.h"

namespace idne {
namespace {

void to_unit_length(std::span<float> row) {
  const float square = dot(row.data(), row.data(), row.size());
  if (square <= 0) return;
  const float scale = 1 / std::sqrt(square);
  for (float& value : row) value *= scale;
}

}  // namespace

std::vector<float> neighbour_levels(MatrixView text, const Network& network, std::size_t hops, int threads) {
  const std::size_t width = text.columns, size = text.rows * width;
  std::vector<float> level(text.data, text.data + size);
  for (std::size_t i = 0; i < text.rows; ++i) to_unit_length({level.data() + i * width, width});
  std::vector<float> levels = level;
  for (std::size_t hop = 0; hop < hops; ++hop) {
    level = network.neighbour_means(level, width, 1, threads);
    levels.insert(levels.end(), level.begin(), level.end());
  }
  return levels;
}

std::vector<float> join_levels(MatrixView levels, std::size_t documents) {
  const std::size_t width = levels.columns;
  const std::size_t last = levels.rows - documents;
  std::vector<float> joined(2 * documents * width);
  for (std::size_t i = 0; i < documents; ++i) {
    float* row = joined.data() + 2 * i * width;
    std::copy_n(levels.row(i).data(), width, row);
    std::copy_n(levels.row(last + i).data(), width, row + width);
    to_unit_length({row + width, width});
  }
  return joined;
}

std::vector<float> join_neighbours(MatrixView text, const Network& network, std::size_t hops, int threads) {
  const std::vector<float> levels = neighbour_levels(text, network, hops, threads);
  return join_levels({levels.data(), (hops + 1) * text.rows, text.columns}, text.rows);
}

void join_new(MatrixView levels, std::size_t documents, std::span<const float> text,
              std::span<const std::uint32_t> neighbours, std::span<float> out) {
  const std::size_t width = text.size();
  const std::span<float> own = out.first(width), mean = out.subspan(width);
  std::copy(text.begin(), text.end(), own.begin());
  to_unit_length(own);
  std::copy(own.begin(), own.end(), mean.begin());
  for (std::size_t first = 0; first + documents <= levels.rows; first += documents) {
    for (const std::uint32_t near : neighbours) {
      const auto row = levels.row(first + near);
      for (std::size_t k = 0; k < width; ++k) mean[k] += row[k];
    }
    for (float& value : mean) value /= static_cast<float>(neighbours.size() + 1);
  }
  to_unit_length(mean);
}

}  // namespace idne
