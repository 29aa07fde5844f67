#pragma once

#include <string>
#include <string_view>

#include "idne/search_index.h"
#include "search/index_state.h"
#include "search/map.h"

namespace idne {

/// Why a file is of no use; empty if there is none.
struct Unusable {
  const char* why;
};

/// An index that is being built: the map is begun when the graph is whole.
struct IndexDraft {
  GraphDraft graph;
  MapDraft map;
};

/// MODEL.index: a header of 64-bit numbers, the graph's layers (offsets, then links, 32 bits each), the map (floats),
/// the number of bytes of the answers and these, and XXH3-64 of all that. Little-endian. Whatever is not exactly as it
/// should be is built anew.
std::string index_bytes(const SearchIndex& index);
/// Throws Unusable.
SearchIndex index_from(std::string_view bytes, const Model& model, int threads);

/// MODEL.index.part: the same with another name at its start, how many rows are linked in place of the recall, and how
/// many rounds the map has taken in place of the whole map: none, or places in two floats per document.
std::string draft_bytes(const IndexState& state, const Graph& graph, std::size_t linked, const MapDraft& map);
/// Throws Unusable.
IndexDraft draft_from(std::string_view bytes, const IndexState& state);

/// A whole file, if it can be one of a model with so many documents. Throws Unusable.
std::string index_file_bytes(const std::filesystem::path& path, std::size_t documents);

}  // namespace idne
