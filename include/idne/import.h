#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "idne/run.h"

/// Other people's formats, turned into a corpus folder (docs/corpus-format.md, docs/import.md).
namespace idne {

struct ImportedDocument {
  std::string id;
  std::string title;                ///< may be empty
  std::string text;                 ///< plain: no markup
  std::vector<std::string> labels;  ///< repeated ones are written once
  std::vector<std::string> links;   ///< ids, also of documents that come later or never
  std::vector<std::string> groups;
};

/// Writes a corpus folder of one file, documents.jsonl, which appears when all of it is there. Throws Error if the
/// folder holds anything else: it would be read as a part of the corpus, or is none of ours.
class CorpusWriter {
 public:
  explicit CorpusWriter(std::filesystem::path folder);
  ~CorpusWriter();
  /// A text that is no UTF-8 gets U+FFFD where it is not.
  void add(const ImportedDocument& document) { add({&document, 1}, 1); }
  void add(std::span<const ImportedDocument> documents, int threads);
  std::uint64_t documents() const { return documents_; }
  /// Throws Error if there are no documents.
  void commit();

 private:
  struct File;
  std::filesystem::path folder_;
  std::unique_ptr<File> file_;
  bool made_folder_ = false;
  std::uint64_t documents_ = 0;
};

/// What an import passed over, and other counts worth telling, in the order in which they were first counted.
class ImportCounts {
 public:
  /// `what` reads well after a number: "answers below --min-votes".
  void add(std::string_view what, std::uint64_t number = 1);
  const std::vector<std::pair<std::string, std::uint64_t>>& all() const { return counts_; }

 private:
  std::vector<std::pair<std::string, std::uint64_t>> counts_;
};

}  // namespace idne
