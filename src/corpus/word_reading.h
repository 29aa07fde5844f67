#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "idne/corpus.h"
#include "text/forms.h"
#include "text/joins.h"
#include "text/languages.h"
#include "text/stop_words.h"

namespace idne {

/// The words of one block of documents; numbers are local to it. Which of them are stop words may depend on the
/// corpus's languages, and so on documents that are not read yet: words of grammar wait, and so do runs of words.
class BlockWords {
 public:
  StringTable tokens;
  CountMatrix counts;
  FormCounts forms;

  /// Words of grammar of document i, by their numbers in FunctionWords.
  std::vector<WordCount> function_words(std::size_t document) const;
  std::size_t documents() const { return counts.rows(); }

 private:
  friend class WordReading;
  /// Small: every document has many. A word that occurs oftener is there several times.
  struct SmallCount {
    std::uint16_t word, count;
  };
  std::vector<SmallCount> function_words_;
  std::vector<std::uint64_t> function_ends_;
  std::vector<std::uint32_t> words_;      ///< of each document, all of them
  std::vector<std::uint32_t> odd_words_;  ///< of each document, in a script that no known language is written in
  std::vector<std::uint32_t> run_words_;  ///< see WordReading::Run
  std::vector<std::uint64_t> run_ends_;
};

/// From texts to a collection's words: every document is cut when it is read, and when all are, languages are told and
/// words counted. Stems and stop words are settled here; docs/text.md.
class WordReading {
 public:
  explicit WordReading(const ReadOptions& options);

  /// Cuts a text, for many at once: everything that changes is in the arguments.
  void read(std::string_view text, Tokenizer& tokenizer, BlockWords& block) const;
  /// In the documents' order.
  void join(BlockWords&& block);
  /// Fills tokens, counts, forms, runs, text and languages.
  void finish(Collection& collection) &&;

 private:
  class Finisher;

  void tell_languages(Collection& collection);

  ReadOptions options_;
  bool by_language_ = false;  ///< stop words are those of the languages
  bool guesses_ = false;      ///< languages are told from the texts
  bool counts_function_words_ = false;
  LanguageSet languages_ = 0;
  StopWords stop_;  ///< left out at once
  std::vector<BlockWords> blocks_;
  StringTable tokens_;
  FormCounts forms_;
};

}  // namespace idne
