#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "evaluate/statistics.h"

/// What the printed forms of an evaluation share.
namespace idne {

/// The cells of a task as they are printed: a row for each contestant that has any, a column per ratio and metric.
struct Grid {
  struct Column {
    double ratio;
    std::string metric;
    bool operator==(const Column&) const = default;
  };

  Task task;
  std::vector<Column> columns;
  std::vector<std::string> contestants;
  std::vector<std::vector<const Cell*>> rows;  ///< [contestant][column], null where nothing was run
  std::string minus;  ///< the contestant that the figures are differences to; empty for figures
};

/// One per task, in the order of the evaluation. Points into the evaluation, which has to outlive it.
std::vector<Grid> lay_out(const Evaluation& evaluation);

/// What a grid's other contestants have more, or less, than the evaluation's first.
class Differences {
 public:
  Differences(const Evaluation& evaluation, const Grid& grid);
  /// No rows if there is nothing to compare.
  const Grid& grid() const { return grid_; }

 private:
  std::deque<Cell> cells_;  ///< which the grid points into
  Grid grid_;
};

/// Why there is none; empty if there is one.
std::string failure_of(const Cell& cell);
/// The mean × 100; of differences with its sign.
std::string figure(const Grid& grid, const Cell& cell, int decimals);
/// For each column the figure that the best contestant prints, empty if none has one, or if these are differences. All
/// that print it are best: what looks equal is not told apart.
std::vector<std::string> best_figures(const Grid& grid, int decimals);
/// A sentence for each contestant and reason that leaves cells without a figure.
std::vector<std::string> failure_notes(const Grid& grid);

/// Seconds of a repeat, mean over the columns that have a figure; "–" if none has.
struct SecondsText {
  std::string train, score;
};
SecondsText seconds_of(const std::vector<const Cell*>& row);

/// "cora: 2,211 documents, 5,001 links, 7 labels, 10 repeats".
std::string corpus_line(const Evaluation& evaluation);
/// What the figures are; says so if there are fewer repeats than asked for.
std::string figures_line(const Evaluation& evaluation);
std::string grid_title(const Grid& grid);
/// "2 %" or, where the grid's title tells the ratio, "AUC"; or the metric of suggestions.
std::string column_title(const Grid& grid, std::size_t column);
std::string percent(double ratio);  ///< 0.02 as "2 %"

/// Valid UTF-8 without line breaks: control characters become spaces, broken bytes U+FFFD.
std::string one_line(std::string_view text);

}  // namespace idne
