#include "idne/search_index.h"
#include "search/index_state.h"
#include "search/map.h"

namespace idne {
namespace {

/// For each row, the first with the very same vector.
std::vector<std::uint32_t> first_twins(const IndexState& state) {
  std::vector<std::uint32_t> first(state.next_twin.size());
  for (std::uint32_t row = 0; row < first.size(); ++row) {
    if (state.first_of_twins[row]) first[row] = row;
    if (state.next_twin[row] != 0) first[state.next_twin[row]] = first[row];
  }
  return first;
}

/// What the linked rows of the old graph are called now, and which rows are to be linked.
struct Renaming {
  std::vector<std::uint32_t> new_row, added;
};

/// A vector is linked once, as the first of those that have it: it stays if any of them was there before.
Renaming renaming(const IndexState& old, const IndexState& now, std::span<const std::uint32_t> former) {
  const std::vector<std::uint32_t> old_first = first_twins(old);
  Renaming result{std::vector(old_first.size(), kNoRow), {}};
  for (const std::uint32_t row : now.findable_rows()) {
    std::uint32_t twin = row;
    const auto was_there = [&] {
      return former[twin] < old_first.size() && old.hashes[former[twin]] == now.hashes[twin];
    };
    while (!was_there() && now.next_twin[twin] != 0) twin = now.next_twin[twin];
    if (was_there()) {
      result.new_row[old_first[former[twin]]] = row;
    } else {
      result.added.push_back(row);
    }
  }
  return result;
}

}  // namespace

SearchIndex update_search_index(const SearchIndex& old, const Model& model, std::span<const std::uint32_t> former,
                                const Run& run) {
  const auto state = std::make_shared<IndexState>(model, run.threads);
  Renaming rows = renaming(old.documents.state(), *state, former);
  state->graph =
      update_graph(old.documents.state().graph, state->graph_rows(), rows.new_row, std::move(rows.added), run);
  SearchIndex index{finished_index(state, run), {}, "", "", false};
  index.map = update_map(old.map, model, index.documents, former, run);
  return index;
}

}  // namespace idne
