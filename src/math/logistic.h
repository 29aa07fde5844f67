#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "idne/matrix.h"
#include "idne/run.h"
#include "math/dense.h"
#include "math/sampled_rows.h"
#include "math/sparse_features.h"
#include "math/sparse_products.h"

namespace idne {

/// Rows to learn from: sparse features, if there are any, before dense ones, which are packed for products from both
/// sides, two copies of them. Immutable: threads may share it.
class LogisticRows {
 public:
  LogisticRows(MatrixView dense, const Run& run);
  /// REQUIRES: as many sparse rows as dense ones, of which each may have no columns.
  LogisticRows(SparseFeatures sparse, MatrixView dense, const Run& run);
  std::size_t rows() const { return by_row_.rows(); }
  std::size_t features() const { return sparse_features() + dense_features(); }
  std::size_t sparse_features() const { return sparse_.columns(); }
  std::size_t dense_features() const { return by_row_.columns(); }

 private:
  friend class LogisticRegressions;
  SparseFeatures sparse_;
  Packed<float> by_row_, by_column_;  ///< the dense rows, and their transpose
};

/// Many two-class logistic regressions over the same rows, solved together. Each minimises what LIBLINEAR's L2R_LR
/// does, ½|w|² + c · Σ weight · log(1 + exp(−sign · w·x)) with a constant feature, regularised like the others, after
/// the row's own, and stops where LIBLINEAR does: at a gradient of tolerance · min(positives, negatives) / rows times
/// that at w = 0.
///
/// Newton's method with conjugate gradients. The products with the rows are made for all unfinished problems at once.
/// Where the rows have words and the class is rare, a step is searched for on the rows that matter (SampledRows), and
/// gradients are those of all rows as ever: the solution is the same, within the tolerance. A solution depends neither
/// on which others are solved beside it nor on the number of threads.
class LogisticRegressions {
 public:
  /// `rows` must outlive it.
  explicit LogisticRegressions(const LogisticRows& rows);
  ~LogisticRegressions();

  /// A problem in which all rows weigh the same: `positive` says for each which class it is of. It begins at the
  /// constant that says how frequent that class is: a rare one is then found in fewer steps.
  /// `takes_part`, if given, says which rows count. REQUIRES: a row of each class does.
  void add(std::span<const char> positive, std::span<const char> takes_part = {});
  /// The same for a problem whose solution is probably near `start`: weights of the row's features and of the constant.
  void add_near(std::span<const char> positive, std::span<const float> start);
  /// A problem with both classes balanced; `takes_part` says for each row whether it counts.
  /// REQUIRES: a row of each class takes part.
  void add_balanced(std::span<const char> positive, std::span<const char> takes_part);

  /// Begins each problem where it is: where add left it, or at the solution of the last fit. Throws Interrupted when
  /// run.stopped says so, which is asked many times a second.
  void fit(double c, double tolerance, const Run& run);

  std::size_t size() const { return problems_.size(); }
  /// The last solution: the weights of the row's features and, at the end, of the constant.
  std::span<const float> weights(std::size_t problem) const;
  /// w·x of all rows, also of those that take no part, at the solution of the last fit.
  std::span<const float> margins(std::size_t problem) const;
  /// Of the last fit, beside the gradient at w = 0.
  double gradient_ratio(std::size_t problem) const;

 private:
  struct Problem;

  Problem& add(std::vector<float> signs, std::size_t positives, std::size_t negatives);
  void measure_at_zero(const Run& run);
  void search_alone(Problem& problem, const Run& run);
  void multiply_rows(const std::vector<Problem*>& problems, const Run& run);
  void multiply_transposed(const std::vector<Problem*>& problems, const Run& run);

  const LogisticRows& rows_;
  std::vector<std::unique_ptr<Problem>> problems_;
  std::vector<float> left_, product_;  ///< of all unfinished problems
  SparseProductRoom room_;
  SampledRows sampled_;
};

}  // namespace idne
