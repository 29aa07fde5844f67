#include <fmt/format.h>

#include <algorithm>

#include "evaluate/report.h"
#include "text/strings.h"

namespace idne {
namespace {

constexpr std::size_t kGap = 2, kLeastName = 8;

std::string padded_left(const std::string& text, std::size_t columns) {
  const std::size_t used = columns_of(text);
  return std::string(columns > used ? columns - used : 0, ' ') + text;
}

/// Shortened in its middle: what tells the contestants of a sweep apart stands at the end.
std::string shortened(const std::string& name, std::size_t columns) {
  const std::size_t size = columns_of(name);
  if (size <= columns) return name;
  const std::size_t tail = columns / 2, head = columns - 1 - tail;
  std::size_t from = bytes_within(name, size - tail);
  if (columns_of(name.substr(from)) > tail) from += bytes_within(name.substr(from), 2);  // a wide one at the cut
  return name.substr(0, bytes_within(name, head)) + "…" + name.substr(from);
}

/// Lines of at most so many columns, broken between words; a longer word is broken too.
std::string wrapped(std::string_view text, std::size_t width, std::string_view indent = "") {
  std::string result, line;
  const auto end_line = [&] {
    result += line + "\n";
    line = indent;
  };
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    if (text.empty()) break;
    std::string_view word = text.substr(0, text.find(' '));
    const bool first = columns_of(line) <= (result.empty() ? 0 : indent.size());
    if (!first && columns_of(line) + 1 + columns_of(word) > width) {
      end_line();
      continue;
    }
    if (!first) line += ' ';
    const std::size_t room = std::max<std::size_t>(width, 20) - columns_of(line);
    word = word.substr(0, bytes_within(word, room));
    line += word;
    text.remove_prefix(word.size());
    if (!text.empty() && text.front() != ' ') end_line();
  }
  return result + line + "\n";
}

struct Column {
  std::string title;
  std::vector<std::string> cells;  ///< all of one width
  std::vector<bool> best;

  std::size_t width() const { return std::max(columns_of(title), cells.empty() ? 0 : columns_of(cells[0])); }
};

/// How a block is drawn.
struct Style {
  bool colour;
  std::size_t width;  ///< columns of the terminal
};

Column figures(const Grid& grid, std::size_t column, bool intervals, const Style& style) {
  const std::string best = best_figures(grid, 1)[column];
  Column result{column_title(grid, column), {}, {}};
  std::vector<std::string> means, halves;
  std::size_t mean_width = 0, half_width = 0;
  for (const auto& row : grid.rows) {
    const Cell* cell = row[column];
    const bool half = intervals && has_figure(cell) && cell->values.size() > 1;
    means.push_back(has_figure(cell) ? figure(grid, *cell, 1) : "–");
    halves.push_back(half ? fmt::format(" ±{:.1f}", 100 * cell->interval()) : "");
    result.best.push_back(has_figure(cell) && means.back() == best && grid.rows.size() > 1);
    mean_width = std::max(mean_width, columns_of(means.back()));
    half_width = std::max(half_width, columns_of(halves.back()));
  }
  const bool marks = !style.colour && grid.minus.empty() && grid.rows.size() > 1;
  for (std::size_t row = 0; row < means.size(); ++row) {
    result.cells.push_back(padded_left(means[row], mean_width) + padded_left(halves[row], half_width));
    if (marks) result.cells.back() += result.best[row] ? '*' : ' ';
  }
  if (marks) result.title += ' ';
  return result;
}

std::vector<Column> seconds(const Grid& grid) {
  std::vector<Column> columns{{"train s", {}, {}}, {"score s", {}, {}}};
  std::size_t train_width = 0, score_width = 0;
  for (const auto& row : grid.rows) {
    const SecondsText text = seconds_of(row);
    columns[0].cells.push_back(text.train);
    columns[1].cells.push_back(text.score);
    train_width = std::max(train_width, columns_of(text.train));
    score_width = std::max(score_width, columns_of(text.score));
  }
  for (auto& cell : columns[0].cells) cell = padded_left(cell, train_width);
  for (auto& cell : columns[1].cells) cell = padded_left(cell, score_width);
  for (Column& column : columns) column.best.resize(grid.rows.size());
  return columns;
}

/// The rows' names are below `heading`.
std::string drawn(const std::string& heading, const std::vector<std::string>& names, std::size_t name_width,
                  const std::vector<Column>& columns, bool colour) {
  const auto ended = [](std::string line) { return line.erase(line.find_last_not_of(' ') + 1) + "\n"; };
  std::string line = shortened(heading, name_width);
  line += std::string(name_width - columns_of(line), ' ');
  for (const Column& column : columns) line += padded_left(column.title, column.width() + kGap);
  std::string text = ended(line);
  for (std::size_t row = 0; row < names.size(); ++row) {
    line = shortened(names[row], name_width);
    line += std::string(name_width - columns_of(line), ' ');
    for (const Column& column : columns) {
      const std::string cell = padded_left(column.cells[row], column.width() + kGap);
      const std::size_t blank = cell.find_first_not_of(' ');
      const bool bold = colour && column.best[row];
      line += bold ? cell.substr(0, blank) + "\x1b[1m" + cell.substr(blank) + "\x1b[0m" : cell;
    }
    text += ended(line);
  }
  return text;
}

/// The columns first … last − 1 of a grid, the last ones of figures with the seconds. What does not fit goes without
/// intervals, then with shorter names, then in two parts.
std::string block(const std::vector<std::string>& names, const Grid& grid, std::size_t first, std::size_t last,
                  const Style& style) {
  const std::string heading = grid.minus.empty() ? "" : "minus " + one_line(grid.minus);
  std::size_t longest = columns_of(heading);
  for (const std::string& name : names) longest = std::max(longest, columns_of(name));
  std::size_t with_intervals = 0;
  for (const bool intervals : {true, false}) {
    std::vector<Column> columns;
    for (std::size_t c = first; c < last; ++c) columns.push_back(figures(grid, c, intervals, style));
    if (last == grid.columns.size() && grid.minus.empty()) {
      for (Column& column : seconds(grid)) columns.push_back(std::move(column));
    }
    std::size_t used = 0;
    for (const Column& column : columns) used += column.width() + kGap;
    const std::size_t room = style.width > used ? style.width - used : 0;
    if (intervals) with_intervals = used;
    const std::size_t needed = intervals ? longest : std::min(longest, kLeastName);
    if (room < needed && (intervals || last - first > 1)) continue;
    return drawn(heading, names, std::clamp(room, std::min(longest, kLeastName), longest), columns, style.colour) +
           (used < with_intervals
                ? wrapped(fmt::format("(no ±: it does not fit in {} columns)", style.width), style.width)
                : "");
  }
  const std::size_t middle = first + (last - first) / 2;
  return block(names, grid, first, middle, style) + "\n" + block(names, grid, middle, last, style);
}

std::string whole_block(const Grid& grid, const Style& style) {
  std::vector<std::string> names;
  for (const std::string& name : grid.contestants) names.push_back(one_line(name));
  return block(names, grid, 0, grid.columns.size(), style);
}

}  // namespace

std::string as_table(const Evaluation& evaluation, bool colour, std::size_t width) {
  const std::vector<Grid> grids = lay_out(evaluation);
  const bool compared = std::any_of(grids.begin(), grids.end(), [](const Grid& grid) { return grid.rows.size() > 1; });
  std::string figures = figures_line(evaluation) + " Seconds are of one repeat.";
  if (!colour && compared) figures += " * marks the best of a column.";
  const bool differs =
      std::ranges::any_of(grids, [&](const Grid& grid) { return !Differences(evaluation, grid).grid().rows.empty(); });
  if (differs) figures += " Differences are taken repeat by repeat.";
  std::string text = wrapped(corpus_line(evaluation), width) + wrapped(figures, width);
  for (const Grid& grid : grids) {
    const std::string title = wrapped(grid_title(grid), width);
    text +=
        colour ? fmt::format("\n\x1b[1m{}\x1b[0m\n", title.substr(0, title.size() - 1)) : fmt::format("\n{}", title);
    text += whole_block(grid, {colour, width});
    const Differences differences(evaluation, grid);
    if (!differences.grid().rows.empty()) text += whole_block(differences.grid(), {colour, width});
    for (const std::string& note : failure_notes(grid)) text += wrapped(fmt::format("– {}", note), width, "  ");
  }
  return text;
}

}  // namespace idne
