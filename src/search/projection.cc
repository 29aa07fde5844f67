#include "idne/projection.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/kernels.h"
#include "math/pace.h"
#include "math/parallel.h"
#include "math/random.h"
#include "math/svd.h"
#include "math/symmetric_eigen.h"
#include "math/unit.h"
#include "search/index_state.h"
#include "search/map.h"

/// A layout in the manner of LargeVis and UMAP (Tang et al., 2016; McInnes et al., 2018): neighbours pull, documents
/// drawn at random push. Each round computes all new places from the old ones, so the order of work does not matter.
namespace idne {

bool has_place(std::span<const float> vector) {
  return std::ranges::any_of(vector, [](float value) { return value != 0; }) &&
         std::ranges::all_of(vector, [](float value) { return std::isfinite(value); });
}

std::vector<Term> pulls(const std::vector<Hit>& hits) {
  std::vector<Term> terms;
  if (hits.empty()) return terms;
  const auto distance = [&](const Hit& hit) { return std::max(0.0f, hits.front().score - hit.score); };
  const double target = std::log2(static_cast<double>(hits.size()) + 1);
  double low = 0, high = 4, width = 0;
  for (int step = 0; step < 30; ++step) {
    width = (low + high) / 2;
    double sum = 0;
    for (const Hit& hit : hits) sum += std::exp(-distance(hit) / width);
    (sum > target ? high : low) = width;
  }
  for (const Hit& hit : hits) {
    terms.push_back({static_cast<std::uint32_t>(hit.row), static_cast<float>(std::exp(-distance(hit) / width))});
  }
  std::ranges::sort(terms, {}, &Term::row);
  return terms;
}

namespace {

constexpr std::size_t kPushes = 8;  // documents drawn for each document and round
constexpr float kPushWeight = 4;    // of the mean push against the mean pull
constexpr float kLongestStep = 4;
constexpr std::uint64_t kSeed = 1;
constexpr std::size_t kPart = 1024;  // documents that a thread takes at once

struct Point {
  float x = 0, y = 0;
};
using Points = std::vector<Point>;

SparseRows neighbour_rows(const Model& model, const DocumentIndex& index, const Run& run) {
  const MatrixView rows = model.documents().vectors;
  std::vector<std::vector<Term>> lists(rows.rows);
  parallel_parts(run, "finding neighbours", rows.rows, 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (has_place(rows.row(i))) lists[i] = pulls(quick_neighbours(index, i, kMapNeighbours));
    }
  });
  SparseRows result;
  result.columns = rows.rows;
  for (const auto& list : lists) {
    result.entries.insert(result.entries.end(), list.begin(), list.end());
    result.offsets.push_back(result.entries.size());
  }
  return result;
}

/// a + b − ab for the weights of both directions; each row's sum is 1 afterwards.
SparseRows symmetric(const SparseRows& one_way) {
  const SparseRows other_way = one_way.transposed();
  SparseRows both;
  both.columns = one_way.columns;
  for (std::size_t i = 0; i < one_way.rows(); ++i) {
    auto a = one_way.row(i).begin(), b = other_way.row(i).begin();
    const auto a_end = one_way.row(i).end(), b_end = other_way.row(i).end();
    const std::size_t begin = both.entries.size();
    float sum = 0;
    while (a != a_end || b != b_end) {
      Term term{};
      if (b == b_end || (a != a_end && a->row < b->row)) {
        term = *a++;
      } else if (a == a_end || b->row < a->row) {
        term = *b++;
      } else {
        term = {a->row, a->weight + b->weight - a->weight * b->weight};
        ++a, ++b;
      }
      sum += term.weight;
      both.entries.push_back(term);
    }
    for (std::size_t n = begin; n < both.entries.size(); ++n) both.entries[n].weight /= sum;
    both.offsets.push_back(both.entries.size());
  }
  return both;
}

/// The two directions in which the documents, at unit length, differ most, from a sample spread over the corpus. Row
/// after row; one if there is but one dimension.
std::vector<float> main_directions(MatrixView rows, const Run& run) {
  constexpr std::size_t kSample = 4096;
  const std::size_t count = std::min(kSample, rows.rows), width = rows.columns;
  std::vector<std::uint32_t> chosen;
  for (std::size_t n = 0; n < count; ++n) {
    const std::size_t i = n * rows.rows / count;
    if (has_place(rows.row(i))) chosen.push_back(static_cast<std::uint32_t>(i));
  }
  std::vector<float> sample = unit_rows(rows, chosen, run.threads);
  std::vector<double> mean(width);
  for (std::size_t at = 0; at < sample.size(); ++at)
    mean[at % width] += sample[at] / static_cast<double>(chosen.size());
  for (std::size_t at = 0; at < sample.size(); ++at) sample[at] -= static_cast<float>(mean[at % width]);
  const Matrix square = gram({sample.data(), chosen.size(), width}, run);
  return principal_directions(square, std::min<std::size_t>(2, width), run).floats();
}

/// Places to begin with: along the main directions, and apart by a little chance where documents are the same.
Points start(MatrixView rows, const Run& run) {
  const std::vector<float> directions = main_directions(rows, run);
  Points points(rows.rows);
  parallel_parts(run.threads, rows.rows, kPart, [&](std::size_t begin, std::size_t end) {
    std::vector<float> unit(rows.columns);
    for (std::size_t i = begin; i < end; ++i) {
      Random random(kSeed, Purpose::ParameterStart, i);
      points[i] = {0.01f * random.truncated_normal(), 0.01f * random.truncated_normal()};
      if (!has_place(rows.row(i))) continue;
      std::ranges::copy(rows.row(i), unit.begin());
      to_unit_length(unit);
      points[i].x += 10 * dot(directions.data(), unit.data(), unit.size());
      if (unit.size() > 1) points[i].y += 10 * dot(directions.data() + unit.size(), unit.data(), unit.size());
    }
  });
  return points;
}

Points points_of(const std::vector<float>& numbers) {
  Points points(numbers.size() / 2);
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = {numbers[2 * i], numbers[2 * i + 1]};
  return points;
}
std::vector<float> numbers_of(const Points& points) {
  std::vector<float> numbers;
  for (const Point& point : points) numbers.insert(numbers.end(), {point.x, point.y});
  return numbers;
}

class Layout {
 public:
  Layout(SparseRows pulls, std::vector<std::uint32_t> placed, Points points)
      : pulls_(std::move(pulls)), placed_(std::move(placed)), points_(std::move(points)), next_(points_) {}

  void round(std::uint64_t number, float step, int threads) {
    parallel_parts(threads, placed_.size(), kPart, [&](std::size_t begin, std::size_t end) {
      for (std::size_t n = begin; n < end; ++n) {
        const Point force = force_on(placed_[n], number);
        const float length = std::hypot(force.x, force.y);
        const float scale = step * std::min(1.0f, kLongestStep / std::max(length, 1e-9f));
        next_[placed_[n]] = {points_[placed_[n]].x + scale * force.x, points_[placed_[n]].y + scale * force.y};
      }
    });
    points_.swap(next_);
  }
  const Points& points() const { return points_; }

 private:
  /// The gradient of log q for neighbours and of log(1 − q) for others, q = 1 / (1 + distance²).
  Point force_on(std::uint32_t i, std::uint64_t number) const {
    const Point at = points_[i];
    Point force;
    for (const Term& pull : pulls_.row(i)) {
      const float dx = points_[pull.row].x - at.x, dy = points_[pull.row].y - at.y;
      const float weight = pull.weight * 2 / (1 + dx * dx + dy * dy);
      force.x += weight * dx;
      force.y += weight * dy;
    }
    Random random(kSeed + number, Purpose::Sample, i);
    for (std::size_t n = 0; n < kPushes; ++n) {
      const Point other = points_[placed_[random.below(static_cast<std::uint32_t>(placed_.size()))]];
      const float dx = at.x - other.x, dy = at.y - other.y, square = dx * dx + dy * dy;
      const float weight = kPushWeight / kPushes * 2 / ((0.01f + square) * (1 + square));
      force.x += weight * dx;
      force.y += weight * dy;
    }
    return force;
  }

  SparseRows pulls_;
  std::vector<std::uint32_t> placed_;
  Points points_, next_;
};

/// Into a disc around the middle; the ring of those without a place is outside.
std::vector<float> fitted(const Points& points, const std::vector<std::uint32_t>& placed) {
  double x = 0, y = 0, largest = 1e-9;
  for (const std::uint32_t i : placed) x += points[i].x, y += points[i].y;
  x /= static_cast<double>(std::max<std::size_t>(1, placed.size()));
  y /= static_cast<double>(std::max<std::size_t>(1, placed.size()));
  for (const std::uint32_t i : placed) largest = std::max(largest, std::hypot(points[i].x - x, points[i].y - y));
  const std::size_t others = points.size() - placed.size();
  std::vector<float> map(2 * points.size());
  std::size_t next_placed = 0, next_other = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (next_placed < placed.size() && placed[next_placed] == i) {
      ++next_placed;
      map[2 * i] = static_cast<float>(kMapRadius * (points[i].x - x) / largest);
      map[2 * i + 1] = static_cast<float>(kMapRadius * (points[i].y - y) / largest);
    } else {
      const double angle = 2 * std::numbers::pi * static_cast<double>(next_other++) / static_cast<double>(others);
      map[2 * i] = static_cast<float>(std::cos(angle));
      map[2 * i + 1] = static_cast<float>(std::sin(angle));
    }
  }
  return map;
}

/// A million documents get fewer rounds, so that they take minutes, not an hour.
std::size_t rounds_for(std::size_t documents) {
  const double share = 1e5 / static_cast<double>(std::max<std::size_t>(documents, 100'000));
  return static_cast<std::size_t>(500 * std::max(0.4, std::sqrt(share)));
}

}  // namespace

std::vector<float> project(const Model& model, const DocumentIndex& index, const Run& run, const MapDraft& from,
                           const Keeper<MapDraft>& keeper) {
  const MatrixView rows = model.documents().vectors;
  std::vector<std::uint32_t> placed;
  for (std::uint32_t i = 0; i < rows.rows; ++i) {
    if (has_place(rows.row(i))) placed.push_back(i);
  }
  if (placed.empty()) return fitted(Points(rows.rows), placed);
  Layout layout(symmetric(neighbour_rows(model, index, run)), placed,
                from.places.empty() ? start(rows, run) : points_of(from.places));
  const std::size_t rounds = rounds_for(placed.size());
  std::size_t round = from.rounds, kept = round;
  const auto keep = [&] {
    if (keeper.keep && round > kept) keeper.keep({numbers_of(layout.points()), round});
    kept = round;
  };
  Pace reports, drafts(keeper.every);
  try {
    for (; round < rounds; ++round) {
      run.check();
      if (drafts.due()) keep();
      if (reports.due()) run.report({"drawing the map", round, rounds});
      layout.round(round, 1 - static_cast<float>(round) / static_cast<float>(rounds), run.threads);
    }
  } catch (const Interrupted&) {
    keep();
    throw;
  }
  return fitted(layout.points(), placed);
}

std::vector<float> project(const Model& model, const DocumentIndex& index, const Run& run) {
  return project(model, index, run, {}, {});
}

}  // namespace idne
