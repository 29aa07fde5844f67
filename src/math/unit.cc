#include "math/unit.h"

#include <algorithm>
#include <cmath>

#include "math/kernels.h"
#include "math/parallel.h"

namespace idne {
namespace {

constexpr std::size_t kRowsPerPart = 256;

/// For vectors whose square a float does not hold.
void very_long_or_short_to_unit_length(std::span<float> vector) {
  const double length = length_of(vector);
  if (length <= 0) return;
  const double scale = 1 / length;
  for (float& value : vector) value = static_cast<float>(static_cast<double>(value) * scale);
}

}  // namespace

double length_of(std::span<const float> vector) {
  double square = 0;
  for (const float value : vector) square += static_cast<double>(value) * static_cast<double>(value);
  return std::sqrt(square);
}

void to_unit_length(std::span<float> vector) {
  const float square = dot(vector.data(), vector.data(), vector.size());
  if (!(square > 1e-30f && square < 1e30f)) return very_long_or_short_to_unit_length(vector);
  const float scale = 1 / std::sqrt(square);
  for (float& value : vector) value *= scale;
}

void rows_to_unit_length(std::vector<float>& rows, std::size_t width, int threads) {
  parallel_parts(threads, rows.size() / width, kRowsPerPart, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) to_unit_length({rows.data() + i * width, width});
  });
}

std::vector<float> unit_rows(MatrixView rows, int threads) {
  std::vector<float> result(rows.data, rows.data + rows.rows * rows.columns);
  rows_to_unit_length(result, rows.columns, threads);
  return result;
}

std::vector<float> unit_rows(MatrixView rows, std::span<const std::uint32_t> chosen, int threads) {
  std::vector<float> result(chosen.size() * rows.columns);
  parallel_parts(threads, chosen.size(), kRowsPerPart, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      const std::span<float> out(result.data() + n * rows.columns, rows.columns);
      std::ranges::copy(rows.row(chosen[n]), out.begin());
      to_unit_length(out);
    }
  });
  return result;
}

}  // namespace idne
