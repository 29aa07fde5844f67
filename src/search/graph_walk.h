#pragma once

#include <algorithm>

#include "search/codes.h"
#include "search/cosine.h"

namespace idne {

/// The best rows so far, best first, and which of them were looked around from.
class Beam {
 public:
  explicit Beam(std::size_t size) : size_(size) {
    hits_.reserve(size + 1);
    looked_.reserve(size + 1);
  }
  void offer(const Hit& hit) {
    if (hits_.size() == size_ && !better(hit, hits_.back())) return;
    const auto at = std::upper_bound(hits_.begin(), hits_.end(), hit, better) - hits_.begin();
    hits_.insert(hits_.begin() + at, hit);
    looked_.insert(looked_.begin() + at, 0);
    if (hits_.size() > size_) {
      hits_.pop_back();
      looked_.pop_back();
    }
    next_ = std::min(next_, static_cast<std::size_t>(at));
  }
  /// The best row that was not looked around from yet; false if there is none.
  bool next(std::size_t& row) {
    while (next_ < hits_.size() && looked_[next_]) ++next_;
    if (next_ == hits_.size()) return false;
    looked_[next_] = 1;
    row = hits_[next_].row;
    return true;
  }
  std::vector<Hit> take() { return std::move(hits_); }

 private:
  std::size_t size_, next_ = 0;
  std::vector<Hit> hits_;
  std::vector<char> looked_;
};

/// Marks a row; false if it was marked before.
inline bool mark(std::vector<std::uint64_t>& marks, std::size_t row) {
  const std::uint64_t bit = std::uint64_t{1} << (row % 64);
  if (marks[row / 64] & bit) return false;
  marks[row / 64] |= bit;
  return true;
}

/// Up to `beam` rows of a layer near the query, best first, looked for from these. layer.of(row) is what a row is
/// linked with.
template <class Layer>
std::vector<Hit> walk_layer(const Layer& layer, const Codes& codes, const Code& query, std::size_t beam,
                            const std::vector<Hit>& starts) {
  Beam best(beam);
  std::vector<std::uint64_t> seen(codes.rows() / 64 + 1);
  for (const Hit& start : starts) {
    best.offer(start);
    mark(seen, start.row);
  }
  std::vector<std::uint32_t> fresh;
  for (std::size_t from; best.next(from);) {
    fresh.clear();
    for (const std::uint32_t row : layer.of(from)) {
      if (!mark(seen, row)) continue;
      codes.prefetch(row);
      fresh.push_back(row);
    }
    for (const std::uint32_t row : fresh) best.offer({row, codes.cosine(query, codes[row])});
  }
  return best.take();
}

}  // namespace idne
