#pragma once

#include <cstdint>
#include <filesystem>

#include "idne/run.h"

namespace idne {

/// A corpus with a known truth: every document belongs to a field, takes half of its words from it and the rest from
/// words that all fields share, and links mostly to documents of its field. The field is its label.
struct GenerateOptions {
  std::uint32_t documents = 2000;
  std::uint32_t fields = 6;
  std::uint32_t words = 50;  ///< per document
  std::uint32_t links = 5;   ///< from each document to earlier ones
  double field_words = 0.5;  ///< share of a document's words that come from its field
  double field_links = 0.9;  ///< share of links that stay in the field
  std::uint64_t seed = 1;
};

/// In a folder whose corpus was generated, and may be replaced: the sizes of its files, which tell whether it is still
/// that.
inline constexpr const char* kGeneratedMarker = ".made-by-idne-generate";

/// Writes documents.jsonl and links.tsv into a folder, which is made if it is not there. Vocabularies grow with the
/// square root of the text, frequencies fall as 1/rank but for the 24 main words of each field, which are alike. The
/// same options give the same bytes. Throws Error if the folder holds a corpus that was not generated.
void generate_corpus(const GenerateOptions& options, const std::filesystem::path& folder, const Run& run);

}  // namespace idne
