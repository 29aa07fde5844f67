#include "evaluate/classifier.h"

#include <linear.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>

#include "evaluate/auc.h"
#include "evaluate/splits.h"

namespace idne {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Matrix unit_rows(MatrixView rows, std::span<const std::uint32_t> chosen) {
  Matrix result(static_cast<Eigen::Index>(chosen.size()), static_cast<Eigen::Index>(rows.columns));
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const auto row = rows.row(chosen[k]);
    auto out = result.row(static_cast<Eigen::Index>(k));
    for (std::size_t d = 0; d < row.size(); ++d) out[static_cast<Eigen::Index>(d)] = row[d];
    if (const double norm = out.norm(); norm > 0) out /= norm;
  }
  return result;
}

/// Where there are fewer training rows than dimensions, the solution lies in the span of the rows: turning the space so
/// that this span comes first gives the same classifier in as many dimensions as there are rows.
void turn_to_span(Matrix& train, Matrix& test) {
  if (train.rows() >= train.cols()) return;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(train * train.transpose());
  const Eigen::VectorXd values = eigen.eigenvalues().cwiseMax(0).cwiseSqrt();
  const double floor = 1e-7 * values.maxCoeff();
  const Eigen::VectorXd inverse = values.unaryExpr([&](double v) { return v > floor ? 1 / v : 0.0; });
  const Eigen::MatrixXd turn = train.transpose() * eigen.eigenvectors() * inverse.asDiagonal();
  test = (test * turn).eval();
  train = (train * turn).eval();
}

/// Rows in LIBLINEAR's sparse form, with a constant feature at the end.
class Features {
 public:
  explicit Features(const Matrix& rows) : width_(static_cast<int>(rows.cols()) + 1) {
    nodes_.resize(static_cast<std::size_t>(rows.rows()) * static_cast<std::size_t>(width_ + 1));
    for (Eigen::Index r = 0; r < rows.rows(); ++r) {
      feature_node* at = row(static_cast<std::size_t>(r));
      for (int d = 0; d + 1 < width_; ++d) *at++ = {d + 1, rows(r, d)};
      *at++ = {width_, 1.0};
      *at = {-1, 0.0};
    }
  }
  feature_node* row(std::size_t r) { return nodes_.data() + r * static_cast<std::size_t>(width_ + 1); }
  int width() const { return width_; }

 private:
  int width_;
  std::vector<feature_node> nodes_;
};

/// LIBLINEAR's default. A rougher one is not for choosing C by: begun at a smaller C's solution it stops there, every
/// larger C looks as good, and the final fit, begun at zero, is then a worse one than was judged.
constexpr double kTolerance = 0.01;

/// One label against the rest, classes balanced.
class Regression {
 public:
  Regression(Features& features, const std::vector<std::size_t>& rows, const std::vector<char>& positive)
      : width_(features.width()) {
    std::size_t positives = 0;
    for (const std::size_t r : rows) {
      x_.push_back(features.row(r));
      y_.push_back(positive[r] ? 1 : -1);
      positives += positive[r] != 0;
    }
    const auto n = static_cast<double>(rows.size()), p = static_cast<double>(positives);
    one_sided_ = positives == 0 || positives == rows.size();
    if (one_sided_) {
      solution_.assign(static_cast<std::size_t>(width_), 0);
      solution_.back() = positives == 0 ? -kSure : kSure;
    } else {
      weights_[0] = n / (2 * p), weights_[1] = n / (2 * (n - p));
    }
  }

  /// Begins at the solution for the C before, which is near. REQUIRES: silent LIBLINEAR.
  void fit(double c) {
    if (one_sided_) return;
    problem all{static_cast<int>(x_.size()), width_, y_.data(), x_.data(), -1};
    int labels[2] = {1, -1};
    parameter how{};
    how.solver_type = L2R_LR;
    how.eps = kTolerance;
    how.C = c;
    how.nr_weight = 2;
    how.weight_label = labels;
    how.weight = weights_;
    how.init_sol = solution_.empty() ? nullptr : solution_.data();
    model* fitted = train(&all, &how);
    solution_.assign(fitted->w, fitted->w + width_);  // LIBLINEAR lets +1 come first, whatever the order of the rows
    free_and_destroy_model(&fitted);
  }

  float probability(const feature_node* x) const {
    double decision = 0;
    for (; x->index > 0; ++x) decision += solution_[static_cast<std::size_t>(x->index - 1)] * x->value;
    return static_cast<float>(1 / (1 + std::exp(-decision)));
  }

 private:
  static constexpr double kSure = 30;  // log-odds of a label that all training documents have, or none

  int width_;
  std::vector<feature_node*> x_;
  std::vector<double> y_;
  double weights_[2] = {1, 1};
  std::vector<double> solution_;
  bool one_sided_ = false;
};

void silence_liblinear() {
  static std::once_flag once;
  std::call_once(once, [] { set_print_string_function([](const char*) {}); });
}

/// The training rows, and for each label which of them have it.
struct Problem {
  Features& features;
  std::vector<std::vector<char>> has;  ///< [label][row]
  std::span<const std::uint32_t> documents;
  const Lists& labels;
};

constexpr int kLeastPower = -4, kMostPower = 4;  // C is 1e-4 … 1e4

/// The C with the best micro AUC over the folds.
double choose_c(const Problem& problem, std::uint64_t seed) {
  const std::size_t rows = problem.documents.size(), label_count = problem.has.size();
  // As many folds as the rarest label has documents, within 2 … 5; three where there is much to learn from.
  constexpr std::size_t kMany = 1000;
  std::size_t rarest = rows;
  for (const auto& has : problem.has) {
    const auto count = static_cast<std::size_t>(std::count(has.begin(), has.end(), 1));
    if (count > 1) rarest = std::min(rarest, count);
  }
  const std::size_t folds = std::clamp<std::size_t>(rarest, 2, rows > kMany ? 3 : 5);
  Random random(seed, Purpose::Folds, 0);
  const auto fold_of = stratified_folds(problem.documents, problem.labels, folds, random);

  std::vector<std::vector<std::size_t>> held(folds), kept(folds);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t f = 0; f < folds; ++f) (fold_of[r] == f ? held : kept)[f].push_back(r);
  }
  std::vector<Regression> regressions;
  for (std::size_t f = 0; f < folds; ++f) {
    for (const auto& has : problem.has) regressions.emplace_back(problem.features, kept[f], has);
  }
  // Upwards from three places, then uphill from the best: large C take long, and the curve has one top, about.
  std::map<int, double> auc_of;  // by power of ten
  std::vector<float> scores(rows * label_count);
  const auto auc_at = [&](int power) {
    const auto found = auc_of.find(power);
    if (found != auc_of.end()) return found->second;
    for (std::size_t f = 0; f < folds; ++f) {
      for (std::size_t k = 0; k < label_count; ++k) {
        Regression& regression = regressions[f * label_count + k];
        regression.fit(std::pow(10.0, power));
        for (const std::size_t r : held[f]) {
          scores[r * label_count + k] = regression.probability(problem.features.row(r));
        }
      }
    }
    return auc_of[power] = micro_auc(scores, problem.documents, problem.labels, label_count);
  };
  int best = kLeastPower;
  const auto consider = [&](int power) {
    if (power < kLeastPower || power > kMostPower || auc_of.contains(power)) return false;
    const bool better = auc_of.empty() || auc_at(power) > auc_at(best);
    auc_at(power);
    if (better) best = power;
    return better;
  };
  for (const int power : {-2, 0, 2}) consider(power);
  while (consider(best - 1) || consider(best + 1)) {
  }
  return std::pow(10.0, best);
}

}  // namespace

Classified classify(MatrixView train_rows, std::span<const std::uint32_t> train, const Lists& labels,
                    std::size_t label_count, MatrixView test_rows, std::span<const std::uint32_t> test,
                    std::uint64_t seed) {
  silence_liblinear();
  Matrix train_matrix = unit_rows(train_rows, train), test_matrix = unit_rows(test_rows, test);
  if (train.empty() || !train_matrix.allFinite()) {  // LIBLINEAR would answer all the same
    return {std::vector<float>(test.size() * label_count, std::nanf("")), 0};
  }
  turn_to_span(train_matrix, test_matrix);
  Features train_features(train_matrix), test_features(test_matrix);
  Problem problem{train_features, {}, train, labels};
  problem.has.assign(label_count, std::vector<char>(train.size()));
  for (std::size_t r = 0; r < train.size(); ++r) {
    for (const std::int32_t label : labels.row(train[r])) problem.has[static_cast<std::size_t>(label)][r] = 1;
  }
  Classified result;
  result.c = choose_c(problem, seed);
  std::vector<std::size_t> all(train.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  result.scores.resize(test.size() * label_count);
  for (std::size_t k = 0; k < label_count; ++k) {
    Regression regression(train_features, all, problem.has[k]);
    regression.fit(result.c);
    for (std::size_t r = 0; r < test.size(); ++r) {
      result.scores[r * label_count + k] = regression.probability(test_features.row(r));
    }
  }
  return result;
}

double micro_auc(std::span<const float> scores, std::span<const std::uint32_t> test, const Lists& labels,
                 std::size_t label_count) {
  std::vector<Scored> predictions(scores.size());
  for (std::size_t k = 0; k < scores.size(); ++k) predictions[k] = {scores[k], false};
  for (std::size_t k = 0; k < test.size(); ++k) {
    for (const std::int32_t label : labels.row(test[k])) {
      predictions[k * label_count + static_cast<std::size_t>(label)].positive = true;
    }
  }
  return area_under_roc(std::move(predictions));
}

}  // namespace idne
