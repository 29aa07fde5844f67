#pragma once

#include "idne/index.h"
#include "search/codes.h"
#include "search/graph.h"

namespace idne {

/// What a search needs. Everything but the graph and its recall follows from the model.
struct IndexState {
  /// Fewer documents than this are all looked at: 0.5 ms, and always right.
  static constexpr std::size_t kExactBelow = 4096;

  /// Looks at all documents.
  explicit IndexState(const Model& from);
  IndexState(const Model& from, int threads);
  bool can_be_found(std::size_t row) const { return codes.has_direction(row) && first_of_twins[row]; }
  float score(std::span<const float> query, float query_square, std::size_t row) const;
  GraphRows graph_rows() const { return {codes, levels}; }
  /// Those that the graph links.
  std::vector<std::uint32_t> findable_rows() const;

  Model model;
  MatrixView rows;
  Codes codes;  ///< this and the following: empty if all documents are looked at
  std::vector<float> squares;
  std::vector<std::uint64_t> hashes;  ///< of the vectors
  std::vector<std::uint8_t> levels;
  /// Of documents with the very same vector only the first is in the graph: more of them than a document has links
  /// would form an island. The next of the same kind; 0: none.
  std::vector<std::uint32_t> next_twin;
  std::vector<bool> first_of_twins;
  Graph graph;  ///< no layers: exact
  double recall = 1;
};

/// DocumentIndex::neighbours() in a third of its time, for all documents in turn; a few more of them may be missing.
std::vector<Hit> quick_neighbours(const DocumentIndex& index, std::size_t row, std::size_t count);

/// Measures the recall of an index whose graph is made.
DocumentIndex finished_index(std::shared_ptr<IndexState> state, const Run& run);

}  // namespace idne
