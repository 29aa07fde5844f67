#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "math/random.h"

namespace idne {

/// Draws numbers in proportion to fixed weights, in the same short time whatever their number (Walker; Vose, 1991).
class AliasTable {
 public:
  /// REQUIRES: fewer than 2³² weights, none negative, one of them positive.
  explicit AliasTable(std::span<const double> weights);
  /// Never one with weight 0.
  std::uint32_t draw(Random& random) const {
    const std::uint32_t column = random.below(static_cast<std::uint32_t>(columns_.size()));
    return random.bits32() < columns_[column].keep ? column : columns_[column].other;
  }

 private:
  struct Column {
    std::uint64_t keep;  ///< of 2³² draws, those that stay here
    std::uint32_t other;
  };
  std::vector<Column> columns_;
};

}  // namespace idne
