#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "idne/model.h"
#include "idne/run.h"

namespace idne {

/// How vectors are written: NumPy's .npy, tab-separated with the name first, or JSON lines {"id", "vector"}.
enum class VectorFormat { Npy, Tsv, Jsonl };

/// The vector of each document of a JSONL file or corpus folder, from its text alone, in order. Returns how many.
/// `out` is a file, or "-" for standard output.
std::uint64_t embed_documents(const Model& model, const std::filesystem::path& documents,
                              const std::filesystem::path& out, VectorFormat format, const Run& run);

/// Rows that are already there, to the same places. REQUIRES: a name for each.
void write_vectors(MatrixView rows, StringsView names, const std::filesystem::path& out, VectorFormat format);

}  // namespace idne
