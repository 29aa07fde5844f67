#include "explain/areas.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "methods/topic_words.h"
#include "search/map.h"
#include "text/families.h"

namespace idne {
namespace {

constexpr std::size_t kFewest = 8;  ///< documents of an area
constexpr std::size_t kNameWords = 2;

using Rows = std::vector<std::uint32_t>;

/// A grid over the map, on which documents are counted. Whole numbers, so that no order of sums matters.
class Grid {
 public:
  /// Cells of about four documents, were they spread evenly.
  explicit Grid(std::size_t documents)
      : side_(std::clamp<std::size_t>(static_cast<std::size_t>(std::sqrt(static_cast<double>(documents)) / 2), 8, 80)),
        counts_(side_ * side_) {}

  std::size_t cell_of(float x, float y) const { return line(y) * side_ + line(x); }
  void count(std::size_t cell) { ++counts_[cell]; }

  /// Each cell with something of its neighbours: what is seen as one should have one top.
  void smooth() {
    const std::size_t steps[] = {1, side_};
    for (const std::size_t step : steps) {
      const std::vector<std::uint32_t> before = counts_;
      for (std::size_t cell = 0; cell < counts_.size(); ++cell) {
        const std::size_t at = step == 1 ? cell % side_ : cell / side_;
        counts_[cell] =
            2 * before[cell] + (at > 0 ? before[cell - step] : 0) + (at + 1 < side_ ? before[cell + step] : 0);
      }
    }
  }

  /// For each cell the one where a walk uphill ends.
  std::vector<std::size_t> tops() const {
    std::vector<std::size_t> tops(counts_.size());
    for (std::size_t cell = 0; cell < tops.size(); ++cell) {
      std::size_t at = cell;
      for (std::size_t next = highest_near(at); next != at; next = highest_near(at)) at = next;
      tops[cell] = at;
    }
    return tops;
  }

  bool near(std::size_t cell, std::size_t other) const {
    const auto apart = [](std::size_t a, std::size_t b) { return a > b ? a - b : b - a; };
    return apart(cell % side_, other % side_) <= 1 && apart(cell / side_, other / side_) <= 1;
  }

 private:
  std::size_t line(float place) const {
    const auto cells = static_cast<float>(side_);
    return static_cast<std::size_t>(std::clamp((place + 1) / 2 * cells, 0.0f, cells - 1));
  }

  /// Of equals the first, so that a walk over a plain ends.
  std::size_t highest_near(std::size_t cell) const {
    const std::size_t x = cell % side_, y = cell / side_;
    std::size_t best = cell;
    for (std::size_t to_y = y - (y > 0); to_y <= std::min(y + 1, side_ - 1); ++to_y) {
      for (std::size_t to_x = x - (x > 0); to_x <= std::min(x + 1, side_ - 1); ++to_x) {
        const std::size_t to = to_y * side_ + to_x;
        if (counts_[to] > counts_[best] || (counts_[to] == counts_[best] && to < best)) best = to;
      }
    }
    return best;
  }

  std::size_t side_;
  std::vector<std::uint32_t> counts_;
};

/// In how many of some documents each word occurs.
class DocumentCounts {
 public:
  explicit DocumentCounts(const Model& model)
      : words_(model.documents().words.words()), counts_(model.words().size()) {}

  void count(const Rows& rows) {
    for (const std::uint32_t word : met_) counts_[word] = 0;
    met_.clear();
    for (const std::uint32_t row : rows) {
      for (const std::int32_t number : words_[row]) {
        const auto word = static_cast<std::uint32_t>(number);
        if (counts_[word]++ == 0) met_.push_back(word);
      }
    }
    of_ = static_cast<double>(rows.size());
  }
  std::size_t operator[](std::uint32_t word) const { return counts_[word]; }
  double share(std::uint32_t word) const { return static_cast<double>(counts_[word]) / of_; }
  const std::vector<std::uint32_t>& met() const { return met_; }

 private:
  ListsView words_;
  std::vector<std::uint32_t> counts_, met_;
  double of_ = 1;
};

struct Area {
  std::size_t top;
  Rows rows;
};

/// Where each row lies on the map.
struct Places {
  std::span<const float> numbers;
  float x(std::uint32_t row) const { return numbers[2 * row]; }
  float y(std::uint32_t row) const { return numbers[2 * row + 1]; }
};

class Namer {
 public:
  explicit Namer(const Model& model) : model_(model), families_(families_of(model)), all_(model), some_(model) {}

  void set_topic(const Rows& rows) { all_.count(rows); }

  /// The words that are much more frequent here than in the topic, and frequent: what each tells in the mean about
  /// where a document is. Empty if there are none.
  std::string name(const Rows& rows) {
    some_.count(rows);
    std::vector<std::pair<double, std::uint32_t>> told;
    for (const std::uint32_t word : some_.met()) {
      const double here = some_.share(word), there = all_.share(word);
      if (some_[word] < kFewest / 2 || here <= there || families_[word] == kNoFamily) continue;
      told.push_back({-here * std::log(here / there), word});
    }
    std::ranges::sort(told);
    std::string name;
    Rows used;
    for (const auto& [score, word] : told) {
      if (used.size() == kNameWords) break;
      if (std::ranges::find(used, families_[word]) != used.end()) continue;
      used.push_back(families_[word]);
      name.append(name.empty() ? "" : ", ").append(model_.words().shown(word));
    }
    return name;
  }

 private:
  const Model& model_;
  std::vector<std::uint32_t> families_;
  DocumentCounts all_, some_;
};

/// The rows of a topic by the top that they lie around, the largest areas first.
std::vector<Area> areas_of(const Rows& rows, const Places& places, Grid& grid) {
  for (const std::uint32_t row : rows) grid.count(grid.cell_of(places.x(row), places.y(row)));
  grid.smooth();
  grid.smooth();
  const std::vector<std::size_t> tops = grid.tops();
  std::vector<Area> areas;
  for (const std::uint32_t row : rows) {
    const std::size_t top = tops[grid.cell_of(places.x(row), places.y(row))];
    const auto found = std::ranges::find(areas, top, &Area::top);
    (found == areas.end() ? areas.emplace_back(Area{top, {}}) : *found).rows.push_back(row);
  }
  std::erase_if(areas, [](const Area& area) { return area.rows.size() < kFewest; });
  std::ranges::stable_sort(areas, std::ranges::greater(), [](const Area& area) { return area.rows.size(); });
  return areas;
}

/// The mean place of those near the top; of all if that lies between them.
void put(MapArea& area, const Area& found, const Places& places, const Grid& grid) {
  Rows near;
  std::ranges::copy_if(found.rows, std::back_inserter(near), [&](std::uint32_t row) {
    return grid.near(grid.cell_of(places.x(row), places.y(row)), found.top);
  });
  const Rows& rows = near.empty() ? found.rows : near;
  double x = 0, y = 0;
  for (const std::uint32_t row : rows) {
    x += places.x(row);
    y += places.y(row);
  }
  area.x = static_cast<float>(x / static_cast<double>(rows.size()));
  area.y = static_cast<float>(y / static_cast<double>(rows.size()));
}

}  // namespace

std::vector<MapArea> map_areas(const Model& model, std::span<const float> numbers,
                               std::span<const std::size_t> main_topics) {
  std::vector<MapArea> all;
  if (model.documents().words.size() == 0) return all;
  const Places places{numbers};
  std::vector<Rows> rows_of(1 + (model.has_topics() ? model.topics().size() : 0));
  for (std::uint32_t row = 0; row < main_topics.size(); ++row) {
    if (has_place(model.documents().vectors.row(row))) rows_of[main_topics[row]].push_back(row);
  }
  Namer namer(model);
  for (std::size_t topic = model.has_topics() ? 1 : 0; topic < rows_of.size(); ++topic) {
    Grid grid(main_topics.size());
    const std::vector<Area> areas = areas_of(rows_of[topic], places, grid);
    if (areas.size() < 2) continue;  // the topic's own name says it
    namer.set_topic(rows_of[topic]);
    const std::size_t begin = all.size();
    for (const Area& found : areas) {
      MapArea area{topic, 0, 0, found.rows.size(), namer.name(found.rows)};
      const bool known = std::any_of(all.begin() + static_cast<std::ptrdiff_t>(begin), all.end(),
                                     [&](const MapArea& other) { return other.name == area.name; });
      if (area.name.empty() || known) continue;
      put(area, found, places, grid);
      all.push_back(std::move(area));
    }
  }
  std::ranges::stable_sort(all, std::ranges::greater(), &MapArea::documents);
  return all;
}

}  // namespace idne
