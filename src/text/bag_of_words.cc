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
