#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "idne/import.h"
#include "import/html_text.h"

namespace idne {

struct StackExchangeOptions {
  std::int64_t min_votes = 10;  ///< of a question, of an answer, and of at least one answer of a question
  Code code = Code::Drop;
  bool answer_labels = false;  ///< answers have their question's tags
  std::size_t top_labels = 0;  ///< the most frequent tags only; 0: all
};

/// The questions and answers of a Stack Exchange dump: `from` is its Posts.xml (also .gz, .zst, .bz2, or a pipe), or a
/// folder with that. The file is read once; posts with enough votes wait in a temporary file until it is known which
/// of them have an answer, or a question, with enough votes. Memory grows with these posts by some hundred bytes each.
void import_stackexchange(const std::filesystem::path& from, const StackExchangeOptions& options, CorpusWriter& out,
                          ImportCounts& counts, const Run& run);

}  // namespace idne
