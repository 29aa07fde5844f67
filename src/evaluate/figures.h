#pragma once

#include <compare>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "idne/evaluate.h"

namespace idne {

/// A contestant's rows: under its own name, one more of what it is made of, or is part of, and one joined with LSA for
/// what knows no texts.
enum class Row { Main, Other, WithLsa };

/// One figure of one repeat.
struct Result {
  double value = 0;
  double train_seconds = 0, score_seconds = 0;
};

/// The figures of an evaluation as they come: one slot per cell and repeat, so that threads need not meet and the order
/// of work does not matter.
class Figures {
 public:
  struct Key {
    std::size_t contestant;
    Row row;
    Task task;
    std::size_t column;  ///< number of the ratio, or of the metric
    auto operator<=>(const Key&) const = default;
  };

  explicit Figures(std::size_t repeats) : repeats_(repeats) {}

  void add(const Key& key, Cell cell);
  bool has(const Key& key) const { return place_.contains(key); }
  /// A value that is not a number is the cell's failure. Safe for use by several threads, also beside fail().
  void note(const Key& key, std::size_t repeat, const Result& result);
  /// Takes the figures of a contestant's tasks away: those that `concerned` says.
  void fail(std::size_t contestant, const std::function<bool(Task)>& concerned, const std::string& reason);
  /// All cells, with what was noted. To be called once.
  std::vector<Cell> cells();

 private:
  std::size_t repeats_;
  std::mutex mutex_;
  std::map<Key, std::size_t> place_;
  std::vector<Cell> cells_;
  std::vector<std::vector<std::optional<Result>>> results_;  ///< [cell][repeat]
};

}  // namespace idne
