#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "idne/matrix.h"

namespace idne {

/// In double precision, whatever the vector holds.
double length_of(std::span<const float> vector);
/// Scales a vector to length 1; a zero vector stays.
void to_unit_length(std::span<float> vector);
/// The same for each row of `width`.
void rows_to_unit_length(std::vector<float>& rows, std::size_t width, int threads);

/// Copies of all rows, or of the chosen ones in their order, at unit length.
std::vector<float> unit_rows(MatrixView rows, int threads);
std::vector<float> unit_rows(MatrixView rows, std::span<const std::uint32_t> chosen, int threads);

}  // namespace idne
