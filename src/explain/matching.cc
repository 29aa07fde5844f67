#include "explain/matching.h"

#include <limits>

namespace idne {

/// Rows are added one by one along shortest augmenting paths; prices keep all reduced costs non-negative. Place 0 of
/// rows and columns stands for none.
std::vector<std::size_t> best_matching(const std::vector<double>& values, std::size_t columns, const Run& run) {
  const std::size_t rows = columns ? values.size() / columns : 0;
  std::vector<double> row_price(rows + 1), column_price(columns + 1);
  std::vector<std::size_t> row_of(columns + 1), came_from(columns + 1);
  for (std::size_t row = 1; row <= rows; ++row) {
    std::vector<double> least(columns + 1, std::numeric_limits<double>::infinity());
    std::vector<char> used(columns + 1);
    std::size_t at = 0;
    row_of[0] = row;
    do {
      run.check();
      used[at] = 1;
      const std::size_t here = row_of[at];
      double step = std::numeric_limits<double>::infinity();
      std::size_t next = 0;
      for (std::size_t c = 1; c <= columns; ++c) {
        if (used[c]) continue;
        const double cost = -values[(here - 1) * columns + c - 1] - row_price[here] - column_price[c];
        if (cost < least[c]) least[c] = cost, came_from[c] = at;
        if (least[c] < step) step = least[c], next = c;
      }
      for (std::size_t c = 0; c <= columns; ++c) {
        if (used[c]) {
          row_price[row_of[c]] += step;
          column_price[c] -= step;
        } else {
          least[c] -= step;
        }
      }
      at = next;
    } while (row_of[at] != 0);
    for (; at != 0; at = came_from[at]) row_of[at] = row_of[came_from[at]];
  }
  std::vector<std::size_t> column_of(rows);
  for (std::size_t c = 1; c <= columns; ++c) {
    if (row_of[c] != 0) column_of[row_of[c] - 1] = c - 1;
  }
  return column_of;
}

}  // namespace idne
