#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "idne/model.h"
#include "idne/suggest.h"

/// A model for other programs.
namespace idne {

/// Vectors with their names, and what is known about each, a cell per column.
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

/// Tab-separated (the two ids, score, the two titles), JSON lines {"from", "to", "score", "from_title", "to_title"}, or
/// a graph whose nodes are all documents, with title, labels and main topic, and whose edges are weighted by score.
enum class LinkFormat { Tsv, Jsonl, GraphMl, Gexf };
void write_links(const Model& model, std::span<const MissingLink> links, const std::filesystem::path& file,
                 LinkFormat format, int threads);

}  // namespace idne
