#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "idne/keywords.h"
#include "idne/model.h"
#include "idne/string_table.h"

namespace idne {

/// How often a document has a word.
struct Posting {
  std::uint32_t row;
  std::uint32_t count;
  bool operator==(const Posting&) const = default;
};

/// For each word the documents that have it in their text, title or id, by row.
class Postings {
 public:
  /// Words of `left_out` are not kept, unless they are among the model's words. Without `text_of` texts have the words
  /// that the model kept of them.
  Postings(const Model& model, const TextOf& text_of, const StringTable& left_out);

  std::optional<std::uint32_t> find(std::string_view word) const { return words_.find(word); }
  std::span<const Posting> of(std::uint32_t word) const {
    return std::span(postings_).subspan(offsets_[word], offsets_[word + 1] - offsets_[word]);
  }
  std::vector<std::uint32_t> words_with_prefix(std::string_view prefix) const;
  /// Words that are a typo away from one.
  std::vector<std::uint32_t> words_near(std::string_view word) const;
  std::string_view spelling(std::uint32_t word) const { return words_[word]; }
  /// As if these words were one.
  std::vector<Posting> joined(std::span<const std::uint32_t> words) const;

  /// The number of a document's words, repeats included.
  double length(std::size_t row) const { return lengths_[row]; }
  double mean_length() const { return mean_length_; }

 private:
  StringTable words_;  ///< the model's, with its numbers, then the others
  std::vector<std::uint32_t> by_spelling_;
  std::vector<std::uint64_t> offsets_;
  std::vector<Posting> postings_;
  std::vector<std::uint32_t> lengths_;
  double mean_length_ = 0;
};

}  // namespace idne
