#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "corpus/bags.h"
#include "idne/text.h"

namespace idne {

/// Up to `most` of the numbers below `count`, evenly spread, rising; all of them if there are no more. Within its even
/// part each is drawn, so that documents that come in turns are not left out; always the same ones.
std::vector<std::uint32_t> even_sample(std::size_t count, std::size_t most);

/// The bags of words of these documents.
CountMatrix rows_of(const CountMatrix& counts, const std::vector<std::uint32_t>& documents);

/// The bags of documents that may be named often, each once, and that may be elsewhere. A meeting of all.
class DistinctRows {
 public:
  DistinctRows(const Bags& bags, std::vector<std::uint32_t> documents);
  /// Of one of them.
  std::span<const WordCount> operator[](std::uint32_t document) const { return rows_.row(place(document)); }
  std::size_t place(std::uint32_t document) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(documents_, document) - documents_.begin());
  }
  const CountMatrix& rows() const { return rows_; }

 private:
  std::vector<std::uint32_t> documents_;  ///< rising
  CountMatrix rows_;
};

}  // namespace idne
