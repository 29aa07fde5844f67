#pragma once

#include <cstdint>
#include <vector>

#include "idne/model.h"
#include "math/placement.h"

namespace idne {

/// Of each word, how many of the documents have it; zeros if their words are not kept. Where documents are spread over
/// processes, all count: a meeting of all.
inline std::vector<std::uint32_t> document_frequencies(const BagsView& documents, std::size_t words,
                                                       const Placement* spread = nullptr) {
  std::vector<std::uint64_t> frequencies(words);
  for (const std::int32_t word : documents.words().values()) ++frequencies[static_cast<std::size_t>(word)];
  if (spread) spread->ranks()->add_up(frequencies);
  return {frequencies.begin(), frequencies.end()};
}
/// The same for documents of which there is no model.
inline std::vector<std::uint32_t> document_frequencies(const CountMatrix& counts, std::size_t words) {
  std::vector<std::uint32_t> frequencies(words);
  for (std::size_t i = 0; i < counts.rows(); ++i) {
    for (const WordCount& entry : counts.row(i)) ++frequencies[entry.word];
  }
  return frequencies;
}

}  // namespace idne
