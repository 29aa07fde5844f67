#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "idne/evaluate.h"

/// What the printed forms of an evaluation share.
namespace idne {

/// The cells of a task as they are printed: a row for each contestant that has any, a column a ratio.
struct Grid {
  Task task;
  std::vector<double> ratios;
  std::vector<std::string> contestants;
  std::vector<std::vector<const Cell*>> rows;  ///< [contestant][ratio], null where nothing was run
};

/// One a task, in the order of the evaluation. Points into the evaluation, which has to outlive it.
std::vector<Grid> lay_out(const Evaluation& evaluation);

/// Whether there is a mean to print. Takes null.
bool has_figure(const Cell* cell);
/// Why there is none; empty if there is one.
std::string failure_of(const Cell& cell);
/// The mean × 100.
std::string figure(const Cell& cell, int decimals);
/// For each column the figure that the best contestant prints, empty if none has one. All that print it are best: what
/// looks equal is not told apart.
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
/// "2 %" or, where the grid's title tells the ratio, "AUC".
std::string column_title(const Grid& grid, std::size_t column);
std::string percent(double ratio);  ///< 0.02 as "2 %"

/// Valid UTF-8 without line breaks: control characters become spaces, broken bytes U+FFFD.
std::string one_line(std::string_view text);

}  // namespace idne
