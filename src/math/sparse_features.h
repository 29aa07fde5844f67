#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace idne {

/// Vectors that are multiplied at once: they lie interleaved, number k of all of them before number k + 1 of any.
inline constexpr std::size_t kSparseLanes = 16;

/// A matrix that is mostly zeros, row after row. Each sum of a product is a chain of fused multiply-adds in the order
/// of the rows and of what was added to them: the same bits whatever the other lanes hold, and on every CPU that has
/// fused multiply-add.
class SparseFeatures {
 public:
  explicit SparseFeatures(std::size_t columns = 0) : columns_(columns) {}

  std::size_t rows() const { return offsets_.size() - 1; }
  std::size_t columns() const { return columns_; }
  std::size_t entries() const { return values_.size(); }

  /// Adds to the row that is being made. REQUIRES: column < columns().
  void add(std::uint32_t column, float value) {
    numbers_.push_back(column);
    values_.push_back(value);
  }
  void end_row() { offsets_.push_back(values_.size()); }

  struct Row {
    std::span<const std::uint32_t> columns;
    std::span<const float> values;
  };
  Row row(std::size_t r) const {
    const std::size_t begin = offsets_[r], count = offsets_[r + 1] - begin;
    return {{numbers_.data() + begin, count}, {values_.data() + begin, count}};
  }

  /// out[r] = Σ value · in[column] for the rows from begin to end, in each lane.
  /// REQUIRES: `in` has columns() · kSparseLanes numbers, `out` rows() · kSparseLanes.
  void multiply(const float* in, std::size_t begin, std::size_t end, float* out) const;
  /// out[column] += value · in[r] for the rows from begin to end, in each lane.
  /// REQUIRES: `in` has rows() · kSparseLanes numbers, `out` columns() · kSparseLanes.
  void multiply_transposed(const float* in, std::size_t begin, std::size_t end, float* out) const;

 private:
  std::size_t columns_;
  std::vector<std::uint64_t> offsets_{0};
  std::vector<std::uint32_t> numbers_;  ///< of columns
  std::vector<float> values_;
};

}  // namespace idne
