#include "evaluate/classifier.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "evaluate/auc.h"
#include "evaluate/splits.h"
#include "math/dense.h"
#include "math/logistic.h"
#include "math/matrix.h"
#include "math/symmetric_eigen.h"
#include "math/unit.h"

namespace idne {
namespace {

/// Where there are far fewer training rows than dimensions, the solution lies in the span of the rows: turning the
/// space so that this span comes first gives the same classifier in as many dimensions as there are rows.
struct Span {
  std::vector<float> rows;  ///< row × axis: the rows' coordinates
  std::vector<float> axes;  ///< axis × dimension
};

Span span_of(MatrixView floats, const Run& run) {
  const Matrix rows(floats);
  Matrix square = product(plain(rows), transposed(rows), run);
  square.make_symmetric();
  SymmetricEigen eigen = symmetric_eigen(square, run);
  Matrix coordinates = eigen.vectors.transposed();
  const double floor = 1e-7 * std::sqrt(std::max(0.0, eigen.values.back()));
  for (std::size_t k = 0; k < rows.rows(); ++k) {
    const double length = std::sqrt(std::max(0.0, eigen.values[k]));
    for (std::size_t r = 0; r < rows.rows(); ++r) coordinates(r, k) *= length;
    eigen.vectors.scale_row(k, length > floor ? 1 / length : 0);
  }
  return {coordinates.floats(), product(plain(eigen.vectors), plain(rows), run).floats()};
}

/// LIBLINEAR's default. A rougher one is not for choosing C by: begun at a smaller C's solution it stops there, and
/// every larger C looks as good.
constexpr double kTolerance = 0.01;
constexpr float kSure = 30;  // log-odds of a label that all training documents have, or none

float probability(float log_odds) { return 1 / (1 + std::exp(-log_odds)); }

/// The training rows, and for each label which of them have it.
struct Problem {
  MatrixView rows;
  std::vector<std::vector<char>> has;  ///< [label][row]
  std::span<const std::uint32_t> documents;
  const Lists& labels;
  bool one_label;  ///< each document has exactly one
};

/// Where a document has exactly one label, its probabilities are made to add up to one, as LIBLINEAR does in
/// predict_probability and scikit-learn in predict_proba.
void add_up_to_one(std::vector<float>& scores, std::size_t label_count) {
  for (std::size_t at = 0; at < scores.size(); at += label_count) {
    float sum = 0;
    for (std::size_t k = 0; k < label_count; ++k) sum += scores[at + k];
    for (std::size_t k = 0; k < label_count && sum > 0; ++k) scores[at + k] /= sum;
  }
}

/// One logistic regression per label against the rest, on some of the rows; several such sets share the products with
/// the rows.
class OneVersusRest {
 public:
  OneVersusRest(const Problem& problem, LogisticRegressions& all, const std::vector<char>& takes_part) : all_(&all) {
    for (const auto& has : problem.has) {
      std::size_t rows = 0, positives = 0;
      for (std::size_t r = 0; r < has.size(); ++r) {
        if (!takes_part[r]) continue;
        ++rows;
        positives += has[r] != 0;
      }
      sure_.push_back(positives == 0 ? -kSure : positives == rows ? kSure : 0);
      number_.push_back(all.size());
      if (sure_.back() == 0) all.add_balanced(has, takes_part);
    }
  }

  float training_probability(std::size_t label, std::size_t row) const {
    return probability(sure_[label] != 0 ? sure_[label] : all_->margins(number_[label])[row]);
  }
  /// The weights of a label's features and constant; REQUIRES: not sure(label).
  std::span<const float> weights(std::size_t label) const { return all_->weights(number_[label]); }
  float sure(std::size_t label) const { return sure_[label]; }

 private:
  const LogisticRegressions* all_;
  std::vector<float> sure_;  ///< its log-odds, if it is the same for all; else 0
  std::vector<std::size_t> number_;
};

constexpr int kLeastPower = -4, kMostPower = 4;  // C is 1e-4 … 1e4

/// As many folds as the rarest label has documents, within 2 … 5; three where there is much to learn from.
std::size_t fold_count(const Problem& problem) {
  constexpr std::size_t kManyRows = 1000;
  const std::size_t rows = problem.documents.size();
  std::size_t rarest = rows;
  for (const auto& has : problem.has) {
    const auto count = static_cast<std::size_t>(std::count(has.begin(), has.end(), 1));
    if (count > 1) rarest = std::min(rarest, count);
  }
  return std::clamp<std::size_t>(rarest, 2, rows > kManyRows ? 3 : 5);
}

/// Cross-validation of C. All folds and labels are fitted together.
class Folds {
 public:
  Folds(const Problem& problem, LogisticRegressions& regressions, std::uint64_t seed, const Run& run)
      : problem_(problem), regressions_(regressions), run_(run) {
    Random random(seed, Purpose::Folds, 0);
    const std::size_t folds = fold_count(problem);
    fold_of_ = stratified_folds(problem.documents, problem.labels, folds, random);
    std::vector<char> kept(fold_of_.size());
    for (std::size_t f = 0; f < folds; ++f) {
      std::transform(fold_of_.begin(), fold_of_.end(), kept.begin(), [&](auto fold) { return fold != f; });
      folds_.emplace_back(problem, regressions, kept);
    }
  }

  /// The C with the best micro AUC: upwards from three places, then uphill from the best, because large C take long,
  /// and the curve has one top, about.
  int best_power() {
    int best = kLeastPower;
    const auto consider = [&](int power) {
      if (power < kLeastPower || power > kMostPower || auc_of_.contains(power)) return false;
      const bool better = auc_of_.empty() || auc_at(power) > auc_at(best);
      auc_at(power);
      if (better) best = power;
      return better;
    };
    for (const int power : {-2, 0, 2}) consider(power);
    while (consider(best - 1) || consider(best + 1)) {
    }
    return best;
  }

 private:
  double auc_at(int power) {
    const auto found = auc_of_.find(power);
    if (found != auc_of_.end()) return found->second;
    regressions_.fit(std::pow(10.0, power), kTolerance, run_);
    const std::size_t label_count = problem_.has.size();
    std::vector<float> scores(fold_of_.size() * label_count);
    for (std::size_t r = 0; r < fold_of_.size(); ++r) {
      for (std::size_t k = 0; k < label_count; ++k) {
        scores[r * label_count + k] = folds_[fold_of_[r]].training_probability(k, r);
      }
    }
    if (problem_.one_label) add_up_to_one(scores, label_count);
    return auc_of_[power] = micro_auc(scores, problem_.documents, problem_.labels, label_count);
  }

  const Problem& problem_;
  LogisticRegressions& regressions_;
  const Run& run_;
  std::vector<std::uint32_t> fold_of_;
  std::vector<OneVersusRest> folds_;
  std::map<int, double> auc_of_;  ///< by power of ten
};

double choose_c(const Problem& problem, const LogisticRows& rows, std::uint64_t seed, const Run& run) {
  LogisticRegressions regressions(rows);
  return std::pow(10.0, Folds(problem, regressions, seed, run).best_power());
}

/// Probabilities of the labels for `rows`, by weights over them or, if there are `axes`, over these.
std::vector<float> probabilities(const OneVersusRest& labels, std::size_t label_count, MatrixView rows,
                                 std::span<const float> axes, const Run& run) {
  const std::size_t width = axes.empty() ? rows.columns : axes.size() / rows.columns;
  std::vector<float> weights(label_count * width), constants(label_count);
  for (std::size_t k = 0; k < label_count; ++k) {
    constants[k] = labels.sure(k);
    if (labels.sure(k) != 0) continue;
    const auto w = labels.weights(k);
    std::copy(w.begin(), w.end() - 1, weights.begin() + static_cast<std::ptrdiff_t>(k * width));
    constants[k] = w.back();
  }
  if (!axes.empty()) {
    std::vector<float> turned(label_count * rows.columns);
    multiply({{weights.data(), label_count, width}}, {{axes.data(), width, rows.columns}}, turned, false, run);
    weights = std::move(turned);
  }
  std::vector<float> scores(rows.rows * label_count);
  multiply({rows}, {{weights.data(), label_count, rows.columns}, true}, scores, false, run);
  for (std::size_t at = 0; at < scores.size(); ++at) scores[at] = probability(scores[at] + constants[at % label_count]);
  return scores;
}

}  // namespace

Classified classify(MatrixView train_rows, std::span<const std::uint32_t> train, const Lists& labels,
                    std::size_t label_count, MatrixView test_rows, std::span<const std::uint32_t> test,
                    std::uint64_t seed, const std::function<bool()>& stopped) {
  const Run run{.threads = 1, .progress = {}, .stopped = stopped};
  Span known{unit_rows(train_rows, train, 1), {}};
  const std::vector<float> unknown = unit_rows(test_rows, test, 1);
  if (train.empty() || !std::ranges::all_of(known.rows, [](float value) { return std::isfinite(value); })) {
    return {std::vector<float>(test.size() * label_count, std::nanf("")), 0};
  }
  if (2 * train.size() <= train_rows.columns)
    known = span_of({known.rows.data(), train.size(), train_rows.columns}, run);
  const bool one_label =
      std::all_of(train.begin(), train.end(), [&](std::uint32_t i) { return labels.row(i).size() == 1; });
  Problem problem{{known.rows.data(), train.size(), known.rows.size() / train.size()}, {}, train, labels, one_label};
  problem.has.assign(label_count, std::vector<char>(train.size()));
  for (std::size_t r = 0; r < train.size(); ++r) {
    for (const std::int32_t label : labels.row(train[r])) problem.has[static_cast<std::size_t>(label)][r] = 1;
  }
  const LogisticRows rows(problem.rows, run);
  const double c = choose_c(problem, rows, seed, run);
  LogisticRegressions regressions(rows);
  const OneVersusRest final(problem, regressions, std::vector<char>(train.size(), 1));
  regressions.fit(c, kTolerance, run);
  const MatrixView unknown_view{unknown.data(), test.size(), test_rows.columns};
  Classified result{probabilities(final, label_count, unknown_view, known.axes, run), c};
  if (one_label) add_up_to_one(result.scores, label_count);
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
