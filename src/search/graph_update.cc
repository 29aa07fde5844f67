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

/// What is left around a row of the old graph, and what is found behind the rows that are gone. In the new rows' names.
std::vector<std::uint32_t> left_around(const GraphLayer& layer, std::uint32_t old_row,
                                       std::span<const std::uint32_t> new_row) {
  std::vector<std::uint32_t> left, gone{old_row};
  for (std::size_t n = 0; n < gone.size(); ++n) {
    for (const std::uint32_t row : layer.of(gone[n])) {
      if (new_row[row] != kNoRow) {
        if (row != old_row) left.push_back(new_row[row]);
      } else if (gone.size() < kMostGone && std::ranges::find(gone, row) == gone.end()) {
        gone.push_back(row);
      }
    }
  }
  std::ranges::sort(left);
  const auto same = std::ranges::unique(left);
  left.erase(same.begin(), same.end());
  return left;
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
  std::vector<char> mended(stayed.rows.size());
  parallel_parts(run.threads, stayed.rows.size(), 256, [&](std::size_t begin, std::size_t end) {
    run.check();
    for (std::size_t n = begin; n < end; ++n) {
      const auto links = old.of(stayed.old_rows[n]);
      if (std::ranges::all_of(links, [&](std::uint32_t row) { return new_row[row] != kNoRow; })) {
        std::ranges::transform(links, std::back_inserter(lists[n]), [&](std::uint32_t row) { return new_row[row]; });
        continue;
      }
      std::vector<Hit> candidates;
      for (const std::uint32_t other : left_around(old, stayed.old_rows[n], new_row)) {
        candidates.push_back({other, rows.codes.cosine(rows.codes[stayed.rows[n]], rows.codes[other])});
      }
      std::ranges::sort(candidates, better);
      lists[n] = chosen_links(rows.codes, candidates, most_links(number));
      mended[n] = 1;
    }
  });
  GraphLayer layer;
  layer.offsets.reserve(rows.codes.rows() + 1);
  layer.links.reserve(old.links.size());
  std::size_t n = 0;
  for (std::uint32_t row = 0; row < rows.codes.rows(); ++row) {
    if (n < stayed.rows.size() && stayed.rows[n] == row) {
      layer.links.insert(layer.links.end(), lists[n].begin(), lists[n].end());
      if (mended[n]) {
        for (const std::uint32_t other : lists[n]) fresh.emplace_back(row, other);
      }
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
  const auto add = [&](std::span<const std::uint32_t> more) {
    for (std::size_t begin = 0; begin < more.size(); begin += kAddedAtOnce) {
      run.check();
      builder.add(more.subspan(begin, std::min(kAddedAtOnce, more.size() - begin)), run);
    }
  };
  Random random(kAddedSeed, Purpose::Sample, 0);
  shuffle(added, random);
  add(added);
  add(builder.lost_rows());
  return builder.graph();
}

}  // namespace idne
