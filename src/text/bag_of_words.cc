#include <algorithm>

#include "idne/text.h"

namespace idne {

std::uint64_t CountMatrix::length(std::size_t i) const {
  std::uint64_t sum = 0;
  for (const WordCount& entry : row(i)) sum += entry.count;
  return sum;
}

void CountMatrix::reserve(std::size_t rows, std::size_t entries) {
  offsets_.reserve(rows + 1);
  entries_.reserve(entries);
}

void CountMatrix::add_row(std::span<const WordCount> row) {
  entries_.insert(entries_.end(), row.begin(), row.end());
  offsets_.push_back(entries_.size());
}

void CountMatrix::add_to_rows(const CountMatrix& more) {
  entries_.resize(entries_.size() + more.entries());
  // From the end, so that nothing is written over before it was moved.
  for (std::size_t i = rows(); i-- > 0;) {
    const auto added = more.row(i);
    const auto end = entries_.begin() + static_cast<std::ptrdiff_t>(offsets_[i + 1] + more.offsets_[i + 1]);
    const auto middle = end - static_cast<std::ptrdiff_t>(added.size());
    std::copy_backward(entries_.begin() + static_cast<std::ptrdiff_t>(offsets_[i]),
                       entries_.begin() + static_cast<std::ptrdiff_t>(offsets_[i + 1]), middle);
    std::copy(added.begin(), added.end(), middle);
    offsets_[i + 1] += more.offsets_[i + 1];
  }
}

std::vector<WordCount> count_words(std::vector<std::uint32_t> words) {
  std::sort(words.begin(), words.end());
  std::vector<WordCount> counts;
  for (const std::uint32_t word : words) {
    if (counts.empty() || counts.back().word != word) counts.push_back({word, 0});
    ++counts.back().count;
  }
  return counts;
}

}  // namespace idne
