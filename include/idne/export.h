#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "idne/model.h"
#include "idne/run.h"
#include "idne/suggest.h"
#include "idne/vectors.h"

/// A model for other programs.
namespace idne {

/// Vectors with their names, and what is known about each, a cell per column.
struct ExportTable {
  MatrixView rows;
  std::vector<std::string> names;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> cells;
  std::vector<std::string> json{};  ///< the same and more for JSON lines, as write_vectors() takes it; empty: nothing
};

/// `what` is documents, words or topics. The model must outlive the table. Throws Error if the model has none.
ExportTable export_table(const Model& model, std::string_view what, const Run& run);

/// vectors.tsv and metadata.tsv, as embedding projectors read them.
void write_projector(const ExportTable& table, const std::filesystem::path& folder, const Run& run = {});

/// The share of each topic in each document, a row per document in the model's order; zeros for one without words.
/// Columns are called "topic 1" … or by the names that people gave, in a .tsv's first line and in JSON lines
/// {"id", "shares": {"topic 1": …}}; an .npy has them in FILE.topics.txt, and the ids in FILE.ids.txt. Memory does not
/// grow with the documents. REQUIRES: not Vec. Throws Error if the model has no topics or does not keep its documents'
/// words.
void write_topics_of_documents(const Model& model, const std::filesystem::path& out, VectorFormat format,
                               const Run& run);

/// The words of each topic with their weights, best first, up to `count`: a row (topic, name, rank, word, weight) each,
/// or a JSON line per topic.
void write_topic_words(const Model& model, std::size_t count, const std::filesystem::path& out, VectorFormat format,
                       const Run& run);

/// Tab-separated (the two ids, score, the two titles), JSON lines {"from", "to", "score", "from_title", "to_title"}, or
/// a graph whose nodes are all documents, with title, labels and main topic, and whose edges are weighted by score.
enum class LinkFormat { Tsv, Jsonl, GraphMl, Gexf };
void write_links(const Model& model, std::span<const MissingLink> links, const std::filesystem::path& file,
                 LinkFormat format, int threads);

}  // namespace idne
