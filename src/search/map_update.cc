#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/parallel.h"
#include "math/random.h"
#include "search/index_state.h"
#include "search/map.h"

namespace idne {
namespace {

constexpr std::uint64_t kPlaceSeed = 1;

struct Place {
  double x = 0, y = 0;
  double weight = 0;
};

/// The point to which the sum of weighted distances is least (Weiszfeld's steps): among most of the places, where their
/// mean could lie between two groups, near nobody.
Place middle_of(const std::vector<Place>& places) {
  constexpr int kSteps = 30;
  constexpr double kLeast = 1e-6;
  Place middle;
  for (int step = 0; step <= kSteps; ++step) {
    Place next;
    for (const Place& place : places) {
      const double distance = step == 0 ? 1 : std::max(kLeast, std::hypot(place.x - middle.x, place.y - middle.y));
      const double weight = place.weight / distance;
      next.x += weight * place.x;
      next.y += weight * place.y;
      next.weight += weight;
    }
    middle = {next.x / next.weight, next.y / next.weight, next.weight};
  }
  return middle;
}

/// A document's own random numbers: they stay the same when its row changes.
Random random_of(std::span<const float> vector, std::size_t row) {
  return {kPlaceSeed, Purpose::ParameterStart, XXH3_64bits_withSeed(vector.data(), vector.size_bytes(), row)};
}

Place on_circle(double radius, double turn) {
  const double angle = 2 * std::numbers::pi * turn;
  return {radius * std::cos(angle), radius * std::sin(angle), 1};
}

/// Near the middle of its neighbours, and not right on one of them.
Place beside(const std::vector<Place>& neighbours, Random random) {
  constexpr double kNearest = 1e-4, kShare = 0.25;
  Place place = middle_of(neighbours);
  double spread = 0, weight = 0;
  for (const Place& other : neighbours) {
    spread += other.weight * std::hypot(other.x - place.x, other.y - place.y);
    weight += other.weight;
  }
  // Neighbours in other groups say nothing about how wide this one is.
  const double step = std::clamp(kShare * spread / weight, kNearest, 0.01);
  const Place aside = on_circle(step * (0.5 + 0.5 * random.uniform()), random.uniform());
  place.x += aside.x;
  place.y += aside.y;
  const double inward = std::min(1.0, kMapRadius / std::max(kNearest, std::hypot(place.x, place.y)));
  return {place.x * inward, place.y * inward, 1};
}

class MapUpdate {
 public:
  MapUpdate(const std::vector<float>& old, const Model& model, std::span<const std::uint32_t> former)
      : rows_(model.documents().vectors), map_(2 * rows_.rows), placed_(rows_.rows) {
    for (std::size_t i = 0; i < rows_.rows; ++i) {
      if (former[i] >= old.size() / 2) continue;
      map_[2 * i] = old[2 * std::size_t{former[i]}];
      map_[2 * i + 1] = old[2 * std::size_t{former[i]} + 1];
      placed_[i] = 1;
      ++kept_;
    }
  }
  std::size_t kept() const { return kept_; }

  std::vector<float> with_new_ones(const DocumentIndex& index, const Run& run) {
    std::vector<std::uint32_t> open;
    for (std::uint32_t i = 0; i < rows_.rows; ++i) {
      if (placed_[i]) continue;
      if (has_place(rows_.row(i))) {
        open.push_back(i);
      } else {
        put(i, on_circle(1, random_of(rows_.row(i), i).uniform()));
      }
    }
    std::vector<std::vector<Term>> neighbours(open.size());
    parallel_parts(run, "finding neighbours", open.size(), 16, [&](std::size_t begin, std::size_t end) {
      for (std::size_t n = begin; n < end; ++n) neighbours[n] = pulls(quick_neighbours(index, open[n], kMapNeighbours));
    });
    while (put_some(open, neighbours)) {
    }
    // A group of new ones that are near no old one: where there is most likely room. The first draws the others.
    for (std::size_t n = 0; n < open.size(); ++n) {
      if (placed_[open[n]]) continue;
      Random random = random_of(rows_.row(open[n]), open[n]);
      put(open[n], on_circle(kMapRadius * std::sqrt(random.uniform()), random.uniform()));
      while (put_some(open, neighbours)) {
      }
    }
    return std::move(map_);
  }

 private:
  void put(std::uint32_t row, const Place& place) {
    map_[2 * std::size_t{row}] = static_cast<float>(place.x);
    map_[2 * std::size_t{row} + 1] = static_cast<float>(place.y);
    placed_[row] = 1;
  }

  /// Puts those that have a neighbour with a place; false if there is none of these.
  bool put_some(const std::vector<std::uint32_t>& open, const std::vector<std::vector<Term>>& neighbours) {
    std::vector<std::pair<std::uint32_t, Place>> found;
    for (std::size_t n = 0; n < open.size(); ++n) {
      if (placed_[open[n]]) continue;
      std::vector<Place> places;
      for (const Term& term : neighbours[n]) {
        // Those without a place lie on the ring, which is nobody's neighbourhood.
        if (!placed_[term.row] || !has_place(rows_.row(term.row))) continue;
        places.push_back({map_[2 * std::size_t{term.row}], map_[2 * std::size_t{term.row} + 1], term.weight + 1e-6});
      }
      if (!places.empty()) found.emplace_back(open[n], beside(places, random_of(rows_.row(open[n]), open[n])));
    }
    for (const auto& [row, place] : found) put(row, place);
    return !found.empty();
  }

  MatrixView rows_;
  std::vector<float> map_;
  std::vector<char> placed_;
  std::size_t kept_ = 0;
};

}  // namespace

std::vector<float> update_map(const std::vector<float>& old, const Model& model, const DocumentIndex& index,
                              std::span<const std::uint32_t> former, const Run& run) {
  MapUpdate update(old, model, former);
  if (2 * update.kept() < former.size()) return project(model, index, run);
  return update.with_new_ones(index, run);
}

std::optional<std::array<float, 2>> place_among(std::span<const float> map, const Model& model,
                                                const std::vector<Hit>& nearest) {
  const MatrixView rows = model.documents().vectors;
  std::vector<Place> places;
  for (const Term& term : pulls(nearest)) {
    if (!has_place(rows.row(term.row))) continue;
    places.push_back({map[2 * std::size_t{term.row}], map[2 * std::size_t{term.row} + 1], term.weight + 1e-6});
  }
  if (places.empty()) return {};
  const Place middle = middle_of(places);
  return std::array{static_cast<float>(middle.x), static_cast<float>(middle.y)};
}

}  // namespace idne
