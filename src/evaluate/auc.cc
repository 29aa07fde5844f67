#include "evaluate/auc.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace idne {

double area_under_roc(std::vector<Scored> predictions) {
  if (std::any_of(predictions.begin(), predictions.end(), [](const Scored& p) { return std::isnan(p.score); })) {
    return std::nan("");
  }
  std::sort(predictions.begin(), predictions.end(), [](const Scored& a, const Scored& b) { return a.score < b.score; });
  // In halves of a pair: 2 for a positive above a negative, 1 for a tie.
  std::uint64_t halves = 0, negatives = 0, positives = 0;
  for (std::size_t begin = 0; begin < predictions.size();) {
    std::uint64_t tied_negatives = 0, tied_positives = 0;
    std::size_t end = begin;
    for (; end < predictions.size() && predictions[end].score == predictions[begin].score; ++end) {
      ++(predictions[end].positive ? tied_positives : tied_negatives);
    }
    halves += tied_positives * (2 * negatives + tied_negatives);
    negatives += tied_negatives;
    positives += tied_positives;
    begin = end;
  }
  if (positives == 0 || negatives == 0) return std::nan("");
  return static_cast<double>(halves) / 2 / (static_cast<double>(positives) * static_cast<double>(negatives));
}

}  // namespace idne
