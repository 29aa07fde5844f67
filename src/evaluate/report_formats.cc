#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>

#include "evaluate/report.h"
#include "evaluate/suggest_metrics.h"

namespace idne {
namespace {

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

/// Markdown's own characters kept from meaning anything.
std::string markdown_text(std::string_view text) {
  std::string result;
  for (const char c : one_line(text)) {
    if (std::string_view("\\`*_[]<>|~#").find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

std::string latex_text(std::string_view text) {
  std::string result;
  for (const char c : one_line(text)) {
    switch (c) {
      case '\\':
        result += "\\textbackslash{}";
        break;
      case '^':
        result += "\\textasciicircum{}";
        break;
      case '~':
        result += "\\textasciitilde{}";
        break;
      case '{':
      case '}':
      case '$':
      case '&':
      case '#':
      case '_':
      case '%':
        result += '\\';
        [[fallthrough]];
      default:
        result += c;
    }
  }
  return result;
}

/// Letters and digits for \label, anything else as a dash.
std::string label_text(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool upper = c >= 'A' && c <= 'Z';
    const bool kept = upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    result += !kept ? '-' : upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return result;
}

/// "Mean of 10 repeats; …", for a caption that has to stand alone.
std::string caption_remark(const std::vector<const Grid*>& grids) {
  std::size_t fewest = 0, most = 0;
  double widest = 0;
  for (const Grid* grid : grids) {
    for (const auto& row : grid->rows) {
      for (const Cell* cell : row) {
        if (!has_figure(cell)) continue;
        fewest = most == 0 ? cell->values.size() : std::min(fewest, cell->values.size());
        most = std::max(most, cell->values.size());
        widest = std::max(widest, cell->interval());
      }
    }
  }
  if (most < 2) return "";
  const std::string repeats = fewest == most ? fmt::format("{}", most) : fmt::format("{} to {}", fewest, most);
  return fmt::format(". Means of {} repeats; 95\\,\\% intervals are within $\\pm${:.2f}", repeats, 100 * widest);
}

/// The contestants that have a row in any of the grids.
std::vector<std::string> contestants_of(const std::vector<const Grid*>& grids) {
  std::vector<std::string> names;
  for (const Grid* grid : grids) {
    for (const std::string& name : grid->contestants) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

/// Null where nothing was run.
const Cell* cell_of(const Grid& grid, const std::string& contestant, std::size_t column) {
  const auto at = std::find(grid.contestants.begin(), grid.contestants.end(), contestant);
  if (at == grid.contestants.end()) return nullptr;
  return grid.rows[static_cast<std::size_t>(at - grid.contestants.begin())][column];
}

std::string latex_title(const Grid& grid, std::size_t column) {
  if (metrics_of(grid.task).size() > 1) return latex_text(grid.columns[column].metric);
  return fmt::format("{:g}\\%", 100 * grid.columns[column].ratio);
}

/// A mean in bold if it is the best; a difference with its interval.
std::string latex_figure(const Grid& grid, const Cell* cell, const std::string& best, bool compared) {
  constexpr int kDecimals = 2;
  if (!has_figure(cell)) return "NA";
  const std::string text = figure(grid, *cell, kDecimals);
  if (grid.minus.empty()) return compared && text == best ? fmt::format("\\textbf{{{}}}", text) : text;
  if (cell->values.size() < 2) return fmt::format("${}$", text);
  return fmt::format("${} \\pm {:.{}f}$", text, 100 * cell->interval(), kDecimals);
}

/// A line per contestant; the last one is not ended.
std::string latex_rows(const std::vector<const Grid*>& grids) {
  std::string body;
  const std::vector<std::string> contestants = contestants_of(grids);
  for (std::size_t row = 0; row < contestants.size(); ++row) {
    body += latex_text(contestants[row]);
    for (const Grid* grid : grids) {
      const auto best = best_figures(*grid, 2);
      for (std::size_t c = 0; c < grid->columns.size(); ++c) {
        body += " & " + latex_figure(*grid, cell_of(*grid, contestants[row], c), best[c], contestants.size() > 1);
      }
    }
    if (row + 1 < contestants.size()) body += " \\\\\n";
  }
  return body;
}

/// Below the figures: what the others have more than the first contestant.
std::string latex_differences(const Evaluation& evaluation, const std::vector<const Grid*>& grids) {
  std::deque<Differences> differences;
  std::vector<const Grid*> compared;
  std::size_t columns = 1;
  bool any = false;
  for (const Grid* grid : grids) {
    compared.push_back(&differences.emplace_back(evaluation, *grid).grid());
    any = any || !compared.back()->rows.empty();
    columns += grid->columns.size();
  }
  if (!any) return "";
  return fmt::format(" \\\\ \\hline\n\\multicolumn{{{}}}{{l}}{{minus {}}} \\\\\n{}", columns,
                     latex_text(compared[0]->minus), latex_rows(compared));
}

/// A table in the form of the paper's: a row per contestant, a group of columns per grid.
std::string latex_table(const Evaluation& evaluation, const std::vector<const Grid*>& grids, const std::string& caption,
                        const std::string& label, const std::vector<std::string>& headings) {
  std::string columns = "l", groups, titles, notes;
  for (std::size_t g = 0; g < grids.size(); ++g) {
    const std::size_t count = grids[g]->columns.size();
    columns += '|';
    columns.append(count, 'c');
    groups += fmt::format(" & \\multicolumn{{{}}}{{c{}}}{{{}}}", count, g + 1 < grids.size() ? "|" : "",
                          latex_text(headings[g]));
    for (std::size_t c = 0; c < count; ++c) titles += " & " + latex_title(*grids[g], c);
    for (const std::string& note : failure_notes(*grids[g])) notes += fmt::format("% NA: {}\n", note);
  }
  return fmt::format(
      "\\begin{{table}}[t]\n\\centering\n\\caption{{{}{}}}\n\\label{{{}}}\n\\begin{{tabular}}{{{}}}\n{} \\\\\n{} \\\\ "
      "\\hline\n{}{}\n\\end{{tabular}}\n\\end{{table}}\n{}",
      caption, caption_remark(grids), label, columns, groups, titles, latex_rows(grids),
      latex_differences(evaluation, grids), notes);
}

/// One table: the differences have no seconds.
std::string markdown_table(const Grid& grid) {
  constexpr int kDecimals = 1;
  const bool figures = grid.minus.empty();
  std::string heading = figures ? "| method |" : fmt::format("| minus {} |", markdown_text(grid.minus)), rule = "|---|";
  for (std::size_t c = 0; c < grid.columns.size(); ++c) {
    heading += fmt::format(" {} |", markdown_text(column_title(grid, c)));
    rule += "---:|";
  }
  std::string text = figures ? fmt::format("\n{} train s | score s |\n{}---:|---:|\n", heading, rule)
                             : fmt::format("\n{}\n{}\n", heading, rule);
  const auto best = best_figures(grid, kDecimals);
  for (std::size_t row = 0; row < grid.rows.size(); ++row) {
    text += fmt::format("| {} |", markdown_text(grid.contestants[row]));
    for (std::size_t c = 0; c < grid.columns.size(); ++c) {
      const Cell* cell = grid.rows[row][c];
      const std::string mean = has_figure(cell) ? figure(grid, *cell, kDecimals) : "–";
      const bool marked = mean == best[c] && grid.rows.size() > 1;
      text += marked ? fmt::format(" **{}**", mean) : fmt::format(" {}", mean);
      if (has_figure(cell) && cell->values.size() > 1) text += fmt::format(" ±{:.1f}", 100 * cell->interval());
      text += " |";
    }
    const SecondsText seconds = seconds_of(grid.rows[row]);
    text += figures ? fmt::format(" {} | {} |\n", seconds.train, seconds.score) : "\n";
  }
  return text;
}

}  // namespace

std::string as_csv(const Evaluation& evaluation) {
  std::string csv =
      "method,task,ratio,metric,mean,std,interval,difference,difference_interval,repeats,train_seconds,score_seconds,"
      "failure\n";
  for (const Cell& cell : evaluation.cells) {
    const std::string figures =
        has_figure(&cell) ? fmt::format("{:.6f},{:.6f},{:.6f}", cell.mean(), cell.deviation(), cell.interval()) : ",,";
    const std::optional<Cell> paired = difference_to_first(evaluation, cell);
    const std::string difference = paired ? fmt::format("{:.6f},{:.6f}", paired->mean(), paired->interval()) : ",";
    csv += fmt::format("{},{},{:g},{},{},{},{},{:.3f},{:.3f},{}\n", csv_field(cell.contestant), task_name(cell.task),
                       cell.ratio, cell.metric, figures, difference, cell.values.size(), cell.train_seconds,
                       cell.score_seconds, csv_field(failure_of(cell)));
  }
  return csv;
}

std::string as_markdown(const Evaluation& evaluation) {
  std::string text = fmt::format("{}. {}\n", markdown_text(corpus_line(evaluation)), figures_line(evaluation));
  for (const Grid& grid : lay_out(evaluation)) {
    text += fmt::format("\n### {}\n{}", grid_title(grid), markdown_table(grid));
    const Differences differences(evaluation, grid);
    if (!differences.grid().rows.empty()) text += markdown_table(differences.grid());
    const auto notes = failure_notes(grid);
    if (!notes.empty()) text += "\n";
    for (const std::string& note : notes) text += fmt::format("- {}\n", markdown_text(note));
  }
  return text;
}

std::string as_latex(const Evaluation& evaluation) {
  struct Part {
    std::string caption, label;
    std::vector<const Grid*> grids;
    std::vector<std::string> headings;
  };
  const std::vector<Grid> grids = lay_out(evaluation);
  const std::string corpus = evaluation.corpus.empty() ? "the corpus" : latex_text(evaluation.corpus);
  Part whole{fmt::format("Micro AUC scores on {}", corpus), "classification", {}, {}};
  Part inductive{fmt::format("Micro AUC scores for inductive tasks on {}, by share of hidden documents", corpus),
                 "induction",
                 {},
                 {}};
  Part suggested{fmt::format("Suggestions for new documents on {}, $\\times$ 100", corpus), "suggestions", {}, {}};
  const auto add = [](Part& part, const Grid& grid, std::string heading) {
    part.grids.push_back(&grid);
    part.headings.push_back(std::move(heading));
  };
  for (const Grid& grid : grids) {
    switch (grid.task) {
      case Task::Classification:
        add(whole, grid, evaluation.corpus);
        break;
      case Task::InductiveClassification:
        add(inductive, grid, "Inductive classification");
        break;
      case Task::InductiveLinks:
        add(inductive, grid, "Inductive link prediction");
        break;
      case Task::SuggestLinks:
        add(suggested, grid, "Suggested links");
        break;
      case Task::SuggestLabels:
        add(suggested, grid, "Suggested labels");
        break;
    }
  }
  std::string text;
  for (const Part& part : {whole, inductive, suggested}) {
    if (part.grids.empty()) continue;
    if (!text.empty()) text += "\n";
    text += latex_table(evaluation, part.grids, part.caption,
                        fmt::format("table:{}-{}", part.label, label_text(evaluation.corpus)), part.headings);
  }
  return text;
}

}  // namespace idne
