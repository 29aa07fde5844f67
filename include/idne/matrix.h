#pragma once

#include <cstddef>
#include <span>

namespace idne {

/// Rows of floats that somebody else owns.
struct MatrixView {
  const float* data = nullptr;
  std::size_t rows = 0;
  std::size_t columns = 0;

  std::span<const float> row(std::size_t i) const { return {data + i * columns, columns}; }
};

}  // namespace idne
