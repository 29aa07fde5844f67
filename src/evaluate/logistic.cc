#include "evaluate/logistic.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "evaluate/logistic.cc"
#include <hwy/foreach_target.h>  // NOLINT: includes this file once a target
#include <hwy/highway.h>
// clang-format off: after the two above
#include <hwy/contrib/math/math-inl.h>
// clang-format on

#ifndef IDNE_EVALUATE_LOGISTIC_SHARED
#define IDNE_EVALUATE_LOGISTIC_SHARED
namespace idne {

/// As in math/dense.cc: so many rows by two vectors fill the registers of AVX2.
inline constexpr std::size_t kMostTileRows = 6;
/// Sums of so many terms are made in registers, and added to what is in memory.
inline constexpr std::size_t kTileSteps = 256;

/// A piece of a product: `a` is row after row, `b` a panel's width a step.
struct LogisticTile {
  const float* a;
  std::size_t a_stride;
  const float* b;
  std::size_t steps;
  float* out;
  std::size_t out_stride;
  bool add;
};

/// Where the loss is taken, and what it is made of.
struct LossInput {
  const float* margins;
  const float* direction;
  float step;
  const float* weights;  ///< with the sign of the class; 0 for a row that takes no part
  float c;
  std::size_t rows;
};

}  // namespace idne
#endif

HWY_BEFORE_NAMESPACE();
namespace idne::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::CappedTag<float, 16>;

std::size_t LogisticPanelWidth() { return 2 * hn::MaxLanes(FloatTag()); }

template <std::size_t kRows>
HWY_INLINE void logistic_tile(const LogisticTile& tile) {
  const FloatTag d;
  constexpr std::size_t kLanes = hn::MaxLanes(d);
  using Vector = hn::Vec<decltype(d)>;
  Vector left[kRows], right[kRows];
  for (std::size_t r = 0; r < kRows; ++r) left[r] = right[r] = hn::Zero(d);
  const float* HWY_RESTRICT a = tile.a;
  const float* HWY_RESTRICT b = tile.b;
  for (std::size_t step = 0; step < tile.steps; ++step, ++a, b += 2 * kLanes) {
    const Vector b_left = hn::LoadU(d, b), b_right = hn::LoadU(d, b + kLanes);
    for (std::size_t r = 0; r < kRows; ++r) {
      const Vector factor = hn::Set(d, a[r * tile.a_stride]);
      left[r] = hn::MulAdd(factor, b_left, left[r]);
      right[r] = hn::MulAdd(factor, b_right, right[r]);
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    float* out = tile.out + r * tile.out_stride;
    if (tile.add) {
      left[r] = hn::Add(left[r], hn::LoadU(d, out));
      right[r] = hn::Add(right[r], hn::LoadU(d, out + kLanes));
    }
    hn::StoreU(left[r], d, out);
    hn::StoreU(right[r], d, out + kLanes);
  }
}

void MultiplyLogisticTile(std::size_t rows, const LogisticTile& tile) {
  switch (rows) {
    case 1:
      return logistic_tile<1>(tile);
    case 2:
      return logistic_tile<2>(tile);
    case 3:
      return logistic_tile<3>(tile);
    case 4:
      return logistic_tile<4>(tile);
    case 5:
      return logistic_tile<5>(tile);
    default:
      return logistic_tile<kMostTileRows>(tile);
  }
}

/// The loss and, for each row, its first and second derivative by the margin.
double LossAt(const LossInput& in, float* HWY_RESTRICT first, float* HWY_RESTRICT second) {
  const FloatTag d;
  constexpr std::size_t kLanes = hn::MaxLanes(d);
  const auto one = hn::Set(d, 1.0f), zero = hn::Zero(d), c = hn::Set(d, in.c), step = hn::Set(d, in.step);
  double loss = 0;
  HWY_ALIGN float lanes[kLanes];
  for (std::size_t k = 0; k < in.rows; k += kLanes) {
    const auto signed_weight = hn::Mul(c, hn::LoadU(d, in.weights + k));
    const auto weight = hn::Abs(signed_weight);
    auto margin = hn::MulAdd(step, hn::LoadU(d, in.direction + k), hn::LoadU(d, in.margins + k));
    margin = hn::Mul(hn::CopySign(one, signed_weight), margin);
    const auto e = hn::Exp(d, hn::Neg(hn::Abs(margin)));
    const auto share = hn::Div(one, hn::Add(one, e));  // of the likelier class
    const auto wrong = hn::IfThenElse(hn::Lt(margin, zero), share, hn::Mul(e, share));
    hn::StoreU(hn::Neg(hn::Mul(signed_weight, wrong)), d, first + k);
    hn::StoreU(hn::Mul(hn::Mul(weight, e), hn::Mul(share, share)), d, second + k);
    const auto row_loss = hn::Add(hn::Max(hn::Neg(margin), zero), hn::Log1p(d, e));
    hn::Store(hn::Mul(weight, row_loss), d, lanes);
    for (std::size_t lane = 0; lane < kLanes; ++lane) loss += static_cast<double>(lanes[lane]);
  }
  return loss;
}

}  // namespace idne::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace idne {
namespace {

HWY_EXPORT(LogisticPanelWidth);
HWY_EXPORT(MultiplyLogisticTile);
HWY_EXPORT(LossAt);

std::size_t panel_width() { return HWY_DYNAMIC_DISPATCH(LogisticPanelWidth)(); }

std::size_t whole_panels(std::size_t n) {
  constexpr std::size_t kWidest = 32;  // also what the vectors over rows and columns are padded to
  return (n + kWidest - 1) / kWidest * kWidest;
}

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

}  // namespace

/// A matrix as the right factor of products: its columns in panels, step after step.
class LogisticRegressions::Panels {
 public:
  template <class At>
  Panels(std::size_t steps, std::size_t columns, At at)
      : steps_(steps), columns_(whole_panels(columns)), width_(panel_width()), values_(steps_ * columns_) {
    for (std::size_t k = 0; k < steps; ++k) {
      for (std::size_t c = 0; c < columns; ++c) values_[(c / width_ * steps_ + k) * width_ + c % width_] = at(k, c);
    }
  }

  std::size_t steps() const { return steps_; }
  std::size_t columns() const { return columns_; }

  /// out = a · this, for `rows` rows of a, each `stride` floats.
  void multiply(const float* a, std::size_t rows, std::size_t stride, float* out) const {
    const std::size_t tiles = (rows + kMostTileRows - 1) / kMostTileRows;
    for (std::size_t begin = 0; begin < steps_; begin += kTileSteps) {
      const std::size_t steps = std::min(kTileSteps, steps_ - begin);
      for (std::size_t first = 0; first < columns_; first += width_) {
        const float* panel = values_.data() + first * steps_ + begin * width_;
        for (std::size_t t = 0; t < tiles; ++t) {  // of about the same height: one of a single row is slow
          const std::size_t row = t * rows / tiles, end = (t + 1) * rows / tiles;
          HWY_DYNAMIC_DISPATCH(MultiplyLogisticTile)
          (end - row, {.a = a + row * stride + begin,
                       .a_stride = stride,
                       .b = panel,
                       .steps = steps,
                       .out = out + row * columns_ + first,
                       .out_stride = columns_,
                       .add = begin > 0});
        }
      }
    }
  }

 private:
  std::size_t steps_, columns_, width_;
  std::vector<float> values_;
};

/// Vectors over columns are w and what is added to it; vectors over rows are their margins. Both are padded with zeros.
struct LogisticRegressions::Problem {
  std::vector<float> signs;          ///< over rows: the class's weight with its sign
  double rows = 0, rarer_share = 0;  ///< that take part, and min(positives, negatives) / rows
  double gradient_at_zero = 0;

  std::vector<float> w, gradient, step, residual, search;
  std::vector<float> margins, step_margins, search_margins, first, second;
  double c = 0, tolerance = 0, value = 0, residual_square = 0, gradient_norm = 0;
  std::size_t searches = 0, newton_steps = 0;
  bool in_step = false, finished = false;

  Problem(std::size_t rows, std::size_t columns)
      : signs(rows),
        w(columns),
        gradient(columns),
        step(columns),
        residual(columns),
        search(columns),
        margins(rows),
        step_margins(rows),
        search_margins(rows),
        first(rows),
        second(rows) {}

  double loss(double length) {
    return HWY_DYNAMIC_DISPATCH(LossAt)({.margins = margins.data(),
                                         .direction = step_margins.data(),
                                         .step = static_cast<float>(length),
                                         .weights = signs.data(),
                                         .c = static_cast<float>(c),
                                         .rows = signs.size()},
                                        first.data(), second.data());
  }

  void begin_step();
  void take_product(const float* product);
  void search_further(const float* product);
  void end_step();
};

namespace {

/// A Newton step is searched for until its residual is this share of the gradient.
constexpr double kStepTolerance = 0.1;
/// A step must bring this share of what its slope promises, or differ by no more than floats can tell.
constexpr double kLeastGain = 0.01, kNoise = 1e-6;
/// A gradient of this times c and the rows is rounding.
constexpr double kLeastGradient = 1e-7;
constexpr std::size_t kMostNewtonSteps = 200;
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
  if (in_step) return search_further(product);
  for (std::size_t k = 0; k < w.size(); ++k) gradient[k] = w[k] + product[k];
  gradient_norm = std::sqrt(dot(gradient, gradient));
  const double enough = c * std::max(tolerance * rarer_share * gradient_at_zero, kLeastGradient * rows);
  finished = gradient_norm <= enough || newton_steps == kMostNewtonSteps;
  if (!finished) begin_step();
}

/// One turn of conjugate gradients.
void LogisticRegressions::Problem::search_further(const float* product) {
  double curvature = 0;
  for (std::size_t k = 0; k < w.size(); ++k) {
    curvature += static_cast<double>(search[k]) * (static_cast<double>(search[k]) + static_cast<double>(product[k]));
  }
  const double length = residual_square / curvature;
  combine(length, search, 1, step);
  combine(length, search_margins, 1, step_margins);
  const auto less = static_cast<float>(length);
  for (std::size_t k = 0; k < w.size(); ++k) residual[k] -= less * (search[k] + product[k]);
  const double before = residual_square;
  residual_square = dot(residual, residual);
  if (std::sqrt(residual_square) <= kStepTolerance * gradient_norm || ++searches == w.size()) return end_step();
  combine(1, residual, residual_square / before, search);
}

/// Halves the step until it gains, and takes it.
void LogisticRegressions::Problem::end_step() {
  const double w_square = dot(w, w), across = dot(w, step), step_square = dot(step, step), slope = dot(gradient, step);
  double length = 1, reached = 0;
  for (int halvings = 0;; ++halvings, length /= 2) {
    reached = (w_square + length * (2 * across + length * step_square)) / 2 + loss(length);
    if (reached <= value + kLeastGain * length * slope + kNoise * value || halvings == kMostHalvings) break;
  }
  value = reached;
  combine(length, step, 1, w);
  combine(length, step_margins, 1, margins);
  in_step = false;
  ++newton_steps;
}

LogisticRegressions::LogisticRegressions(MatrixView rows) : rows_(rows.rows), columns_(rows.columns + 1) {
  const auto at = [&](std::size_t r, std::size_t c) { return c < rows.columns ? rows.row(r)[c] : 1.0f; };
  by_row_ = std::make_unique<Panels>(rows_, columns_, at);
  by_column_ = std::make_unique<Panels>(columns_, rows_, [&](std::size_t c, std::size_t r) { return at(r, c); });
}

LogisticRegressions::~LogisticRegressions() = default;

void LogisticRegressions::add(std::span<const char> positive, std::span<const char> takes_part) {
  std::size_t count[2] = {};
  for (std::size_t r = 0; r < rows_; ++r) count[positive[r] != 0] += takes_part[r] != 0;
  const auto all = static_cast<double>(count[0] + count[1]);
  const float weight[2] = {static_cast<float>(-all / (2 * static_cast<double>(count[0]))),
                           static_cast<float>(all / (2 * static_cast<double>(count[1])))};
  auto problem = std::make_unique<Problem>(by_column_->columns(), by_row_->columns());
  for (std::size_t r = 0; r < rows_; ++r) problem->signs[r] = takes_part[r] ? weight[positive[r] != 0] : 0;
  problem->rows = all;
  problem->rarer_share = static_cast<double>(std::min(count[0], count[1])) / all;
  problem->c = 1;
  problem->loss(0);
  std::vector<Problem*> alone{problem.get()};
  multiply_transposed(alone);
  problem->gradient_at_zero = problem->gradient_norm;
  problem->in_step = false;
  problems_.push_back(std::move(problem));
}

/// The margins of what is searched along.
void LogisticRegressions::multiply_rows(const std::vector<Problem*>& problems) {
  const std::size_t width = by_row_->columns(), rows = by_column_->columns();
  left_.resize(problems.size() * width);
  product_.resize(problems.size() * rows);
  for (std::size_t k = 0; k < problems.size(); ++k)
    std::copy_n(problems[k]->search.begin(), width, left_.begin() + static_cast<std::ptrdiff_t>(k * width));
  by_column_->multiply(left_.data(), problems.size(), width, product_.data());
  for (std::size_t k = 0; k < problems.size(); ++k)
    std::copy_n(product_.begin() + static_cast<std::ptrdiff_t>(k * rows), rows, problems[k]->search_margins.begin());
}

void LogisticRegressions::multiply_transposed(const std::vector<Problem*>& problems) {
  const std::size_t width = by_row_->columns(), rows = by_column_->columns();
  left_.resize(problems.size() * rows);
  product_.resize(problems.size() * width);
  for (std::size_t k = 0; k < problems.size(); ++k) {
    const Problem& problem = *problems[k];
    float* out = left_.data() + k * rows;
    for (std::size_t r = 0; r < rows; ++r)
      out[r] = problem.in_step ? problem.second[r] * problem.search_margins[r] : problem.first[r];
  }
  by_row_->multiply(left_.data(), problems.size(), rows, product_.data());
  for (std::size_t k = 0; k < problems.size(); ++k) problems[k]->take_product(product_.data() + k * width);
}

void LogisticRegressions::fit(double c, double tolerance) {
  std::vector<Problem*> active, in_step;
  for (const auto& problem : problems_) active.push_back(problem.get());
  for (Problem* problem : active) std::copy(problem->w.begin(), problem->w.end(), problem->search.begin());
  multiply_rows(active);
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
    if (!in_step.empty()) multiply_rows(in_step);
    multiply_transposed(active);
    std::erase_if(active, [](const Problem* problem) { return problem->finished; });
  }
}

std::span<const float> LogisticRegressions::weights(std::size_t problem) const {
  return std::span(problems_[problem]->w).first(columns_);
}
std::span<const float> LogisticRegressions::margins(std::size_t problem) const {
  return std::span(problems_[problem]->margins).first(rows_);
}
double LogisticRegressions::gradient_ratio(std::size_t problem) const {
  const Problem& it = *problems_[problem];
  return it.gradient_norm / (it.c * it.gradient_at_zero);
}

}  // namespace idne
#endif
