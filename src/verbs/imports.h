#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "idne/import.h"
#include "verbs/options.h"

/// `import KIND`: what each kind takes, and what it does.
namespace idne {

struct ImportKind {
  using Work = std::function<void(const Options& options, CorpusWriter& out, ImportCounts& counts, const Run& run)>;
  std::string name, summary;
  std::vector<OptionSpec> options;  ///< "output", the folder to write, is the last
  std::string example;
  Work work;  ///< adds the documents that it finds
};
std::vector<ImportKind> import_kinds();

struct ImportOutcome {
  std::uint64_t documents = 0;
  ImportCounts counts;
};
/// Writes the corpus that the kind finds, whole or not at all. Throws Error, and Interrupted.
ImportOutcome import_corpus(const ImportKind& kind, const Options& options, const Run& run);

}  // namespace idne
