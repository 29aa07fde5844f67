#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "idne/model.h"
#include "idne/run.h"

/// A model for other programs.
namespace idne {

/// Vectors with their names, and what is known about each, a cell a column.
struct ExportTable {
  MatrixView rows;
  std::vector<std::string> names;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> cells;
};

/// `what` is documents, words or topics. The model must outlive the table. Throws Error if the model has none.
ExportTable export_table(const Model& model, std::string_view what, int threads);

/// vectors.tsv and metadata.tsv, as embedding projectors read them.
void write_projector(const ExportTable& table, const std::filesystem::path& folder);

enum class GraphFormat { GraphMl, Gexf };
struct LinkGraphOptions {
  std::size_t top = 5;  ///< links that each document suggests, to the nearest others
  double least = 0.3;   ///< cosine that a link needs
};
/// The documents as nodes, with title, labels and main topic, and the links that they suggest as edges, each once,
/// weighted by cosine. Returns the number of edges.
std::uint64_t write_link_graph(const Model& model, const LinkGraphOptions& options, const std::filesystem::path& file,
                               GraphFormat format, const Run& run);

}  // namespace idne
