#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "idne/text.h"

namespace idne {

/// What words weigh in a document: (1 + ln count) · (ln((1 + documents) / (1 + documents with the word)) + 1), as
/// scikit-learn has it with sublinear counts.
class Tfidf {
 public:
  /// `frequencies` says for each word how many of the documents have it.
  Tfidf(std::span<const std::uint32_t> frequencies, std::size_t documents) {
    const double all = static_cast<double>(documents) + 1;
    for (const std::uint32_t with : frequencies) idf_.push_back(static_cast<float>(std::log(all / (with + 1.0)) + 1));
  }

  std::size_t words() const { return idf_.size(); }
  float weight(const WordCount& entry) const {
    return (1 + std::log(static_cast<float>(entry.count))) * idf_[entry.word];
  }
  /// The length of the vector of these weights; 0 without words.
  double length(std::span<const WordCount> words) const {
    double square = 0;
    for (const WordCount& entry : words) square += std::pow(static_cast<double>(weight(entry)), 2);
    return std::sqrt(square);
  }

 private:
  std::vector<float> idf_;
};

}  // namespace idne
