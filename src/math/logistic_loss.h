#pragma once

#include <cstddef>

namespace idne {

/// Where the loss of logistic regression is taken, and what it is made of. Arrays are padded to a multiple of
/// kLossLanes, with weights of zero.
struct LossInput {
  const float* margins;    ///< w·x of each row
  const float* direction;  ///< what they change by
  float step;              ///< and how far along it
  const float* weights;    ///< with the sign of the class; 0 for a row that takes no part
  float c;
  std::size_t rows;
};
inline constexpr std::size_t kLossLanes = 16;

/// c · Σ |weight| · log(1 + exp(−sign · margin)) and, for each row, its first and second derivative by the margin.
double logistic_loss(const LossInput& in, float* first, float* second);

}  // namespace idne
