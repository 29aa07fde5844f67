#pragma once

#include <span>
#include <vector>

namespace idne {

/// Scales a vector to length 1; a zero vector stays.
void to_unit_length(std::span<float> vector);
/// The same for each row of `width`.
void rows_to_unit_length(std::vector<float>& rows, std::size_t width, int threads);

}  // namespace idne
