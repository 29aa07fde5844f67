#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "idne/matrix.h"

namespace idne {

/// Many two-class logistic regressions over the same rows, solved together. Each minimises what LIBLINEAR's L2R_LR
/// does, ½|w|² + c · Σ weight · log(1 + exp(−sign · w·x)) with a constant feature, regularised like the others, after
/// the row's own, and stops where LIBLINEAR does: at a gradient of tolerance · min(positives, negatives) / rows times
/// that at w = 0.
///
/// Newton's method with conjugate gradients. The products with the rows are made for all unfinished problems at once.
/// One thread; the same input gives the same bits.
class LogisticRegressions {
 public:
  explicit LogisticRegressions(MatrixView rows);
  ~LogisticRegressions();

  /// A problem with both classes balanced: `positive` says for each row which class it is of, and `takes_part` whether
  /// it counts. REQUIRES: a row of each class takes part.
  void add(std::span<const char> positive, std::span<const char> takes_part);

  /// Begins each problem where it is: at zero, or at the solution of the last fit.
  void fit(double c, double tolerance);

  std::size_t size() const { return problems_.size(); }
  /// The last solution: the weights of the row's features and, at the end, of the constant.
  std::span<const float> weights(std::size_t problem) const;
  /// w·x of all rows, also of those that take no part, at the solution of the last fit.
  std::span<const float> margins(std::size_t problem) const;
  /// Of the last fit, beside the gradient at w = 0.
  double gradient_ratio(std::size_t problem) const;

 private:
  struct Problem;
  class Panels;

  void multiply_rows(const std::vector<Problem*>& problems);
  void multiply_transposed(const std::vector<Problem*>& problems);

  std::size_t rows_, columns_;                  ///< with the constant
  std::unique_ptr<Panels> by_row_, by_column_;  ///< the rows, and their transpose
  std::vector<std::unique_ptr<Problem>> problems_;
  std::vector<float> left_, product_;  ///< of all unfinished problems
};

}  // namespace idne
