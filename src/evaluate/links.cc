#include "evaluate/links.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_set>

#include "evaluate/auc.h"
#include "math/kernels.h"

namespace idne {
namespace {

using Key = std::uint64_t;  // a pair of places, the lower one first

Key key_of(std::uint32_t a, std::uint32_t b) { return Key{std::min(a, b)} << 32 | std::max(a, b); }
HiddenPair pair_of(Key key, bool linked) {
  return {static_cast<std::uint32_t>(key >> 32), static_cast<std::uint32_t>(key), linked};
}

/// Lists of numbers, one after the other.
struct Rows {
  std::vector<std::uint64_t> begin;
  std::vector<std::uint32_t> values;

  /// From (list, number) pairs, sorted.
  Rows(std::size_t lists, const std::vector<Key>& entries) : begin(lists + 1) {
    for (const Key entry : entries) {
      ++begin[(entry >> 32) + 1];
      values.push_back(static_cast<std::uint32_t>(entry));
    }
    for (std::size_t k = 0; k < lists; ++k) begin[k + 1] += begin[k];
  }
  std::size_t size() const { return begin.size() - 1; }
  std::span<const std::uint32_t> operator[](std::size_t k) const {
    return std::span(values).subspan(begin[k], begin[k + 1] - begin[k]);
  }
};

/// How the hidden documents, by their places, are linked with each other. Groups are not expanded.
class HiddenLinks {
 public:
  HiddenLinks(const Collection& collection, std::span<const std::uint32_t> hidden)
      : HiddenLinks(places_of(collection, hidden), collection, hidden.size()) {}

  /// The links, sorted, if there are no more than `most`, as far as that can be found out in a few seconds.
  std::optional<std::vector<Key>> list(std::size_t most) const {
    constexpr std::uint64_t kMostLooks = std::uint64_t{1} << 31;
    if (ways() > kMostLooks) return std::nullopt;
    std::vector<Key> linked;
    std::vector<std::uint32_t> seen_by(groups_of_.size(), ~0u), others;
    for (std::uint32_t a = 0; a < groups_of_.size(); ++a) {
      others.clear();
      const auto look = [&](std::span<const std::uint32_t> places) {
        for (auto b = std::upper_bound(places.begin(), places.end(), a); b != places.end(); ++b) {
          if (std::exchange(seen_by[*b], a) != a) others.push_back(*b);
        }
      };
      look(linked_with_[a]);
      for (const std::uint32_t group : groups_of_[a]) look(members_[group]);
      if (linked.size() + others.size() > most) return std::nullopt;
      std::sort(others.begin(), others.end());
      for (const std::uint32_t b : others) linked.push_back(key_of(a, b));
    }
    return linked;
  }

  bool are_linked(std::uint32_t a, std::uint32_t b) const {
    return has_link(a, b) || first_common_group(a, b) != kNone;
  }

  /// A pair drawn uniformly from the linked ones, or none: the caller tries again. A pair may be linked in several
  /// ways, by a link and by groups; it counts only when the first of them is drawn. REQUIRES: ways() > 0.
  std::optional<Key> draw(Random& random) const {
    const auto way = static_cast<std::uint64_t>(random.uniform() * static_cast<double>(ways()));
    if (way < links_.size()) return links_[way];
    const auto group = static_cast<std::uint32_t>(std::upper_bound(ways_.begin(), ways_.end(), way) - ways_.begin());
    const auto members = members_[group];
    const std::uint32_t first = random.below(static_cast<std::uint32_t>(members.size()));
    std::uint32_t second = random.below(static_cast<std::uint32_t>(members.size()) - 1);
    if (second >= first) ++second;
    const std::uint32_t a = members[first], b = members[second];
    if (has_link(a, b) || first_common_group(a, b) != group) return std::nullopt;
    return key_of(a, b);
  }
  /// Links and pairs in groups, those that are linked in several ways counted each time.
  std::uint64_t ways() const { return ways_.empty() ? links_.size() : ways_.back(); }

 private:
  static constexpr std::uint32_t kNone = ~0u;

  HiddenLinks(const std::vector<std::uint32_t>& place, const Collection& collection, std::size_t count)
      : links_(links_between(place, collection)),
        linked_with_(count, links_),
        groups_of_(count, memberships(place, collection, false)),
        members_(group_count(collection), memberships(place, collection, true)) {
    std::uint64_t ways = links_.size();
    for (std::size_t g = 0; g < members_.size(); ++g) {
      const std::uint64_t size = members_[g].size();
      ways_.push_back(ways += size * (size - std::min<std::uint64_t>(size, 1)) / 2);
    }
  }

  static std::vector<std::uint32_t> places_of(const Collection& collection, std::span<const std::uint32_t> hidden) {
    std::vector<std::uint32_t> place(collection.ids.size(), kNone);
    for (std::uint32_t k = 0; k < hidden.size(); ++k) place[hidden[k]] = k;
    return place;
  }
  static std::vector<Key> links_between(const std::vector<std::uint32_t>& place, const Collection& collection) {
    std::vector<Key> links;
    for (const Link& link : collection.links) {
      if (place[link.a] != kNone && place[link.b] != kNone) links.push_back(key_of(place[link.a], place[link.b]));
    }
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
    return links;
  }
  /// (group, place) or (place, group), sorted.
  static std::vector<Key> memberships(const std::vector<std::uint32_t>& place, const Collection& collection,
                                      bool by_group) {
    std::vector<Key> entries;
    for (const Membership& m : collection.memberships) {
      const Key who = place[m.document];
      if (who != kNone) entries.push_back(by_group ? Key{m.group} << 32 | who : who << 32 | m.group);
    }
    std::sort(entries.begin(), entries.end());
    return entries;
  }
  static std::size_t group_count(const Collection& collection) {
    std::size_t count = 0;
    for (const Membership& m : collection.memberships) count = std::max<std::size_t>(count, m.group + 1);
    return count;
  }

  bool has_link(std::uint32_t a, std::uint32_t b) const {
    return std::binary_search(links_.begin(), links_.end(), key_of(a, b));
  }
  std::uint32_t first_common_group(std::uint32_t a, std::uint32_t b) const {
    const auto of_a = groups_of_[a], of_b = groups_of_[b];
    for (auto x = of_a.begin(), y = of_b.begin(); x != of_a.end() && y != of_b.end();) {
      if (*x == *y) return *x;
      ++(*x < *y ? x : y);
    }
    return kNone;
  }

  std::vector<Key> links_;
  Rows linked_with_;  ///< of each place the higher ones that it has a link with
  Rows groups_of_, members_;
  std::vector<std::uint64_t> ways_;  ///< links, then running sums of the pairs in each group
};

/// Adds `wanted` different pairs that `draw` gives, if it gives them within reason.
template <class Draw>
void add_drawn(std::size_t wanted, bool linked, Draw draw, std::vector<HiddenPair>& pairs) {
  constexpr std::size_t kTriesPerPair = 32;
  std::unordered_set<Key> drawn;
  for (std::size_t tries = 0; drawn.size() < wanted && tries < kTriesPerPair * wanted; ++tries) {
    const std::optional<Key> key = draw();
    if (key && drawn.insert(*key).second) pairs.push_back(pair_of(*key, linked));
  }
}

/// Adds as many unlinked pairs as there are linked ones, which are listed, or all if there are fewer.
void add_unlinked(const std::vector<Key>& linked, std::uint32_t n, Random& random, std::vector<HiddenPair>& pairs) {
  const std::uint64_t all = std::uint64_t{n} * (n - std::min(n, 1u)) / 2, unlinked = all - linked.size();
  const auto is_linked = [&](Key key) { return std::binary_search(linked.begin(), linked.end(), key); };
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
    return;
  }
  add_drawn(
      linked.size(), false,
      [&]() -> std::optional<Key> {
        const std::uint32_t a = random.below(n), b = random.below(n);
        if (a == b || is_linked(key_of(a, b))) return std::nullopt;
        return key_of(a, b);
      },
      pairs);
}

}  // namespace

std::vector<HiddenPair> hidden_pairs(const Collection& collection, std::span<const std::uint32_t> hidden,
                                     Random& random, std::size_t most) {
  const HiddenLinks links(collection, hidden);
  const auto n = static_cast<std::uint32_t>(hidden.size());
  std::vector<HiddenPair> pairs;
  if (const auto linked = links.list(most)) {
    for (const Key key : *linked) pairs.push_back(pair_of(key, true));
    add_unlinked(*linked, n, random, pairs);
    return pairs;
  }
  add_drawn(
      most, true, [&] { return links.draw(random); }, pairs);
  add_drawn(
      pairs.size(), false,
      [&]() -> std::optional<Key> {
        const std::uint32_t a = random.below(n), b = random.below(n);
        if (a == b || links.are_linked(a, b)) return std::nullopt;
        return key_of(a, b);
      },
      pairs);
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
