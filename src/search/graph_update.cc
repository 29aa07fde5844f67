#include <algorithm>

#include "math/parallel.h"
#include "math/random.h"
#include "search/cosine.h"
#include "search/graph_builder.h"

namespace idne {
namespace {

constexpr std::uint64_t kAddedSeed = 2;
constexpr std::size_t kAddedAtOnce = 512;
/// Rows that are gone which are looked through for others to be linked with instead.
constexpr std::size_t kMostGone = 64;

/// What is found behind the rows that are gone around a row of the old graph. In the new rows' names.
std::vector<std::uint32_t> behind_gone_rows(const GraphLayer& layer, std::uint32_t old_row,
                                            std::span<const std::uint32_t> new_row) {
  std::vector<std::uint32_t> found, gone;
  const auto look_around = [&](std::uint32_t from) {
    for (const std::uint32_t row : layer.of(from)) {
      if (new_row[row] != kNoRow) {
        if (from != old_row && row != old_row) found.push_back(new_row[row]);
      } else if (gone.size() < kMostGone && std::ranges::find(gone, row) == gone.end()) {
        gone.push_back(row);
      }
    }
  };
  look_around(old_row);
  for (std::size_t n = 0; n < gone.size(); ++n) look_around(gone[n]);
  std::ranges::sort(found);
  const auto same = std::ranges::unique(found);
  found.erase(same.begin(), same.end());
  return found;
}

/// Adds to the links that a row is left with those of others that lead into directions which it has no link for.
void add_links(std::vector<std::uint32_t>& links, const Codes& codes, std::uint32_t row,
               std::span<const std::uint32_t> others, std::size_t most) {
  std::vector<Hit> candidates;
  for (const std::uint32_t other : others) {
    if (std::ranges::find(links, other) != links.end()) continue;
    candidates.push_back({other, codes.cosine(codes[row], codes[other])});
  }
  std::ranges::sort(candidates, better);
  for (const Hit& candidate : candidates) {
    if (links.size() == most) break;
    const Code code = codes[candidate.row];
    const auto is_nearer = [&](std::uint32_t link) { return codes.cosine(code, codes[link]) > candidate.score; };
    if (std::ranges::none_of(links, is_nearer)) links.push_back(static_cast<std::uint32_t>(candidate.row));
  }
}

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// Rows as they are called now, each with the row that it was.
struct Stayed {
  std::vector<std::uint32_t> rows, old_rows;
};

Stayed stayed_rows(std::span<const std::uint32_t> new_row, std::size_t rows) {
  std::vector<std::uint32_t> old_row(rows, kNoRow);
  for (std::uint32_t old = 0; old < new_row.size(); ++old) {
    if (new_row[old] != kNoRow) old_row[new_row[old]] = old;
  }
  Stayed stayed;
  for (std::uint32_t row = 0; row < rows; ++row) {
    if (old_row[row] == kNoRow) continue;
    stayed.rows.push_back(row);
    stayed.old_rows.push_back(old_row[row]);
  }
  return stayed;
}

/// A layer without the rows that are gone. Links that were not there before are added to `fresh`.
GraphLayer mended_layer(const GraphLayer& old, std::size_t number, const GraphRows& rows, const Stayed& stayed,
                        std::span<const std::uint32_t> new_row, const Run& run, Pairs& fresh) {
  std::vector<std::vector<std::uint32_t>> lists(stayed.rows.size());
  std::vector<std::size_t> left(stayed.rows.size());
  parallel_parts(run.threads, stayed.rows.size(), 256, [&](std::size_t begin, std::size_t end) {
    run.check();
    for (std::size_t n = begin; n < end; ++n) {
      const auto links = old.of(stayed.old_rows[n]);
      for (const std::uint32_t row : links) {
        if (new_row[row] != kNoRow) lists[n].push_back(new_row[row]);
      }
      left[n] = lists[n].size();
      if (left[n] == links.size()) continue;
      add_links(lists[n], rows.codes, stayed.rows[n], behind_gone_rows(old, stayed.old_rows[n], new_row),
                most_links(number));
    }
  });
  GraphLayer layer;
  layer.offsets.reserve(rows.codes.rows() + 1);
  layer.links.reserve(old.links.size());
  std::size_t n = 0;
  for (std::uint32_t row = 0; row < rows.codes.rows(); ++row) {
    if (n < stayed.rows.size() && stayed.rows[n] == row) {
      layer.links.insert(layer.links.end(), lists[n].begin(), lists[n].end());
      for (std::size_t k = left[n]; k < lists[n].size(); ++k) fresh.emplace_back(row, lists[n][k]);
      ++n;
    }
    layer.offsets.push_back(static_cast<std::uint32_t>(layer.links.size()));
  }
  return layer;
}

/// Where walks begin, and without the layers that nobody reaches to.
void find_entry(Graph& graph, const GraphRows& rows, const Stayed& stayed, std::uint32_t old_entry) {
  graph.entry = old_entry;
  if (old_entry == kNoRow) {
    graph.entry = *std::ranges::max_element(stayed.rows, {}, [&](std::uint32_t row) { return rows.levels[row]; });
  }
  graph.layers.resize(std::min<std::size_t>(graph.layers.size(), rows.levels[graph.entry] + std::size_t{1}));
}

}  // namespace

Graph update_graph(const Graph& old, const GraphRows& rows, std::span<const std::uint32_t> new_row,
                   std::vector<std::uint32_t> added, const Run& run) {
  const Stayed stayed = stayed_rows(new_row, rows.codes.rows());
  // So much would be mended that a new one is better, and not slower.
  if (stayed.rows.empty() || stayed.rows.size() < added.size()) {
    added.insert(added.end(), stayed.rows.begin(), stayed.rows.end());
    std::ranges::sort(added);
    return build_graph(rows, std::move(added), run);
  }
  Graph mended;
  std::vector<Pairs> fresh(old.layers.size());
  for (std::size_t layer = 0; layer < old.layers.size(); ++layer) {
    mended.layers.push_back(mended_layer(old.layers[layer], layer, rows, stayed, new_row, run, fresh[layer]));
  }
  find_entry(mended, rows, stayed, new_row[old.entry]);

  GraphBuilder builder(rows, mended, stayed.rows);
  for (std::size_t layer = 0; layer < mended.layers.size(); ++layer) {
    builder.link_back(layer, std::move(fresh[layer]), run.threads);
  }
  Random random(kAddedSeed, Purpose::Sample, 0);
  shuffle(added, random);
  const std::span<const std::uint32_t> order(added);
  for (std::size_t begin = 0; begin < order.size(); begin += kAddedAtOnce) {
    builder.add(order.subspan(begin, std::min(kAddedAtOnce, order.size() - begin)), run);
  }
  builder.adopt_lost_rows();
  return builder.graph();
}

}  // namespace idne
