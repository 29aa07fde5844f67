#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "evaluate/report.h"

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

/// A table in the form of the paper's: a row a contestant, a group of columns a grid.
std::string latex_table(const std::vector<const Grid*>& grids, const std::string& caption, const std::string& label,
                        const std::vector<std::string>& headings) {
  constexpr int kDecimals = 2;
  std::string columns = "l", groups, ratios, body, notes;
  for (std::size_t g = 0; g < grids.size(); ++g) {
    const std::size_t count = grids[g]->ratios.size();
    columns += '|';
    columns.append(count, 'c');
    groups += fmt::format(" & \\multicolumn{{{}}}{{c{}}}{{{}}}", count, g + 1 < grids.size() ? "|" : "",
                          latex_text(headings[g]));
    for (const double ratio : grids[g]->ratios) ratios += fmt::format(" & {:g}\\%", 100 * ratio);
    for (const std::string& note : failure_notes(*grids[g])) notes += fmt::format("% NA: {}\n", note);
  }
  const std::vector<std::string> contestants = contestants_of(grids);
  for (std::size_t row = 0; row < contestants.size(); ++row) {
    body += latex_text(contestants[row]);
    for (const Grid* grid : grids) {
      const auto best = best_figures(*grid, kDecimals);
      for (std::size_t c = 0; c < grid->ratios.size(); ++c) {
        const Cell* cell = cell_of(*grid, contestants[row], c);
        const std::string text = has_figure(cell) ? figure(*cell, kDecimals) : "NA";
        const bool marked = text == best[c] && contestants.size() > 1;
        body += fmt::format(" & {}{}{}", marked ? "\\textbf{" : "", text, marked ? "}" : "");
      }
    }
    body += row + 1 < contestants.size() ? " \\\\\n" : "\n";
  }
  return fmt::format(
      "\\begin{{table}}[t]\n\\centering\n\\caption{{{}{}}}\n\\label{{{}}}\n\\begin{{tabular}}{{{}}}\n{} \\\\\n{} \\\\ "
      "\\hline\n{}\\end{{tabular}}\n\\end{{table}}\n{}",
      caption, caption_remark(grids), label, columns, groups, ratios, body, notes);
}

}  // namespace

std::string as_json(const Evaluation& evaluation) {
  using Json = nlohmann::ordered_json;
  Json results = Json::array();
  for (const Cell& cell : evaluation.cells) {
    Json result{{"method", cell.contestant},
                {"task", task_name(cell.task)},
                {"ratio", cell.ratio},
                {"metric", "micro_auc"},
                {"mean", nullptr}};
    if (has_figure(&cell)) {
      result["mean"] = cell.mean();
      result["std"] = cell.deviation();
      result["interval"] = cell.interval();
    } else {
      result["failure"] = failure_of(cell);
    }
    result["repeats"] = cell.values.size();
    result["seconds"] = cell.train_seconds + cell.score_seconds;
    result["train_seconds"] = cell.train_seconds;
    result["score_seconds"] = cell.score_seconds;
    result["values"] = cell.values;
    results.push_back(std::move(result));
  }
  Json json{{"corpus", evaluation.corpus}, {"documents", evaluation.documents}, {"links", evaluation.links},
            {"labels", evaluation.labels}, {"repeats", evaluation.repeats},     {"results", std::move(results)}};
  if (evaluation.interrupted) json["interrupted"] = true;
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string as_csv(const Evaluation& evaluation) {
  std::string csv = "method,task,ratio,mean,std,interval,repeats,train_seconds,score_seconds,failure\n";
  for (const Cell& cell : evaluation.cells) {
    const std::string figures =
        has_figure(&cell) ? fmt::format("{:.6f},{:.6f},{:.6f}", cell.mean(), cell.deviation(), cell.interval()) : ",,";
    csv +=
        fmt::format("{},{},{:g},{},{},{:.3f},{:.3f},{}\n", csv_field(cell.contestant), task_name(cell.task), cell.ratio,
                    figures, cell.values.size(), cell.train_seconds, cell.score_seconds, csv_field(failure_of(cell)));
  }
  return csv;
}

std::string as_markdown(const Evaluation& evaluation) {
  constexpr int kDecimals = 1;
  std::string text = fmt::format("{}. {}\n", markdown_text(corpus_line(evaluation)), figures_line(evaluation));
  for (const Grid& grid : lay_out(evaluation)) {
    std::string heading = "| method |", rule = "|---|";
    for (std::size_t c = 0; c < grid.ratios.size(); ++c) {
      heading += fmt::format(" {} |", column_title(grid, c));
      rule += "---:|";
    }
    text += fmt::format("\n### {}\n\n{} train s | score s |\n{}---:|---:|\n", grid_title(grid), heading, rule);
    const auto best = best_figures(grid, kDecimals);
    for (std::size_t row = 0; row < grid.rows.size(); ++row) {
      text += fmt::format("| {} |", markdown_text(grid.contestants[row]));
      for (std::size_t c = 0; c < grid.ratios.size(); ++c) {
        const Cell* cell = grid.rows[row][c];
        const std::string mean = has_figure(cell) ? figure(*cell, kDecimals) : "–";
        const bool marked = mean == best[c] && grid.rows.size() > 1;
        text += marked ? fmt::format(" **{}**", mean) : fmt::format(" {}", mean);
        if (has_figure(cell) && cell->values.size() > 1) text += fmt::format(" ±{:.1f}", 100 * cell->interval());
        text += " |";
      }
      const SecondsText seconds = seconds_of(grid.rows[row]);
      text += fmt::format(" {} | {} |\n", seconds.train, seconds.score);
    }
    const auto notes = failure_notes(grid);
    if (!notes.empty()) text += "\n";
    for (const std::string& note : notes) text += fmt::format("- {}\n", markdown_text(note));
  }
  return text;
}

std::string as_latex(const Evaluation& evaluation) {
  const std::vector<Grid> grids = lay_out(evaluation);
  const std::string corpus = evaluation.corpus.empty() ? "the corpus" : latex_text(evaluation.corpus);
  const std::string label = label_text(evaluation.corpus);
  std::string text;
  std::vector<const Grid*> inductive;
  std::vector<std::string> headings;
  for (const Grid& grid : grids) {
    if (grid.task == Task::Classification) {
      text += latex_table({&grid}, fmt::format("Micro AUC scores on {}", corpus),
                          fmt::format("table:classification-{}", label), {evaluation.corpus});
    } else {
      inductive.push_back(&grid);
      headings.push_back(grid.task == Task::InductiveClassification ? "Inductive classification"
                                                                    : "Inductive link prediction");
    }
  }
  if (inductive.empty()) return text;
  if (!text.empty()) text += "\n";
  const std::string caption =
      fmt::format("Micro AUC scores for inductive tasks on {}, by share of hidden documents", corpus);
  return text + latex_table(inductive, caption, fmt::format("table:induction-{}", label), headings);
}

}  // namespace idne
