#pragma once

#include <span>
#include <utility>
#include <vector>

#include "search/graph.h"

namespace idne {

/// A layer whose links can be changed: room for as many as a row may have.
class LinkLists {
 public:
  LinkLists(std::size_t rows, std::size_t most) : most_(most), slot_of_(rows, kNoRow) {}

  bool has(std::size_t row) const { return slot_of_[row] != kNoRow; }
  std::size_t size() const { return lists_.size() / (most_ + 1); }
  std::size_t most() const { return most_; }
  /// Nothing for a row that the layer does not have.
  std::span<const std::uint32_t> of(std::size_t row) const;
  /// Takes a row in that was not there. REQUIRES: not more links than `most`.
  void set(std::size_t row, std::span<const std::uint32_t> links);

 private:
  std::size_t most_;
  std::vector<std::uint32_t> slot_of_;
  std::vector<std::uint32_t> lists_;  ///< per slot: how many links, and the links
};

/// Candidates best first; the best of them that are not nearer to a better one than to the row itself, so that links
/// lead into all directions. All of them if they are fewer than `most`.
std::vector<std::uint32_t> chosen_links(const Codes& codes, const std::vector<Hit>& candidates, std::size_t most);

/// Links rows with those before them, many at once: each looks around in the graph as it was, and among those that are
/// linked with it at once; then all links are made. Nothing depends on the number of threads. Where there are run.ranks
/// they do it together, and all of them have the whole graph.
class GraphBuilder {
 public:
  /// Goes on with a graph that has these rows.
  GraphBuilder(const GraphRows& rows, const Graph& graph, std::span<const std::uint32_t> linked);

  /// Rows that are linked already are linked anew. Throws Interrupted, before anything is changed.
  void add(std::span<const std::uint32_t> added, const Run& run);
  /// The second row of each pair is linked with the first, the links of those that have too many chosen anew.
  void link_back(std::size_t layer, std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs, int threads);
  /// Rows that no walk through the lowest layer could come to, because all others have better links, are linked from
  /// the nearest that has room. To be called at the end; how many there were.
  std::size_t adopt_lost_rows();
  Graph graph() const;

 private:
  /// For one row: the links of its layers, lowest first.
  std::vector<std::vector<std::uint32_t>> links_for(std::span<const std::uint32_t> added, std::size_t at) const;
  std::vector<std::vector<std::vector<std::uint32_t>>> all_links_for(std::span<const std::uint32_t> added,
                                                                     const Run& run) const;

  GraphRows rows_;
  std::vector<LinkLists> layers_;
  std::uint32_t entry_ = 0;
};

}  // namespace idne
