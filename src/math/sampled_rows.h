#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "math/dense.h"
#include "math/kernels.h"
#include "math/sparse_features.h"

namespace idne {

/// Some rows of a matrix, sparse features before dense ones and a constant after them, that stand for all of its rows
/// where Xᵀ · diag(curvature) · X is wanted: a row of much curvature stands for itself, of the others one in so many
/// stands for its neighbours too. Where a few rows have most of the curvature, as those of a rare class, products are
/// made many times faster. They lie side by side, a copy.
class SampledRows {
 public:
  /// Takes about `most` rows, the same whatever runs beside it. REQUIRES: a curvature, finite and none below 0, for
  /// each row.
  void choose(const SparseFeatures& sparse, const Packed<float>& dense, std::span<const float> curvature,
              std::size_t most);
  std::size_t size() const { return weights_.size(); }
  /// out = Xᵀ · diag · X · in. REQUIRES: both have a number for each feature and one for the constant.
  void multiply(std::span<const float> in, std::span<float> out);

 private:
  std::size_t sparse_columns_ = 0, width_ = 0;
  std::vector<float> weights_, dense_, values_, sums_;
  std::vector<std::size_t> rows_, offsets_;
  std::vector<std::uint32_t> numbers_;
  std::vector<Term> terms_;
};

}  // namespace idne
