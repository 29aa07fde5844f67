#include "search/graph_builder.h"

#include <algorithm>

#include "math/parallel.h"
#include "math/ranks.h"
#include "search/cosine.h"
#include "search/graph_walk.h"

namespace idne {
namespace {

/// Rows that are looked at for the links of a new one: more find better ones and take longer.
constexpr std::size_t kBuildBeam = 120;
/// Rows that a new one keeps in sight on its way down to its own layers.
constexpr std::size_t kDescentBeam = 4;

}  // namespace

std::span<const std::uint32_t> LinkLists::of(std::size_t row) const {
  if (!has(row)) return {};
  const std::uint32_t* list = lists_.data() + slot_of_[row] * (most_ + 1);
  return {list + 1, *list};
}

void LinkLists::set(std::size_t row, std::span<const std::uint32_t> links) {
  if (!has(row)) {
    slot_of_[row] = static_cast<std::uint32_t>(size());
    lists_.resize(lists_.size() + most_ + 1);
  }
  std::uint32_t* list = lists_.data() + slot_of_[row] * (most_ + 1);
  *list = static_cast<std::uint32_t>(links.size());
  std::ranges::copy(links, list + 1);
}

std::vector<std::uint32_t> chosen_links(const Codes& codes, const std::vector<Hit>& candidates, std::size_t most) {
  std::vector<std::uint32_t> chosen;
  chosen.reserve(most);
  for (const Hit& candidate : candidates) {
    if (chosen.size() == most) break;
    const Code code = codes[candidate.row];
    const auto is_nearer = [&](std::uint32_t other) { return codes.cosine(code, codes[other]) > candidate.score; };
    if (candidates.size() >= most && std::ranges::any_of(chosen, is_nearer)) continue;
    chosen.push_back(static_cast<std::uint32_t>(candidate.row));
  }
  return chosen;
}

GraphBuilder::GraphBuilder(const GraphRows& rows, const Graph& graph, std::span<const std::uint32_t> linked)
    : rows_(rows), entry_(graph.entry) {
  for (std::size_t layer = 0; layer < graph.layers.size(); ++layer) {
    layers_.emplace_back(rows.codes.rows(), most_links(layer));
    for (const std::uint32_t row : linked) {
      if (rows.levels[row] >= layer) layers_[layer].set(row, graph.layers[layer].of(row));
    }
  }
}

std::vector<std::vector<std::uint32_t>> GraphBuilder::links_for(std::span<const std::uint32_t> added,
                                                                std::size_t at) const {
  const Codes& codes = rows_.codes;
  const std::uint32_t row = added[at];
  const std::size_t level = rows_.levels[row];
  const Code code = codes[row];
  std::vector<std::vector<std::uint32_t>> links(level + 1);
  std::vector<Hit> mates;
  for (const std::uint32_t mate : added.first(at)) mates.push_back({mate, codes.cosine(code, codes[mate])});
  std::ranges::sort(mates, better);

  std::vector<Hit> near;
  if (!layers_.empty()) near.push_back({entry_, codes.cosine(code, codes[entry_])});
  for (std::size_t layer = std::max(layers_.size(), level + 1); layer-- > 0;) {
    if (layer < layers_.size()) {
      near = walk_layer(layers_[layer], codes, code, layer > level ? kDescentBeam : kBuildBeam, near);
    }
    if (layer > level) continue;
    std::vector<Hit> candidates, mates_here;
    std::ranges::copy_if(mates, std::back_inserter(mates_here),
                         [&](const Hit& mate) { return rows_.levels[mate.row] >= layer; });
    if (layer < layers_.size()) {
      std::ranges::merge(near, mates_here, std::back_inserter(candidates), better);
    } else {
      candidates = std::move(mates_here);  // nobody else reaches so high
    }
    std::erase_if(candidates, [&](const Hit& hit) { return hit.row == row; });
    // A row that is linked anew is met both ways.
    const auto same = std::ranges::unique(candidates, {}, &Hit::row);
    candidates.erase(same.begin(), same.end());
    candidates.resize(std::min(candidates.size(), kBuildBeam));
    // Half the room of the lowest layer is for those who come later.
    links[layer] = chosen_links(codes, candidates, most_links(1));
  }
  return links;
}

/// By row, by layer: looking for them is what takes time, and is shared out over processes too.
std::vector<std::vector<std::vector<std::uint32_t>>> GraphBuilder::all_links_for(std::span<const std::uint32_t> added,
                                                                                 const Run& run) const {
  std::vector<std::vector<std::vector<std::uint32_t>>> links(added.size());
  const Share own = share_of(run.ranks, added.size());
  all_or_none(run.ranks, [&] {
    parallel_for(run.threads, own.end - own.begin, [&](std::size_t n, std::size_t) {
      run.check();
      links[own.begin + n] = links_for(added, own.begin + n);
    });
  });
  if (!run.ranks) return links;
  Packer packer;
  for (std::size_t n = own.begin; n < own.end; ++n) {
    for (const auto& of_layer : links[n]) packer.add_all(of_layer);
  }
  std::size_t n = 0;
  for (const Bytes& bytes : run.ranks->all_gather(packer.bytes())) {
    for (Unpacker unpacker(bytes); !unpacker.done(); ++n) {
      links[n].resize(rows_.levels[added[n]] + std::size_t{1});
      for (auto& of_layer : links[n]) of_layer = unpacker.next_all<std::uint32_t>();
    }
  }
  return links;
}

void GraphBuilder::add(std::span<const std::uint32_t> added, const Run& run) {
  const auto links = all_links_for(added, run);
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> back;
  for (std::size_t n = 0; n < added.size(); ++n) {
    if (layers_.empty() || rows_.levels[added[n]] > rows_.levels[entry_]) entry_ = added[n];
    for (std::size_t layer = 0; layer < links[n].size(); ++layer) {
      if (layer == layers_.size()) layers_.emplace_back(rows_.codes.rows(), most_links(layer));
      layers_[layer].set(added[n], links[n][layer]);
      back.resize(std::max(back.size(), layer + 1));
      for (const std::uint32_t to : links[n][layer]) back[layer].emplace_back(added[n], to);
    }
  }
  for (std::size_t layer = 0; layer < back.size(); ++layer) link_back(layer, std::move(back[layer]), run.threads);
}

void GraphBuilder::link_back(std::size_t layer, std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs,
                             int threads) {
  LinkLists& lists = layers_[layer];
  // In the order in which they came for each row that is to have more links.
  std::ranges::stable_sort(pairs, {}, &std::pair<std::uint32_t, std::uint32_t>::second);
  std::vector<std::size_t> begins;
  for (std::size_t n = 0; n < pairs.size(); ++n) {
    if (n == 0 || pairs[n].second != pairs[n - 1].second) begins.push_back(n);
  }
  begins.push_back(pairs.size());
  parallel_parts(threads, begins.size() - 1, 64, [&](std::size_t first, std::size_t last) {
    for (std::size_t n = first; n < last; ++n) {
      const std::uint32_t row = pairs[begins[n]].second;
      if (!lists.has(row)) continue;
      const auto before = lists.of(row);
      std::vector<std::uint32_t> all(before.begin(), before.end());
      for (std::size_t k = begins[n]; k < begins[n + 1]; ++k) {
        if (std::ranges::find(all, pairs[k].first) == all.end()) all.push_back(pairs[k].first);
      }
      if (all.size() > lists.most()) {
        std::vector<Hit> candidates;
        for (const std::uint32_t other : all) {
          candidates.push_back({other, rows_.codes.cosine(rows_.codes[row], rows_.codes[other])});
        }
        std::ranges::sort(candidates, better);
        all = chosen_links(rows_.codes, candidates, lists.most());
      }
      lists.set(row, all);
    }
  });
}

std::size_t GraphBuilder::adopt_lost_rows() {
  if (layers_.empty()) return 0;
  LinkLists& lists = layers_[0];
  const Codes& codes = rows_.codes;
  std::vector<char> seen(codes.rows());
  const auto look_around_from = [&](std::uint32_t start) {
    std::vector<std::uint32_t> waiting{start};
    seen[start] = 1;
    while (!waiting.empty()) {
      const std::uint32_t from = waiting.back();
      waiting.pop_back();
      for (const std::uint32_t row : lists.of(from)) {
        if (!seen[row]) waiting.push_back(row);
        seen[row] = 1;
      }
    }
  };
  look_around_from(entry_);
  std::size_t adopted = 0;
  for (std::uint32_t row = 0; row < codes.rows(); ++row) {
    if (seen[row] || !lists.has(row)) continue;
    const auto near =
        walk_layer(lists, codes, codes[row], kBuildBeam, {{entry_, codes.cosine(codes[row], codes[entry_])}});
    const auto has_room = [&](const Hit& hit) { return lists.of(hit.row).size() < lists.most(); };
    if (const auto found = std::ranges::find_if(near, has_room); found != near.end()) {
      std::vector<std::uint32_t> links(lists.of(found->row).begin(), lists.of(found->row).end());
      links.push_back(row);
      lists.set(found->row, links);
      ++adopted;
    }
    look_around_from(row);
  }
  return adopted;
}

Graph GraphBuilder::graph() const {
  Graph graph;
  graph.entry = entry_;
  for (const LinkLists& lists : layers_) {
    GraphLayer& layer = graph.layers.emplace_back();
    layer.offsets.reserve(rows_.codes.rows() + 1);
    for (std::size_t row = 0; row < rows_.codes.rows(); ++row) {
      const auto links = lists.of(row);
      layer.links.insert(layer.links.end(), links.begin(), links.end());
      layer.offsets.push_back(static_cast<std::uint32_t>(layer.links.size()));
    }
  }
  return graph;
}

}  // namespace idne
