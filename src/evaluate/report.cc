#include "evaluate/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <optional>

#include "evaluate/suggest_metrics.h"
#include "idne/error.h"
#include "text/nearest_name.h"
#include "text/numbers.h"

namespace idne {
namespace {

constexpr std::array kTasks{Task::Classification, Task::InductiveClassification, Task::InductiveLinks,
                            Task::SuggestLinks, Task::SuggestLabels};

std::string counted(std::size_t number, std::string_view noun) {
  return fmt::format("{} {}{}", with_commas(number), noun, number == 1 ? "" : "s");
}

}  // namespace

std::span<const Task> known_tasks() { return kTasks; }

bool is_suggesting(Task task) { return task == Task::SuggestLinks || task == Task::SuggestLabels; }

std::string_view task_name(Task task) {
  switch (task) {
    case Task::Classification:
      return "classification";
    case Task::InductiveClassification:
      return "inductive-classification";
    case Task::InductiveLinks:
      return "inductive-links";
    case Task::SuggestLinks:
      return "suggest-links";
    case Task::SuggestLabels:
      break;
  }
  return "suggest-labels";
}

Task find_task(std::string_view name) {
  std::vector<std::string> known;
  for (const Task task : kTasks) {
    if (task_name(task) == name) return task;
    known.emplace_back(task_name(task));
  }
  throw Error(fmt::format("no task '{}'; there are: {}{}", name, fmt::join(known, ", "), hint_at(name, known)));
}

std::vector<Grid> lay_out(const Evaluation& evaluation) {
  std::vector<Grid> grids;
  const auto place = [](auto& list, const auto& value) {
    const auto at = std::find(list.begin(), list.end(), value);
    const auto index = static_cast<std::size_t>(at - list.begin());
    if (at == list.end()) list.push_back(value);
    return index;
  };
  std::vector<Task> tasks;
  for (const Cell& cell : evaluation.cells) {
    const std::size_t task = place(tasks, cell.task);
    if (task == grids.size()) grids.push_back({cell.task, {}, {}, {}, {}});
    Grid& grid = grids[task];
    const std::size_t row = place(grid.contestants, cell.contestant);
    const std::size_t column = place(grid.columns, Grid::Column{cell.ratio, cell.metric});
    grid.rows.resize(grid.contestants.size());
    grid.rows[row].resize(std::max(grid.rows[row].size(), column + 1));
    grid.rows[row][column] = &cell;
  }
  for (Grid& grid : grids) {
    for (auto& row : grid.rows) row.resize(grid.columns.size());
  }
  return grids;
}

Differences::Differences(const Evaluation& evaluation, const Grid& grid)
    : grid_{grid.task, grid.columns, {}, {}, evaluation.cells.front().contestant} {
  for (std::size_t row = 0; row < grid.rows.size(); ++row) {
    std::vector<const Cell*> differences;
    for (const Cell* cell : grid.rows[row]) {
      const std::optional<Cell> difference = cell ? difference_to_first(evaluation, *cell) : std::nullopt;
      differences.push_back(difference ? &cells_.emplace_back(*difference) : nullptr);
    }
    if (std::ranges::all_of(differences, [](const Cell* cell) { return !cell; })) continue;
    grid_.contestants.push_back(grid.contestants[row]);
    grid_.rows.push_back(std::move(differences));
  }
}

std::string failure_of(const Cell& cell) {
  if (!cell.failure.empty() || has_figure(&cell)) return cell.failure;
  return cell.values.empty() ? "no repeat was finished" : "the score is not a number";
}

std::string figure(const Grid& grid, const Cell& cell, int decimals) {
  if (grid.minus.empty()) return fmt::format("{:.{}f}", 100 * cell.mean(), decimals);
  const std::string text = fmt::format("{:+.{}f}", 100 * cell.mean(), decimals);
  const bool nothing = text.find_first_not_of("+-0.") == std::string::npos;
  return nothing ? text.substr(1) : text;  // no "-0.0"
}

std::vector<std::string> best_figures(const Grid& grid, int decimals) {
  std::vector<std::string> best;
  for (std::size_t column = 0; column < grid.columns.size(); ++column) {
    const Cell* top = nullptr;
    for (const auto& row : grid.rows) {
      const Cell* cell = row[column];
      if (!has_figure(cell) || !grid.minus.empty()) continue;
      const bool less = less_is_better(cell->metric);
      if (!top || (less ? cell->mean() < top->mean() : cell->mean() > top->mean())) top = cell;
    }
    best.push_back(top ? figure(grid, *top, decimals) : "");
  }
  return best;
}

std::vector<std::string> failure_notes(const Grid& grid) {
  std::vector<std::string> notes;
  for (std::size_t row = 0; row < grid.rows.size(); ++row) {
    std::vector<std::pair<std::string, std::vector<std::string>>> reasons;
    for (std::size_t column = 0; column < grid.columns.size(); ++column) {
      const Cell* cell = grid.rows[row][column];
      if (!cell || has_figure(cell)) continue;
      const std::string reason = one_line(failure_of(*cell));
      auto at = std::find_if(reasons.begin(), reasons.end(), [&](const auto& known) { return known.first == reason; });
      if (at == reasons.end()) at = reasons.insert(at, {reason, {}});
      at->second.push_back(is_suggesting(grid.task) ? grid.columns[column].metric
                                                    : percent(grid.columns[column].ratio));
    }
    for (const auto& [reason, ratios] : reasons) {
      const bool everywhere = ratios.size() == grid.columns.size();
      const std::string where = everywhere ? "" : fmt::format(" at {}", fmt::join(ratios, ", "));
      notes.push_back(fmt::format("{}{}: {}", one_line(grid.contestants[row]), where, reason));
    }
  }
  return notes;
}

SecondsText seconds_of(const std::vector<const Cell*>& row) {
  double train = 0, score = 0, cells = 0;
  for (const Cell* cell : row) {
    if (!has_figure(cell)) continue;
    train += cell->train_seconds;
    score += cell->score_seconds;
    ++cells;
  }
  if (cells == 0) return {"–", "–"};
  return {fmt::format("{:.2f}", train / cells), fmt::format("{:.2f}", score / cells)};
}

std::string corpus_line(const Evaluation& evaluation) {
  const bool all_labelled = evaluation.labelled == 0 || evaluation.labelled == evaluation.documents;
  return fmt::format(
      "{}{}{}, {}, {}, {}", one_line(evaluation.corpus), evaluation.corpus.empty() ? "" : ": ",
      counted(evaluation.documents, "document"), counted(evaluation.links, "link"),
      counted(evaluation.labels, "label") + (all_labelled ? "" : " on " + counted(evaluation.labelled, "document")),
      counted(evaluation.repeats, "repeat"));
}

std::string figures_line(const Evaluation& evaluation) {
  std::size_t fewest = evaluation.repeats, most = 0;
  for (const Cell& cell : evaluation.cells) {
    if (!cell.failure.empty()) continue;
    fewest = std::min(fewest, cell.values.size());
    most = std::max(most, cell.values.size());
  }
  bool papers = false, suggestions = false;
  for (const Cell& cell : evaluation.cells) (is_suggesting(cell.task) ? suggestions : papers) = true;
  std::string line = !suggestions ? "Figures: micro AUC × 100"
                     : papers     ? "Figures: × 100, micro AUC where no other measure is named"
                                  : "Figures: × 100";
  if (most > 1) line += ", mean of the repeats ± half of its 95 % interval";
  if (evaluation.interrupted) {
    fewest = std::min(fewest, most);
    line += fmt::format(". Interrupted: {} of {} done",
                        fewest == most ? fmt::format("{}", most) : fmt::format("{} to {}", fewest, most),
                        counted(evaluation.repeats, "repeat"));
  }
  return line + ".";
}

std::string grid_title(const Grid& grid) {
  if (grid.task == Task::Classification) return "Classification, by share of labelled documents";
  std::string title = grid.task == Task::InductiveClassification ? "Inductive classification"
                      : grid.task == Task::InductiveLinks        ? "Inductive links"
                      : grid.task == Task::SuggestLinks          ? "Suggested links"
                                                                 : "Suggested labels";
  const bool one_ratio = std::ranges::all_of(
      grid.columns, [&](const Grid::Column& column) { return column.ratio == grid.columns[0].ratio; });
  return title + (one_ratio ? fmt::format(", {} of the documents hidden", percent(grid.columns[0].ratio))
                            : ", by share of hidden documents");
}

std::string column_title(const Grid& grid, std::size_t column) {
  if (is_suggesting(grid.task)) return grid.columns[column].metric;
  const bool in_title = grid.task != Task::Classification && grid.columns.size() == 1;
  return in_title ? "AUC" : percent(grid.columns[column].ratio);
}

std::string percent(double ratio) { return fmt::format("{:g} %", 100 * ratio); }

std::string one_line(std::string_view text) {
  std::string result;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  const auto size = static_cast<std::int32_t>(text.size());
  for (std::int32_t at = 0; at < size;) {
    const std::int32_t start = at;
    UChar32 c;
    U8_NEXT(bytes, at, size, c);
    const bool control = (c >= 0 && c < 0x20) || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029;
    if (c < 0 || (c & 0xFFFE) == 0xFFFE) {
      result += "\xEF\xBF\xBD";
    } else if (control) {
      result += ' ';
    } else {
      result += text.substr(static_cast<std::size_t>(start), static_cast<std::size_t>(at - start));
    }
  }
  return result;
}

}  // namespace idne
