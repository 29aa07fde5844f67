#pragma once

#include <filesystem>
#include <optional>
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
  /// Why the file was of no use, or could not be written; empty if all went well. For one line to the user.
  std::string note;
  bool loaded = false;  ///< from the file, not built
};

/// deb.idne → deb.idne.index
std::filesystem::path index_path(const std::filesystem::path& model_path);

/// Loads MODEL.index, or builds what it holds and tries to write it. A file that is damaged, or of another model or
/// version, is built anew; a folder that cannot be written to is no error. Throws Interrupted; nothing is written then.
SearchIndex open_search_index(const Model& model, const std::filesystem::path& model_path, const Run& run);

/// Only loads: nothing if there is no file that can be used.
std::optional<SearchIndex> load_search_index(const Model& model, const std::filesystem::path& model_path, int threads);

}  // namespace idne
