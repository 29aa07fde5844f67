#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "idne/model.h"
#include "idne/run.h"

namespace idne {

/// How vectors are written: NumPy's .npy, tab-separated with the name first, JSON lines {"id", "vector"}, or word2vec's
/// text form, whose first line says how many there are (of rows that are known beforehand alone); spaces in names
/// become underscores there.
enum class VectorFormat { Npy, Tsv, Jsonl, Vec };

struct Embedded {
  std::uint64_t documents = 0;
  std::uint64_t unknown_links = 0;  ///< links to ids that the model has no document for
  std::uint64_t wordless = 0;       ///< documents without a word that the model knows
};

/// The vector of each document of a JSONL file or corpus folder, in order, from its text alone or, where the model's
/// documents are joined with their neighbours, its text and its `links` to them.
/// `out` is a file, or "-" for standard output. With run.ranks the documents are shared out, and what is said of the
/// number of documents is known to rank 0 alone.
Embedded embed_documents(const Model& model, const std::filesystem::path& documents, const std::filesystem::path& out,
                         VectorFormat format, const Run& run);

/// Rows that are already there, to the same places. An .npy gets its names beside it, in FILE.ids.txt. REQUIRES: a name
/// for each, and none or as many of `more`: ",\"key\":value" that JSON lines have behind the vector.
void write_vectors(MatrixView rows, const std::vector<std::string>& names, const std::filesystem::path& out,
                   VectorFormat format, const std::vector<std::string>& more = {}, const Run& run = {});

}  // namespace idne
