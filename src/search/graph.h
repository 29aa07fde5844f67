#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "idne/run.h"
#include "idne/search.h"
#include "search/codes.h"

namespace idne {

inline constexpr std::uint32_t kNoRow = ~std::uint32_t{0};

/// For each row the rows that it is linked with.
struct GraphLayer {
  std::vector<std::uint32_t> offsets{0};
  std::vector<std::uint32_t> links;

  std::span<const std::uint32_t> of(std::size_t row) const {
    return std::span(links).subspan(offsets[row], offsets[row + 1] - offsets[row]);
  }
  bool operator==(const GraphLayer&) const = default;
};

/// A hierarchy of small worlds (Malkov and Yashunin, 2018): layer 0 links all rows that can be found, each further
/// layer a small part of the one below. A walk goes from the entry down.
struct Graph {
  std::vector<GraphLayer> layers;
  std::uint32_t entry = 0;

  bool operator==(const Graph&) const = default;
};

/// The most rows that one row of a layer is linked with.
std::size_t most_links(std::size_t layer);
/// The highest layer that a row is in, by the hash of its vector: a row keeps it whatever happens to the others.
std::uint8_t level_of(std::uint64_t hash);

/// Rows as a graph is made of them: their codes, and the layers that they reach to.
struct GraphRows {
  const Codes& codes;
  std::span<const std::uint8_t> levels;
};

/// Who is handed what is done of something long, and how often; and before Interrupted is thrown. Not if nothing was
/// done since.
template <class Draft>
struct Keeper {
  std::function<void(const Draft&)> keep;
  std::chrono::milliseconds every = std::chrono::minutes(1);
};

/// A graph that is being built: so many rows of the order in which they are taken are linked.
struct GraphDraft {
  Graph graph;
  std::size_t done = 0;
};

/// Links these rows, going on from a draft of the same graph. The same graph at any number of threads and of run.ranks,
/// which all get it, and however often it was stopped.
Graph build_graph(const GraphRows& rows, std::vector<std::uint32_t> linked, const Run& run, GraphDraft from = {},
                  const Keeper<GraphDraft>& keeper = {});

/// The graph of other rows: new_row[old] is what a linked row is called now, or kNoRow if it is gone; `added` are to be
/// linked, too. Those that were linked with a row that is gone are linked with its neighbours. The same at any number
/// of threads. Throws Interrupted. REQUIRES: rows that stay have the codes and levels that they had.
Graph update_graph(const Graph& old, const GraphRows& rows, std::span<const std::uint32_t> new_row,
                   std::vector<std::uint32_t> added, const Run& run);

/// Up to `beam` rows near the query, best first, with the cosines of their codes. REQUIRES: the graph has layers, and
/// its links are rows of `codes`.
std::vector<Hit> walk(const Graph& graph, const Codes& codes, const Code& query, std::size_t beam);

}  // namespace idne
