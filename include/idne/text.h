#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "idne/string_table.h"

namespace idne {

/// A word as it stands in a text: bytes begin … end of the text, and its normal form.
struct Token {
  std::string_view word;  ///< valid until the next call of Tokenizer::next or start
  std::size_t begin = 0;
  std::size_t end = 0;
  bool as_written = false;  ///< the text is known to have it in its normal form
};

/// Cuts texts into words: lower case, markup out, letters and digits with their marks kept, Latin letters to ASCII,
/// one-character words out unless they are ideographs or Hangul. Scripts written without spaces are cut by ICU's
/// dictionaries. Text is UTF-8; broken bytes count as spaces. Not for use by two threads at once.
class Tokenizer {
 public:
  Tokenizer();
  ~Tokenizer();
  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;

  /// Begins a text, which must live as long as it is read.
  void start(std::string_view text);
  /// The next word; false at the end.
  bool next(Token& token);

 private:
  struct Unicode;
  bool next_segment(Token& token);
  void cut_run(std::size_t begin, std::size_t end);
  bool take_word(Token& token);

  std::string_view text_;
  std::size_t at_ = 0;
  std::array<char, 16> short_word_{};
  std::string word_;
  std::unique_ptr<Unicode> unicode_;
};

/// How often a word occurs in a document.
struct WordCount {
  std::uint32_t word;
  std::uint32_t count;
  bool operator==(const WordCount&) const = default;
};

/// The bags of words of many documents, one after the other.
class CountMatrix {
 public:
  std::size_t rows() const { return offsets_.size() - 1; }
  std::span<const WordCount> row(std::size_t i) const {
    return std::span(entries_).subspan(offsets_[i], offsets_[i + 1] - offsets_[i]);
  }
  /// |X_i|: the number of words of document i, repeats included.
  std::uint64_t length(std::size_t i) const;
  std::size_t entries() const { return entries_.size(); }

  void reserve(std::size_t rows, std::size_t entries);
  /// Adds a document. REQUIRES: each word once.
  void add_row(std::span<const WordCount> row);
  /// Adds to each row that of `more`, which has as many. REQUIRES: no row has a word of the other. Takes little memory.
  void add_to_rows(const CountMatrix& more);

 private:
  std::vector<std::uint64_t> offsets_{0};
  std::vector<WordCount> entries_;
};

/// Which words are kept (DESIGN: at least 5 times in the corpus, in at most 25 % of the documents).
struct VocabularyRule {
  std::uint64_t min_count = 5;
  double max_share = 0.25;
};

/// The kept words, most frequent first, then by spelling.
struct Vocabulary {
  StringTable words;
  std::vector<std::uint64_t> counts;
};

/// Sorts words by number and joins the repeats.
std::vector<WordCount> count_words(std::vector<std::uint32_t> words);

}  // namespace idne
