#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "idne/corpus.h"
#include "math/ranks.h"
#include "text/forms.h"
#include "text/joins.h"
#include "text/languages.h"
#include "text/stop_words.h"

namespace idne {

/// The words that one thread has met, from block to block: most of a block's words were in the one before. What the
/// thread reads with and what blocks are joined with are apart, as both may be used at once.
class Lexicon {
 public:
  static constexpr std::uint32_t kNone = ~0u;
  /// What a token is, found out once and not at every occurrence.
  struct Kind {
    std::uint32_t function_word = kNone;
    bool left_out = false;   ///< whatever the languages are
    bool ideograph = false;  ///< a single one
    bool unlisted = false;   ///< in a script or letters that no known language is written in
  };

 private:
  friend class WordReading;
  friend class BlockWords;
  /// Each thread has one: with more words than this it begins anew.
  static constexpr std::size_t kManyTokens = std::size_t{1} << 17;

  // The thread's.
  StringTable tokens_;
  std::vector<Kind> kinds_;
  // In the document that is read, how often each of FunctionWords and each token occurs; zeros between two documents.
  std::vector<std::uint32_t> times_, token_times_;
  // Of those that join: what the tokens of the blocks so far are in the corpus.
  struct Joined {
    std::uint32_t number, function_word;
  };
  std::vector<Joined> joined_;
};

/// A thread's lexicon, of which it may need more than one in its life.
using LexiconOfThread = std::shared_ptr<Lexicon>;

/// The words of one block of documents; numbers are those of the lexicon of the thread that read it. Which of them are
/// stop words may depend on the corpus's languages, and so on documents that are not read yet: words of grammar wait,
/// and so do runs of words.
class BlockWords {
 public:
  std::size_t documents() const { return function_ends_.size(); }
  /// Words of grammar of document i, by their numbers in FunctionWords, sorted.
  void function_words(std::size_t document, std::vector<WordCount>& words) const;

 private:
  friend class WordReading;
  // An entry of run_words_: a number of a token, or with kGrammar of FunctionWords.
  static constexpr std::uint32_t kBreak = ~0u, kCapital = 1u << 30, kGrammar = 1u << 29, kNumber = kGrammar - 1;
  // An entry of function_words_: a number of FunctionWords and a count, in two bytes: every document has dozens. A word
  // that occurs oftener is there several times.
  static constexpr unsigned kCountBits = 3, kMostCounted = (1u << kCountBits) - 1;
  // What a document is clearly in: a language, or
  static constexpr std::uint8_t kUnclear = 255, kUnknown = 254, kUnlisted = 253;

  void add_function_words(std::span<const WordCount> words);
  /// The document's words, which are given once each, in any order; forgets how often they occur.
  void add_words(std::span<const std::uint32_t> words);

  struct NewToken {
    std::string_view text;  ///< the lexicon's
    Lexicon::Kind kind;
  };
  LexiconOfThread lexicon_;
  std::vector<NewToken> new_tokens_;  ///< those that the lexicon did not have before, in its order
  CountMatrix counts_;
  FormCounts forms_;
  std::vector<std::uint16_t> function_words_;
  std::vector<std::uint32_t> function_ends_;
  std::vector<std::uint8_t> languages_;
  std::vector<std::uint64_t> second_;        ///< how many documents have passages in each language; none if none has
  std::uint64_t lengthy_ = 0, foreign_ = 0;  ///< see LanguagesFound
  std::vector<std::uint32_t> run_words_;     ///< with kBreak behind each run
  std::vector<std::uint32_t> run_ends_;      ///< none if there are no runs
};

/// From texts to a collection's words: every document is cut when it is read, and when all are, languages are told and
/// words counted. Stems and stop words are settled here; docs/text.md.
class WordReading {
 public:
  explicit WordReading(const ReadOptions& options);

  /// Cuts a text, for many at once: everything that changes is in the arguments.
  void read(std::string_view text, Tokenizer& tokenizer, LexiconOfThread& lexicon, BlockWords& block) const;
  /// In the documents' order.
  void join(BlockWords&& block);
  /// Fills tokens, counts, forms, runs, text and languages. Where documents are spread over ranks, a meeting of all:
  /// tokens, forms and languages are then the same on all of them.
  void finish(Collection& collection, Ranks* ranks = nullptr) &&;

 private:
  class Finisher;
  static constexpr std::uint32_t kBreak = BlockWords::kBreak, kCapital = BlockWords::kCapital,
                                 kGrammar = BlockWords::kGrammar, kNumber = BlockWords::kNumber, kNone = Lexicon::kNone;

  Lexicon::Kind kind_of(std::string_view word) const;
  std::uint32_t number_of(std::string_view word, Lexicon& lexicon, BlockWords& block) const;
  void read_by_rules(std::string_view text, Tokenizer& tokenizer, BlockWords& block) const;
  static void tell_language(std::span<const WordCount> function_words, std::uint32_t words, std::uint32_t odd,
                            BlockWords& block);
  static std::uint8_t told_of(std::span<const WordCount> function_words, std::uint32_t words, std::uint32_t odd);
  void tell_languages(Collection& collection, Ranks* ranks);
  void share(Ranks& ranks);

  ReadOptions options_;
  bool by_language_ = false;  ///< stop words are those of the languages
  bool guesses_ = false;      ///< languages are told from the texts
  bool counts_function_words_ = false;
  LanguageSet languages_ = 0;
  StopWords stop_;                     ///< left out at once
  std::vector<std::uint64_t> second_;  ///< how many documents have passages in each language
  std::uint64_t lengthy_ = 0, foreign_ = 0;
  std::vector<BlockWords> blocks_;
  StringTable tokens_;
  CountMatrix counts_;
  FormCounts forms_, grammar_forms_;
};

}  // namespace idne
