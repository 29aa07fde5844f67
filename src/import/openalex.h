#pragma once

#include <filesystem>
#include <vector>

#include "idne/import.h"

namespace idne {

enum class WorkLabels { Topics, Concepts, Keywords, Fields };

/// Works of OpenAlex, one JSON object a line (or one answer of its API, a list of works under "results"), from files
/// that may be compressed (.gz, .zst). Throws Error with file and line. docs/import.md
void import_openalex(const std::vector<std::filesystem::path>& files, WorkLabels labels, CorpusWriter& out,
                     ImportCounts& counts, const Run& run);

}  // namespace idne
