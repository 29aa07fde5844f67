#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "idne/import.h"

/// One function a kind of source: each adds its subcommand to `idne import`.
namespace idne::app {

/// Adds -o to a kind, and as its callback `work`, which is given the corpus to write, what to count, and how to run;
/// then commits the corpus and prints what came and what did not.
void add_import_kind(CLI::App& kind, const std::string& example,
                     std::function<void(CorpusWriter& out, ImportCounts& counts, const Run& run)> work);

void add_import_csv(CLI::App& import);
void add_import_debian(CLI::App& import);
void add_import_html(CLI::App& import);
void add_import_markdown(CLI::App& import);
void add_import_mediawiki(CLI::App& import);
void add_import_openalex(CLI::App& import);
void add_import_stackexchange(CLI::App& import);

}  // namespace idne::app
