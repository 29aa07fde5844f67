#pragma once

#include <filesystem>

#include "idne/import.h"

namespace idne {

/// The pages of a MediaWiki export (pages-articles.xml, also .gz, .zst, .bz2): those of the main namespace, with the
/// links between them and their categories as labels. The file is read once; the pages wait in a temporary file until
/// all titles and redirects are known. Memory grows with the number of titles.
void import_mediawiki(const std::filesystem::path& file, CorpusWriter& out, ImportCounts& counts, const Run& run);

}  // namespace idne
