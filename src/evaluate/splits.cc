#include "evaluate/splits.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace idne {
namespace {

std::size_t rounded_share(std::size_t size, double share) {
  const auto wanted = static_cast<std::size_t>(std::llround(share * static_cast<double>(size)));
  return size < 2 ? size : std::clamp<std::size_t>(wanted, 1, size - 1);
}

/// Iterative stratification of places 0 … n − 1 into sides of the given sizes.
std::vector<std::uint32_t> stratify(std::span<const std::uint32_t> documents, const Lists& labels,
                                    const std::vector<double>& sizes, Random& random) {
  const double total = std::accumulate(sizes.begin(), sizes.end(), 0.0);
  std::vector<std::uint32_t> order(documents.size());
  std::iota(order.begin(), order.end(), 0u);
  shuffle(order, random);

  std::unordered_map<std::int32_t, std::vector<std::uint32_t>> places;  // of each label, in shuffled order
  for (const std::uint32_t place : order) {
    for (const std::int32_t label : labels.row(documents[place])) places[label].push_back(place);
  }
  std::vector<std::int32_t> by_rarity;
  for (const auto& [label, with] : places) by_rarity.push_back(label);
  std::sort(by_rarity.begin(), by_rarity.end(), [&](std::int32_t a, std::int32_t b) {
    return places[a].size() != places[b].size() ? places[a].size() < places[b].size() : a < b;
  });

  constexpr std::uint32_t kNowhere = ~0u;
  std::vector<std::uint32_t> side_of(documents.size(), kNowhere);
  std::vector<double> room = sizes;  // how many documents each side still wants
  std::unordered_map<std::int32_t, std::vector<double>> label_room;
  for (const auto& [label, with] : places) {
    for (const double size : sizes) label_room[label].push_back(size / total * static_cast<double>(with.size()));
  }
  const auto put = [&](std::uint32_t place, std::uint32_t side) {
    side_of[place] = side;
    room[side] -= 1;
    for (const std::int32_t label : labels.row(documents[place])) label_room[label][side] -= 1;
  };
  // What the labels so far could not give a side in whole documents, the next one does: many small classes would
  // otherwise all round the same way.
  std::vector<double> owed(sizes.size());
  for (const std::int32_t label : by_rarity) {
    const double left = std::accumulate(room.begin(), room.end(), 0.0);
    for (std::size_t side = 0; side < sizes.size(); ++side) {
      owed[side] = std::clamp(room[side] - left * sizes[side] / total, -0.5, 0.5);
    }
    for (const std::uint32_t place : places[label]) {
      if (side_of[place] != kNowhere) continue;
      std::uint32_t best = 0;
      for (std::uint32_t side = 1; side < sizes.size(); ++side) {
        const double wanted = label_room[label][side] + owed[side], most = label_room[label][best] + owed[best];
        if (wanted > most || (wanted == most && room[side] > room[best])) best = side;
      }
      put(place, best);
    }
  }
  for (const std::uint32_t place : order) {  // documents without labels
    if (side_of[place] == kNowhere) {
      put(place, static_cast<std::uint32_t>(std::max_element(room.begin(), room.end()) - room.begin()));
    }
  }
  return side_of;
}

}  // namespace

Split random_split(std::size_t documents, double share, Random& random) {
  std::vector<std::uint32_t> order(documents);
  std::iota(order.begin(), order.end(), 0u);
  shuffle(order, random);
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(rounded_share(documents, share));
  Split split{{order.begin(), middle}, {middle, order.end()}};
  std::sort(split.chosen.begin(), split.chosen.end());
  std::sort(split.rest.begin(), split.rest.end());
  return split;
}

Split stratified_split(std::span<const std::uint32_t> documents, const Lists& labels, double share, Random& random) {
  const auto wanted = static_cast<double>(rounded_share(documents.size(), share));
  const auto side = stratify(documents, labels, {wanted, static_cast<double>(documents.size()) - wanted}, random);
  Split split;
  for (std::size_t k = 0; k < documents.size(); ++k) (side[k] ? split.rest : split.chosen).push_back(documents[k]);
  return split;
}

std::vector<std::uint32_t> stratified_folds(std::span<const std::uint32_t> documents, const Lists& labels,
                                            std::size_t folds, Random& random) {
  return stratify(documents, labels,
                  std::vector<double>(folds, static_cast<double>(documents.size()) / static_cast<double>(folds)),
                  random);
}

}  // namespace idne
