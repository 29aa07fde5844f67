#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace idne {

/// A prediction: how sure, and whether it is so.
struct Scored {
  float score;
  bool positive;
};

/// The area under the ROC curve: the share of (positive, negative) pairs that are in the right order, ties counted
/// half. Exact. NaN if a score is, or if there are no pairs.
double area_under_roc(std::vector<Scored> predictions);

}  // namespace idne
