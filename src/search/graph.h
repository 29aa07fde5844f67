#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "idne/run.h"
#include "idne/search.h"
#include "search/codes.h"

namespace idne {

/// For each row the rows that it is linked with.
struct GraphLayer {
  std::vector<std::uint32_t> offsets{0};
  std::vector<std::uint32_t> links;

  std::span<const std::uint32_t> of(std::size_t row) const {
    return std::span(links).subspan(offsets[row], offsets[row + 1] - offsets[row]);
  }
};

/// A hierarchy of small worlds (Malkov and Yashunin, 2018): layer 0 links all rows that can be found, each further
/// layer a small part of the one below. A walk goes from the entry down.
struct Graph {
  std::vector<GraphLayer> layers;
  std::uint32_t entry = 0;
};

/// Links these rows. The same at any number of threads: hnswlib's own parallel building is not, so it has one.
Graph build_graph(const Codes& codes, std::vector<std::uint32_t> rows, const Run& run);

/// Up to `beam` rows near the query, best first, with the cosines of their codes. REQUIRES: the graph has layers, and
/// its links are rows of `codes`.
std::vector<Hit> walk(const Graph& graph, const Codes& codes, const Code& query, std::size_t beam);

}  // namespace idne
