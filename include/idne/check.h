#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "idne/corpus.h"

/// What a corpus is like, before anything is learned from it. docs/check.md
namespace idne {

/// Of numbers that each document has.
struct Spread {
  double mean = 0, deviation = 0;
  std::uint64_t least = 0, median = 0, nine_tenths = 0, most = 0;
};

/// Documents with `least` … `most` links.
struct DegreeRange {
  std::uint64_t least, most, documents;
};

/// A thing that looks wrong, and what to do about it.
struct Finding {
  std::string what, remedy;
};

struct CorpusCheck {
  std::uint64_t documents = 0;
  std::uint64_t links = 0;  ///< the groups' pairs counted in, as everywhere
  double density = 0;       ///< links / pairs of documents
  std::uint64_t groups = 0, memberships = 0, largest_group = 0;

  std::uint64_t tokens = 0;  ///< different words that are no stop words
  std::uint64_t vocabulary = 0, too_rare = 0, too_frequent = 0;
  Spread words;                  ///< kept ones of a document, repeats included
  std::uint64_t empty = 0;       ///< documents without any word but stop words
  std::uint64_t wordless = 0;    ///< documents without a kept word, those included
  std::uint64_t repeated = 0;    ///< documents with the same words as one before
  std::string repeated_example;  ///< the id of one of them, and
  std::string repeated_of;       ///< of the one that it repeats
  std::vector<std::string> empty_ids, repeated_ids,
      crowded_ids;  ///< of all that had better be left out; see leave_out()

  LanguagesFound languages;

  std::uint64_t labels = 0;
  std::uint64_t unlabelled = 0;  ///< documents
  std::uint64_t several_labels = 0;
  Spread labels_per_document;
  std::uint64_t rare_labels = 0;  ///< with fewer than kFewDocuments documents
  std::uint64_t largest_label = 0;

  Spread degree;  ///< links of a document
  std::string best_connected;
  std::uint64_t isolated = 0;
  std::vector<DegreeRange> degrees;  ///< 0, 1, 2 … 3, 4 … 7, and so on, up to the largest
  std::uint64_t components = 0;      ///< documents without links are components too
  std::uint64_t largest_component = 0;

  Dropped dropped;
  std::uint64_t all_words = 0;  ///< kept ones of all documents, repeats included
};

inline constexpr std::uint64_t kFewDocuments = 5;

/// REQUIRES: at least one document, as read_collection promises.
CorpusCheck check_corpus(const Collection& collection, const VocabularyRule& rule, const Run& run);

/// Ids of the documents that findings() advises to leave out, each once, in the order of the findings.
std::vector<std::string> leave_out(const CorpusCheck& check);

/// What looks wrong, the gravest first.
std::vector<Finding> findings(const CorpusCheck& check);

}  // namespace idne
