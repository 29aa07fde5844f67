#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "idne/explain.h"
#include "idne/model.h"
#include "math/placement.h"
#include "text/tfidf.h"

namespace idne {

/// Documents by the words that they share with a text: the product of their TF-IDF vectors, divided by the text's
/// length and the document's *pivoted* length, which is partly that of the mean document (Singhal, Buckley and Mitra,
/// 1996). The plain cosine favours short documents where BM25 does not; between them this is better than either on most
/// corpora (docs/suggest.md). About 1 where a text meets itself.
class WordIndex {
 public:
  /// Where documents are spread over processes, these are the ones that are here, and all count: a meeting of all.
  WordIndex(const BagsView& documents, std::size_t words, const Placement* spread = nullptr);

  const Tfidf& tfidf() const { return tfidf_; }
  std::size_t documents() const { return inverse_lengths_.size(); }

  /// Adds each document's likeness to `scores`, one per document. Cost: the documents that have the words.
  void add_scores(std::span<const WordCount> text, std::span<float> scores) const;
  /// What each word that a text and a document share adds to their likeness, largest first, `top` at most.
  std::vector<WordPart> parts(std::span<const WordCount> text, std::size_t document,
                              std::span<const WordCount> document_words, std::size_t top) const;

 private:
  Tfidf tfidf_;
  std::vector<float> inverse_lengths_;  ///< of the documents, pivoted
  std::vector<std::uint64_t> offsets_;  ///< by word
  std::vector<std::uint32_t> rows_;     ///< the documents that have it, rising
  std::vector<float> weights_;          ///< and what it weighs there
};

}  // namespace idne
