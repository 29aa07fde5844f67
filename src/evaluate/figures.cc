#include "evaluate/figures.h"

#include <algorithm>
#include <cmath>

namespace idne {

void Figures::add(const Key& key, Cell cell) {
  place_[key] = cells_.size();
  cells_.push_back(std::move(cell));
  results_.emplace_back(repeats_);
}

void Figures::note(const Key& key, std::size_t repeat, const Result& result) {
  const std::size_t at = place_.at(key);
  if (std::isnan(result.value)) {
    const std::lock_guard lock(mutex_);
    cells_[at].failure = "the vectors or the scores are not numbers, or nothing could be scored";
  }
  results_[at][repeat] = result;
}

void Figures::fail(std::size_t contestant, const std::function<bool(Task)>& concerned, const std::string& reason) {
  const std::lock_guard lock(mutex_);
  for (const auto& [key, at] : place_) {
    if (key.contestant == contestant && concerned(key.task)) cells_[at].failure = reason;
  }
}

std::vector<Cell> Figures::cells() {
  for (std::size_t c = 0; c < cells_.size(); ++c) {
    Cell& cell = cells_[c];
    for (std::size_t repeat = 0; repeat < repeats_; ++repeat) {
      const auto& result = results_[c][repeat];
      if (!result || std::isnan(result->value)) continue;
      cell.values.push_back(result->value);
      cell.repeats.push_back(repeat);
      cell.train_seconds += result->train_seconds;
      cell.score_seconds += result->score_seconds;
    }
    const auto n = static_cast<double>(std::max<std::size_t>(1, cell.values.size()));
    cell.train_seconds /= n;
    cell.score_seconds /= n;
    if (cell.values.empty() && cell.failure.empty()) cell.failure = "not done";
    if (!cell.failure.empty()) {
      cell.values.clear();
      cell.repeats.clear();
    }
  }
  return std::move(cells_);
}

}  // namespace idne
