#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "idne/index.h"
#include "idne/model.h"
#include "idne/run.h"

namespace idne {

/// What takes long to work out for a model and is therefore kept beside it, as MODEL.index.
struct SearchIndex {
  DocumentIndex documents;
  /// Two numbers per document: where it lies on the map (idne/projection.h).
  std::vector<float> map;
  /// What servers have worked out beside (serve/kept_answers.h): bytes that they alone read, and check; may be empty.
  std::string answers;
  /// Why the file was of no use, or could not be written; empty if all went well. For one line to the user.
  std::string note;
  bool loaded = false;  ///< from the file, not built
};

/// deb.idne → deb.idne.index
std::filesystem::path index_path(const std::filesystem::path& model_path);

/// Loads MODEL.index, or builds what it holds and tries to write it. A file that is damaged, or of another model or
/// version, is built anew; a folder that cannot be written to is no error. Throws Interrupted. What is done by then,
/// and once a minute, is kept as MODEL.index.part, from which the next call goes on: the result is the same, bit for
/// bit. With run.ranks they link the documents together; rank 0 alone draws the map and has the result, and what the
/// others get is not to be used. Whoever adds answers writes the file Later, by save_search_index: there is never half
/// of it.
enum class IndexWriting { AtOnce, Later };
SearchIndex open_search_index(const Model& model, const std::filesystem::path& model_path, const Run& run,
                              IndexWriting writing = IndexWriting::AtOnce);

/// Only loads: nothing if there is no file that can be used.
std::optional<SearchIndex> load_search_index(const Model& model, const std::filesystem::path& model_path, int threads);

/// Writes MODEL.index, and removes MODEL.index.part. Throws Error. An index is noticed to be of another model, and
/// built anew; whoever writes both a model and its index writes the index first, so that those who wait for the model
/// find it.
void save_search_index(const SearchIndex& index, const std::filesystem::path& model_path);

/// A document that a model did not have before, or had with another vector.
inline constexpr std::uint32_t kNotThere = ~std::uint32_t{0};

/// The index of a model that was made from another one by adding, changing or removing documents, from the index of
/// that: former[i] is the row that document i had there, with the very same vector, or kNotThere; rows that nobody
/// names are gone. Takes time for what has changed, and little for the rest. Documents that stay keep their places on
/// the map, bit for bit, unless they are fewer than half. The same at any number of threads. Throws Interrupted.
/// REQUIRES: former has a number per document, and no row twice.
SearchIndex update_search_index(const SearchIndex& old, const Model& model, std::span<const std::uint32_t> former,
                                const Run& run);

}  // namespace idne
