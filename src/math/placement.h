#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "math/ranks.h"

namespace idne {

/// Which process has which documents: rank r has those from first[r] up to first[r + 1]. One process has all.
class Placement {
 public:
  explicit Placement(std::size_t documents = 0) : first_{0, documents} {}
  /// Each rank brings so many; a meeting of all.
  Placement(Ranks& ranks, std::size_t own) : ranks_(&ranks), number_(ranks.number()), first_{0} {
    for (const std::uint64_t count : all_of(ranks, static_cast<std::uint64_t>(own))) {
      first_.push_back(first_.back() + count);
    }
  }

  /// Null if all documents are here.
  Ranks* ranks() const { return ranks_; }
  std::size_t all() const { return first_.back(); }
  std::size_t begin() const { return first_[number_]; }
  std::size_t end() const { return first_[number_ + 1]; }
  std::size_t own() const { return end() - begin(); }
  bool here(std::size_t document) const { return document >= begin() && document < end(); }
  std::size_t owner(std::size_t document) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(first_, document) - first_.begin()) - 1;
  }

 private:
  Ranks* ranks_ = nullptr;
  std::size_t number_ = 0;
  std::vector<std::size_t> first_;
};

}  // namespace idne
