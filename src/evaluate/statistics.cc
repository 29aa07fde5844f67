#include "evaluate/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace idne {
namespace {

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

bool same_column(const Cell& a, const Cell& b) {
  return a.task == b.task && a.ratio == b.ratio && a.metric == b.metric;
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

bool has_figure(const Cell* cell) { return cell && cell->failure.empty() && std::isfinite(cell->mean()); }

std::optional<Cell> paired_difference(const Cell& cell, const Cell& reference) {
  if (!has_figure(&cell) || !has_figure(&reference)) return {};
  Cell result = cell;
  result.values.clear();
  result.repeats.clear();
  for (std::size_t k = 0; k < cell.values.size(); ++k) {
    const auto at = std::find(reference.repeats.begin(), reference.repeats.end(), cell.repeats[k]);
    if (at == reference.repeats.end()) continue;
    result.values.push_back(cell.values[k] -
                            reference.values[static_cast<std::size_t>(at - reference.repeats.begin())]);
    result.repeats.push_back(cell.repeats[k]);
  }
  if (result.values.empty()) return {};
  return result;
}

std::optional<Cell> difference_to_first(const Evaluation& evaluation, const Cell& cell) {
  const std::string& first = evaluation.cells.front().contestant;
  if (cell.contestant == first) return {};
  for (const Cell& reference : evaluation.cells) {
    if (reference.contestant == first && same_column(reference, cell)) return paired_difference(cell, reference);
  }
  return {};
}

}  // namespace idne
