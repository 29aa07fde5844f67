#include "evaluate/links.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "evaluate/auc.h"
#include "math/kernels.h"

namespace idne {
namespace {

constexpr std::uint32_t kSeen = ~0u;

std::uint64_t key_of(std::uint32_t a, std::uint32_t b) { return std::uint64_t{std::min(a, b)} << 32 | std::max(a, b); }

std::vector<std::uint64_t> linked_pairs(const Collection& collection, std::span<const std::uint32_t> hidden) {
  std::vector<std::uint32_t> place(collection.ids.size(), kSeen);
  for (std::uint32_t k = 0; k < hidden.size(); ++k) place[hidden[k]] = k;
  std::vector<std::uint64_t> linked;
  for (const Link& link : collection.links) {
    if (place[link.a] != kSeen && place[link.b] != kSeen) linked.push_back(key_of(place[link.a], place[link.b]));
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> members;  // group, place
  for (const Membership& m : collection.memberships) {
    if (place[m.document] != kSeen) members.emplace_back(m.group, place[m.document]);
  }
  std::sort(members.begin(), members.end());
  for (std::size_t x = 0; x < members.size(); ++x) {
    for (std::size_t y = x + 1; y < members.size() && members[y].first == members[x].first; ++y) {
      linked.push_back(key_of(members[x].second, members[y].second));
    }
  }
  std::sort(linked.begin(), linked.end());
  linked.erase(std::unique(linked.begin(), linked.end()), linked.end());
  return linked;
}

}  // namespace

std::vector<HiddenPair> hidden_pairs(const Collection& collection, std::span<const std::uint32_t> hidden,
                                     Random& random) {
  const std::vector<std::uint64_t> linked = linked_pairs(collection, hidden);
  const auto n = static_cast<std::uint32_t>(hidden.size());
  const std::uint64_t all = std::uint64_t{n} * (n - std::min(n, 1u)) / 2, unlinked = all - linked.size();
  std::vector<HiddenPair> pairs;
  for (const std::uint64_t key : linked) {
    pairs.push_back({static_cast<std::uint32_t>(key >> 32), static_cast<std::uint32_t>(key), true});
  }
  const auto is_linked = [&](std::uint64_t key) { return std::binary_search(linked.begin(), linked.end(), key); };
  if (unlinked <= 2 * linked.size()) {  // few: list them all, then choose
    std::vector<HiddenPair> others;
    for (std::uint32_t a = 0; a < n; ++a) {
      for (std::uint32_t b = a + 1; b < n; ++b) {
        if (!is_linked(key_of(a, b))) others.push_back({a, b, false});
      }
    }
    const std::size_t wanted = std::min(others.size(), linked.size());
    for (std::size_t k = 0; k < wanted; ++k) {
      std::swap(others[k], others[k + random.below(static_cast<std::uint32_t>(others.size() - k))]);
      pairs.push_back(others[k]);
    }
    return pairs;
  }
  std::unordered_set<std::uint64_t> drawn;
  while (drawn.size() < linked.size()) {
    const std::uint32_t a = random.below(n), b = random.below(n);
    if (a == b || is_linked(key_of(a, b)) || !drawn.insert(key_of(a, b)).second) continue;
    pairs.push_back({std::min(a, b), std::max(a, b), false});
  }
  return pairs;
}

double link_auc(MatrixView rows, const std::vector<HiddenPair>& pairs) {
  std::vector<double> lengths(rows.rows);  // double: products of small floats vanish
  for (std::size_t i = 0; i < rows.rows; ++i) {
    lengths[i] = std::sqrt(double{dot(rows.row(i).data(), rows.row(i).data(), rows.columns)});
  }
  std::vector<Scored> scored;
  for (const HiddenPair& pair : pairs) {
    const double scale = lengths[pair.a] * lengths[pair.b];
    const float product = dot(rows.row(pair.a).data(), rows.row(pair.b).data(), rows.columns);
    scored.push_back({scale > 0 ? static_cast<float>(product / scale) : product * 0, pair.linked});
  }
  return area_under_roc(std::move(scored));
}

}  // namespace idne
