#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "math/adam.h"
#include "math/parallel.h"
#include "model/saved_state.h"

namespace idne {

/// Adam for the rows of a matrix, applied only to the rows that a step touches.
class RowAdam {
 public:
  RowAdam(std::vector<float>& values, std::size_t width)
      : values_(values), width_(width), means_(values.size()), variances_(values.size()) {}

  /// Row rows[n] with gradient row n.
  void step(const Adam& adam, std::span<const std::uint32_t> rows, std::span<const float> gradients, int threads) {
    constexpr std::size_t kRows = 64;
    parallel_parts(threads, rows.size(), kRows, [&](std::size_t begin, std::size_t end) {
      for (std::size_t n = begin; n < end; ++n) {
        update(adam, rows[n] * width_, gradients.data() + n * width_);
      }
    });
  }
  /// All of it, as one row. REQUIRES: width is the whole.
  void step(const Adam& adam, std::span<const float> gradient) { update(adam, 0, gradient.data()); }

  /// Values and moments, as NAME, NAME.mean and NAME.variance; and back.
  void save(const std::string& name, SavedState& state) const {
    state.set(name, values_);
    state.set(name + ".mean", means_);
    state.set(name + ".variance", variances_);
  }
  void restore(const std::string& name, const SavedState& state) {
    std::ranges::copy(state.floats(name, values_.size()), values_.begin());
    std::ranges::copy(state.floats(name + ".mean", means_.size()), means_.begin());
    std::ranges::copy(state.floats(name + ".variance", variances_.size()), variances_.begin());
  }

 private:
  void update(const Adam& adam, std::size_t at, const float* gradient) {
    for (std::size_t k = 0; k < width_; ++k) {
      adam.step(gradient[k], values_[at + k], means_[at + k], variances_[at + k]);
    }
  }

  std::vector<float>& values_;
  std::size_t width_;
  std::vector<float> means_, variances_;
};

}  // namespace idne
