#include "math/logistic.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "math/logistic_loss.h"
#include "math/parallel.h"
#include "math/sparse_products.h"

namespace idne {
namespace {

std::size_t padded(std::size_t n) { return (n + kLossLanes - 1) / kLossLanes * kLossLanes; }

double dot(const std::vector<float>& a, const std::vector<float>& b) {
  double sums[4] = {};
  for (std::size_t k = 0; k < a.size(); k += 4) {
    for (std::size_t s = 0; s < 4; ++s) sums[s] += static_cast<double>(a[k + s]) * static_cast<double>(b[k + s]);
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/// to = a · from + b · to
void combine(double a, const std::vector<float>& from, double b, std::vector<float>& to) {
  const auto x = static_cast<float>(a), y = static_cast<float>(b);
  for (std::size_t k = 0; k < to.size(); ++k) to[k] = x * from[k] + y * to[k];
}

double sum(std::span<const float> values) {
  double sums[4] = {};
  for (std::size_t k = 0; k < values.size(); k += 4) {
    for (std::size_t s = 0; s < 4; ++s) sums[s] += static_cast<double>(values[k + s]);
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

PartFactor<float> part(MatrixView rows, bool transposed) {
  return {rows.data, rows.rows, rows.columns, rows.columns, transposed};
}

}  // namespace

LogisticRows::LogisticRows(MatrixView dense, const Run& run) : LogisticRows(SparseFeatures(), dense, run) {}

LogisticRows::LogisticRows(SparseFeatures sparse, MatrixView dense, const Run& run)
    : sparse_(std::move(sparse)), by_row_(part(dense, false), run), by_column_(part(dense, true), run) {}

/// Vectors over columns are w, whose last is the constant's, and what is added to it; vectors over rows are their
/// margins. Both are padded with zeros.
struct LogisticRegressions::Problem {
  std::vector<float> signs;          ///< over rows: the class's weight with its sign
  double rows = 0, rarer_share = 0;  ///< that take part, and min(positives, negatives) / rows
  double gradient_at_zero = 0, step_tolerance = 0;

  std::vector<float> w, gradient, step, residual, search;
  std::vector<float> margins, step_margins, search_margins, first, second;
  double c = 0, tolerance = 0, value = 0, residual_square = 0, gradient_norm = 0;
  std::size_t searches = 0, newton_steps = 0;
  bool sampled = false;  ///< a step is searched for on some of the rows
  bool in_step = false, finished = false;

  Problem(std::vector<float> signed_weights, std::size_t columns)
      : signs(std::move(signed_weights)),
        w(columns),
        gradient(columns),
        step(columns),
        residual(columns),
        search(columns),
        margins(signs.size()),
        step_margins(signs.size()),
        search_margins(signs.size()),
        first(signs.size()),
        second(signs.size()) {}

  double loss(double length) {
    return logistic_loss({.margins = margins.data(),
                          .direction = step_margins.data(),
                          .step = static_cast<float>(length),
                          .weights = signs.data(),
                          .c = static_cast<float>(c),
                          .rows = signs.size()},
                         first.data(), second.data());
  }

  /// What is to be multiplied with all rows, and where that goes.
  std::vector<float>& along() { return in_step && sampled ? step : search; }
  std::vector<float>& along_margins() { return in_step && sampled ? step_margins : search_margins; }

  void begin_step();
  void take_product(const float* product);
  bool search_further(const float* product);
  void end_step();
};

namespace {

/// A Newton step is searched for until its residual is this share of the gradient. With words, steps are long to search
/// for: Debian's labels take two thirds of the time with the second.
constexpr double kStepTolerance = 0.1, kSparseStepTolerance = 0.25;
/// A step must bring this share of what its slope promises, or differ by no more than floats can tell.
constexpr double kLeastGain = 0.01, kNoise = 1e-6;
/// A gradient of this times c and the rows is rounding.
constexpr double kLeastGradient = 1e-7;
constexpr std::size_t kMostNewtonSteps = 200;
/// With words and many rows, a step is searched for on so many rows for each that could be of either class, and at
/// least on so many. Debian's labels take half of the time so; with fewer rows there are more steps.
constexpr std::size_t kSampledEach = 3, kFewestSampled = 1000, kWorthSampling = 2000;
constexpr int kMostHalvings = 20;

}  // namespace

void LogisticRegressions::Problem::begin_step() {
  in_step = true;
  searches = 0;
  std::fill(step.begin(), step.end(), 0.0f);
  std::fill(step_margins.begin(), step_margins.end(), 0.0f);
  for (std::size_t k = 0; k < gradient.size(); ++k) search[k] = residual[k] = -gradient[k];
  residual_square = dot(residual, residual);
}

/// `product` is the transposed rows times `first`, outside a step, or times second · search_margins, in it.
void LogisticRegressions::Problem::take_product(const float* product) {
  if (in_step) {
    if (search_further(product)) end_step();
    return;
  }
  for (std::size_t k = 0; k < w.size(); ++k) gradient[k] = w[k] + product[k];
  gradient_norm = std::sqrt(dot(gradient, gradient));
  const double enough = c * std::max(tolerance * rarer_share * gradient_at_zero, kLeastGradient * rows);
  finished = gradient_norm <= enough || newton_steps == kMostNewtonSteps;
  if (!finished) begin_step();
}

/// One turn of conjugate gradients; says whether it was the last.
bool LogisticRegressions::Problem::search_further(const float* product) {
  double curvature = 0;
  for (std::size_t k = 0; k < w.size(); ++k) {
    curvature += static_cast<double>(search[k]) * (static_cast<double>(search[k]) + static_cast<double>(product[k]));
  }
  const double length = residual_square / curvature;
  combine(length, search, 1, step);
  if (!sampled) combine(length, search_margins, 1, step_margins);
  const auto less = static_cast<float>(length);
  for (std::size_t k = 0; k < w.size(); ++k) residual[k] -= less * (search[k] + product[k]);
  const double before = residual_square;
  residual_square = dot(residual, residual);
  if (std::sqrt(residual_square) <= step_tolerance * gradient_norm || ++searches == w.size()) return true;
  combine(1, residual, residual_square / before, search);
  return false;
}

/// Halves the step until it gains, and takes it.
void LogisticRegressions::Problem::end_step() {
  const double w_square = dot(w, w), across = dot(w, step), step_square = dot(step, step), slope = dot(gradient, step);
  double length = 1, reached = 0;
  for (int halvings = 0;; ++halvings) {
    reached = (w_square + length * (2 * across + length * step_square)) / 2 + loss(length);
    if (reached <= value + kLeastGain * length * slope + kNoise * value || halvings == kMostHalvings) break;
    length /= 2;
  }
  value = reached;
  combine(length, step, 1, w);
  combine(length, step_margins, 1, margins);
  in_step = false;
  ++newton_steps;
}

LogisticRegressions::LogisticRegressions(const LogisticRows& rows) : rows_(rows) {}

LogisticRegressions::~LogisticRegressions() = default;

void LogisticRegressions::add(std::span<const char> positive, std::span<const char> takes_part) {
  std::vector<float> signs(padded(rows_.rows()));
  std::size_t positives = 0, negatives = 0;
  for (std::size_t r = 0; r < positive.size(); ++r) {
    if (!takes_part.empty() && !takes_part[r]) continue;
    signs[r] = positive[r] ? 1.0f : -1.0f;
    ++(positive[r] ? positives : negatives);
  }
  add(std::move(signs), positives, negatives).w[rows_.features()] =
      static_cast<float>(std::log(static_cast<double>(positives) / static_cast<double>(negatives)));
}

void LogisticRegressions::add_near(std::span<const char> positive, std::span<const float> start) {
  add(positive);
  std::ranges::copy(start, problems_.back()->w.begin());
}

void LogisticRegressions::add_balanced(std::span<const char> positive, std::span<const char> takes_part) {
  std::size_t count[2] = {};
  for (std::size_t r = 0; r < positive.size(); ++r) count[positive[r] != 0] += takes_part[r] != 0;
  const auto all = static_cast<double>(count[0] + count[1]);
  const float weight[2] = {static_cast<float>(-all / (2 * static_cast<double>(count[0]))),
                           static_cast<float>(all / (2 * static_cast<double>(count[1])))};
  std::vector<float> signs(padded(rows_.rows()));
  for (std::size_t r = 0; r < positive.size(); ++r) signs[r] = takes_part[r] ? weight[positive[r] != 0] : 0;
  add(std::move(signs), count[1], count[0]);
}

LogisticRegressions::Problem& LogisticRegressions::add(std::vector<float> signs, std::size_t positives,
                                                       std::size_t negatives) {
  const bool words = rows_.sparse_features() > 0;
  auto problem = std::make_unique<Problem>(std::move(signs), padded(rows_.features() + 1));
  problem->rows = static_cast<double>(positives + negatives);
  problem->rarer_share = static_cast<double>(std::min(positives, negatives)) / problem->rows;
  problem->sampled = words && rows_.rows() > kWorthSampling;
  problem->step_tolerance = words ? kSparseStepTolerance : kStepTolerance;
  return *problems_.emplace_back(std::move(problem));
}

/// Searches for a whole step, on some of the rows; its margins are not known then.
void LogisticRegressions::search_alone(Problem& problem, const Run& run) {
  const auto unsure = static_cast<std::size_t>(sum(problem.second) / problem.c);
  const std::size_t most = std::max(kFewestSampled, kSampledEach * unsure);
  sampled_.choose(rows_.sparse_, rows_.by_row_, std::span(problem.second).first(rows_.rows()), most);
  std::vector<float> product(problem.w.size());
  do {
    run.check();
    sampled_.multiply(problem.search, product);
  } while (!problem.search_further(product.data()));
}

/// The margins of what is searched along, or of a whole step.
void LogisticRegressions::multiply_rows(const std::vector<Problem*>& problems, const Run& run) {
  const std::size_t before = rows_.sparse_features(), dense = rows_.dense_features(), rows = rows_.rows();
  left_.resize(problems.size() * dense);
  product_.resize(problems.size() * rows);
  for (std::size_t k = 0; k < problems.size(); ++k) {
    const std::vector<float>& along = problems[k]->along();
    std::copy_n(along.data() + before, dense, left_.data() + k * dense);
    std::fill_n(product_.data() + k * rows, rows, along[before + dense]);
  }
  if (before > 0) {
    std::vector<const float*> from;
    std::vector<float*> to;
    for (std::size_t k = 0; k < problems.size(); ++k) {
      from.push_back(problems[k]->along().data());
      to.push_back(product_.data() + k * rows);
    }
    add_sparse_product(rows_.sparse_, from, to, false, room_, run);
  }
  if (dense > 0) {
    rows_.by_column_.multiply({left_.data(), problems.size(), dense, dense}, Into::Add, product_.data(), rows, run);
  }
  for (std::size_t k = 0; k < problems.size(); ++k) {
    std::copy_n(product_.data() + k * rows, rows, problems[k]->along_margins().data());
  }
}

void LogisticRegressions::multiply_transposed(const std::vector<Problem*>& problems, const Run& run) {
  const std::size_t before = rows_.sparse_features(), dense = rows_.dense_features(), rows = rows_.rows(),
                    stride = padded(rows), width = padded(before + dense + 1);
  left_.resize(problems.size() * stride);
  product_.assign(problems.size() * width, 0);
  for (std::size_t k = 0; k < problems.size(); ++k) {
    const Problem& problem = *problems[k];
    float* out = left_.data() + k * stride;
    for (std::size_t r = 0; r < stride; ++r) {
      out[r] = problem.in_step ? problem.second[r] * problem.search_margins[r] : problem.first[r];
    }
    product_[k * width + before + dense] = static_cast<float>(sum({out, stride}));
  }
  if (before > 0) {
    std::vector<const float*> from;
    std::vector<float*> to;
    for (std::size_t k = 0; k < problems.size(); ++k) {
      from.push_back(left_.data() + k * stride);
      to.push_back(product_.data() + k * width);
    }
    add_sparse_product(rows_.sparse_, from, to, true, room_, run);
  }
  if (dense > 0) {
    rows_.by_row_.multiply({left_.data(), problems.size(), rows, stride}, Into::Place, product_.data() + before, width,
                           run);
  }
  for (std::size_t k = 0; k < problems.size(); ++k) problems[k]->take_product(product_.data() + k * width);
}

/// How steep each problem is at w = 0; for many at once, because that takes little more than for one.
void LogisticRegressions::measure_at_zero(const Run& run) {
  std::vector<Problem*> fresh;
  for (const auto& problem : problems_) {
    if (problem->gradient_at_zero == 0) fresh.push_back(problem.get());
  }
  if (fresh.empty()) return;
  std::vector<std::vector<float>> starts;
  for (Problem* problem : fresh) {
    starts.push_back(std::exchange(problem->w, std::vector<float>(problem->w.size())));
    problem->c = 1;
    problem->loss(0);
  }
  multiply_transposed(fresh, run);
  for (std::size_t k = 0; k < fresh.size(); ++k) {
    fresh[k]->gradient_at_zero = fresh[k]->gradient_norm;
    fresh[k]->in_step = false;
    fresh[k]->w = std::move(starts[k]);
  }
}

void LogisticRegressions::fit(double c, double tolerance, const Run& run) {
  measure_at_zero(run);
  std::vector<Problem*> active, in_step;
  for (const auto& problem : problems_) active.push_back(problem.get());
  for (Problem* problem : active) std::copy(problem->w.begin(), problem->w.end(), problem->search.begin());
  multiply_rows(active, run);
  for (Problem* problem : active) {
    problem->margins = problem->search_margins;
    std::fill(problem->step_margins.begin(), problem->step_margins.end(), 0.0f);
    problem->c = c;
    problem->tolerance = tolerance;
    problem->value = problem->loss(0) + dot(problem->w, problem->w) / 2;
    problem->in_step = problem->finished = false;
    problem->newton_steps = 0;
  }
  while (!active.empty()) {
    in_step.clear();
    for (Problem* problem : active) {
      if (problem->in_step) in_step.push_back(problem);
    }
    for (Problem* problem : in_step) {
      if (problem->sampled) search_alone(*problem, run);
    }
    if (!in_step.empty()) multiply_rows(in_step, run);
    for (Problem* problem : in_step) {
      if (problem->sampled) problem->end_step();
    }
    multiply_transposed(active, run);
    std::erase_if(active, [](const Problem* problem) { return problem->finished; });
  }
}

std::span<const float> LogisticRegressions::weights(std::size_t problem) const {
  return std::span(problems_[problem]->w).first(rows_.features() + 1);
}
std::span<const float> LogisticRegressions::margins(std::size_t problem) const {
  return std::span(problems_[problem]->margins).first(rows_.rows());
}
double LogisticRegressions::gradient_ratio(std::size_t problem) const {
  const Problem& it = *problems_[problem];
  return it.gradient_norm / (it.c * it.gradient_at_zero);
}

}  // namespace idne
