#include "evaluate/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "idne/error.h"
#include "idne/numbers.h"

namespace idne {
namespace {

constexpr std::array kTasks{Task::Classification, Task::InductiveClassification, Task::InductiveLinks};

/// The 0.975 quantile of Student's t. Beyond the table by the expansion of Cornish and Fisher, good to 1e-5 there.
double student_quantile(std::size_t degrees) {
  constexpr std::array kTable{12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004,
                              2.262157,  2.228139, 2.200985, 2.178813, 2.160369, 2.144787, 2.131450, 2.119905,
                              2.109816,  2.100922, 2.093024, 2.085963, 2.079614, 2.073873, 2.068658, 2.063899,
                              2.059539,  2.055529, 2.051831, 2.048407, 2.045230, 2.042272};
  static_assert(kTable.size() == 30);
  if (degrees <= kTable.size()) return kTable[degrees - 1];
  constexpr double z = 1.959964, z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
  const auto n = static_cast<double>(degrees);
  return z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n) +
         (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n * n * n);
}

std::string counted(std::size_t number, std::string_view noun) {
  return fmt::format("{} {}{}", with_commas(number), noun, number == 1 ? "" : "s");
}

}  // namespace

double Cell::mean() const {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? std::nan("") : sum / static_cast<double>(values.size());
}

double Cell::deviation() const {
  if (values.size() < 2) return 0;
  const double centre = mean();
  double squares = 0;
  for (const double value : values) squares += (value - centre) * (value - centre);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

double Cell::interval() const {
  if (values.size() < 2) return 0;
  return student_quantile(values.size() - 1) * deviation() / std::sqrt(static_cast<double>(values.size()));
}

std::string_view task_name(Task task) {
  switch (task) {
    case Task::Classification:
      return "classification";
    case Task::InductiveClassification:
      return "inductive-classification";
    case Task::InductiveLinks:
      break;
  }
  return "inductive-links";
}

Task find_task(std::string_view name) {
  std::vector<std::string_view> known;
  for (const Task task : kTasks) {
    if (task_name(task) == name) return task;
    known.push_back(task_name(task));
  }
  throw Error(fmt::format("no task '{}'; there are: {}", name, fmt::join(known, ", ")));
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
    if (task == grids.size()) grids.push_back({cell.task, {}, {}, {}});
    Grid& grid = grids[task];
    const std::size_t row = place(grid.contestants, cell.contestant), column = place(grid.ratios, cell.ratio);
    grid.rows.resize(grid.contestants.size());
    grid.rows[row].resize(std::max(grid.rows[row].size(), column + 1));
    grid.rows[row][column] = &cell;
  }
  for (Grid& grid : grids) {
    for (auto& row : grid.rows) row.resize(grid.ratios.size());
  }
  return grids;
}

bool has_figure(const Cell* cell) { return cell && cell->failure.empty() && std::isfinite(cell->mean()); }

std::string failure_of(const Cell& cell) {
  if (!cell.failure.empty() || has_figure(&cell)) return cell.failure;
  return cell.values.empty() ? "no repeat was finished" : "the score is not a number";
}

std::string figure(const Cell& cell, int decimals) { return fmt::format("{:.{}f}", 100 * cell.mean(), decimals); }

std::vector<std::string> best_figures(const Grid& grid, int decimals) {
  std::vector<std::string> best;
  for (std::size_t column = 0; column < grid.ratios.size(); ++column) {
    const Cell* top = nullptr;
    for (const auto& row : grid.rows) {
      const Cell* cell = row[column];
      if (has_figure(cell) && (!top || cell->mean() > top->mean())) top = cell;
    }
    best.push_back(top ? figure(*top, decimals) : "");
  }
  return best;
}

std::vector<std::string> failure_notes(const Grid& grid) {
  std::vector<std::string> notes;
  for (std::size_t row = 0; row < grid.rows.size(); ++row) {
    std::vector<std::pair<std::string, std::vector<std::string>>> reasons;
    for (std::size_t column = 0; column < grid.ratios.size(); ++column) {
      const Cell* cell = grid.rows[row][column];
      if (!cell || has_figure(cell)) continue;
      const std::string reason = one_line(failure_of(*cell));
      auto at = std::find_if(reasons.begin(), reasons.end(), [&](const auto& known) { return known.first == reason; });
      if (at == reasons.end()) at = reasons.insert(at, {reason, {}});
      at->second.push_back(percent(grid.ratios[column]));
    }
    for (const auto& [reason, ratios] : reasons) {
      const bool everywhere = ratios.size() == grid.ratios.size();
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
  std::string line = "Figures: micro AUC × 100";
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
  std::string title = grid.task == Task::InductiveClassification ? "Inductive classification" : "Inductive links";
  return title + (grid.ratios.size() == 1 ? fmt::format(", {} of the documents hidden", percent(grid.ratios[0]))
                                          : ", by share of hidden documents");
}

std::string column_title(const Grid& grid, std::size_t column) {
  const bool in_title = grid.task != Task::Classification && grid.ratios.size() == 1;
  return in_title ? "AUC" : percent(grid.ratios[column]);
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
