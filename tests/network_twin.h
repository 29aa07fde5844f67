#pragma once

#include <cmath>
#include <vector>

#include "idne/network.h"

/// What a network is checked against: everything built, everything enumerated.
namespace idne {

using FullMatrix = std::vector<std::vector<double>>;

/// The twin that builds everything: A with groups expanded.
inline FullMatrix adjacency(std::size_t documents, const std::vector<Link>& links,
                            const std::vector<Membership>& members) {
  FullMatrix a(documents, std::vector<double>(documents));
  for (const Link& link : links) a[link.a][link.b] += link.weight, a[link.b][link.a] += link.weight;
  for (const Membership& x : members) {
    for (const Membership& y : members) {
      if (x.group == y.group && x.document != y.document) a[x.document][y.document] += 1;
    }
  }
  return a;
}

inline double sum(const std::vector<double>& row) {
  double total = 0;
  for (const double x : row) total += x;
  return total;
}

/// Pearson's χ² of counts against weights as a standard normal deviate (Wilson and Hilferty's cube root, good for few
/// cells too); infinite if something impossible came.
inline double surprise(const std::vector<int>& seen, const std::vector<double>& weights) {
  double draws = 0, chi_square = 0, cells = 0;
  for (const int count : seen) draws += count;
  for (std::size_t j = 0; j < seen.size(); ++j) {
    if (weights[j] <= 0) {
      if (seen[j] > 0) return INFINITY;
      continue;
    }
    const double expected = draws * weights[j] / sum(weights);
    chi_square += (seen[j] - expected) * (seen[j] - expected) / expected;
    ++cells;
  }
  if (cells < 2) return 0;
  const double freedom = cells - 1, spread = 2 / (9 * freedom);
  return (std::cbrt(chi_square / freedom) - (1 - spread)) / std::sqrt(spread);
}

}  // namespace idne
