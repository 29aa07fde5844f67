#include "math/logistic.h"

#include <gtest/gtest.h>
#include <linear.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "math/random.h"
#include "with_threads.h"

namespace idne {
namespace {

struct Data {
  std::size_t rows, columns;
  std::vector<float> x;
  std::vector<char> positive, takes_part;

  MatrixView view() const { return {x.data(), rows, columns}; }
};

/// Rows at unit length; a row is positive if a random plane says so, up to `noise`, until there are `positives`.
Data random_data(std::size_t rows, std::size_t columns, std::size_t positives, double noise, std::uint64_t seed) {
  Random random(seed, Purpose::Generate, 0);
  Data data{rows, columns, {}, std::vector<char>(rows), std::vector<char>(rows, 1)};
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<double> row(columns);
    double square = 0;
    for (double& v : row) v = random.uniform() - 0.4, square += v * v;
    for (const double v : row) data.x.push_back(static_cast<float>(v / std::sqrt(square)));
    order.emplace_back(row[0] / std::sqrt(square) + noise * (random.uniform() - 0.5), r);
  }
  std::sort(order.begin(), order.end());
  for (std::size_t k = 0; k < positives; ++k) data.positive[order[k].second] = 1;
  return data;
}

/// What LIBLINEAR finds for the rows that take part.
std::vector<double> liblinear(const Data& data, double c, bool balanced = true) {
  set_print_string_function([](const char*) {});
  const std::size_t width = data.columns + 2;
  std::vector<feature_node> nodes(data.rows * width);
  std::vector<feature_node*> x;
  std::vector<double> y;
  double positives = 0;
  for (std::size_t r = 0; r < data.rows; ++r) {
    if (!data.takes_part[r]) continue;
    feature_node* at = &nodes[r * width];
    x.push_back(at);
    y.push_back(data.positive[r] ? 1 : -1);
    positives += data.positive[r];
    for (std::size_t d = 0; d < data.columns; ++d) *at++ = {static_cast<int>(d + 1), data.x[r * data.columns + d]};
    *at++ = {static_cast<int>(data.columns + 1), 1.0};
    *at = {-1, 0.0};
  }
  const auto n = static_cast<double>(x.size());
  problem all{static_cast<int>(x.size()), static_cast<int>(data.columns + 1), y.data(), x.data(), -1};
  int labels[2] = {1, -1};
  double weights[2] = {n / (2 * positives), n / (2 * (n - positives))};
  parameter how{};
  how.solver_type = L2R_LR;
  how.eps = 1e-6;
  how.C = c;
  how.nr_weight = balanced ? 2 : 0;
  how.weight_label = labels;
  how.weight = weights;
  model* fitted = train(&all, &how);
  std::vector<double> solution(fitted->w, fitted->w + data.columns + 1);
  free_and_destroy_model(&fitted);
  return solution;
}

/// Compares weights, beside their length, and the log-odds of all rows.
void expect_liblinears(const Data& data, const LogisticRegressions& found, std::size_t problem, double c,
                       bool balanced = true) {
  const auto truth = liblinear(data, c, balanced);
  const auto w = found.weights(problem), margins = found.margins(problem);
  double square = 0, difference = 0;
  for (std::size_t k = 0; k < truth.size(); ++k) {
    square += truth[k] * truth[k];
    difference += (truth[k] - static_cast<double>(w[k])) * (truth[k] - static_cast<double>(w[k]));
  }
  EXPECT_LT(std::sqrt(difference / square), 3e-3) << "c = " << c;
  for (std::size_t r = 0; r < data.rows; ++r) {
    double margin = truth.back();
    for (std::size_t d = 0; d < data.columns; ++d) {
      margin += truth[d] * static_cast<double>(data.x[r * data.columns + d]);
    }
    ASSERT_NEAR(1 / (1 + std::exp(-margin)), 1 / (1 + std::exp(-static_cast<double>(margins[r]))), 1e-3)
        << c << ", " << r;
  }
}

void expect_liblinears(const Data& data) {
  const LogisticRows rows(data.view(), {});
  LogisticRegressions regressions(rows);
  regressions.add_balanced(data.positive, data.takes_part);
  for (const double c : {1e-4, 1e-2, 1.0, 1e2, 1e4, 10.0}) {  // each begins at the one before
    regressions.fit(c, 1e-4, {});
    expect_liblinears(data, regressions, 0, c);
  }
}

TEST(LogisticRegressions, FindLiblinearsSolutionForBalancedClasses) {
  expect_liblinears(random_data(200, 20, 100, 0.5, 1));
}

TEST(LogisticRegressions, FindItForUnbalancedClasses) { expect_liblinears(random_data(301, 17, 20, 0.5, 2)); }

TEST(LogisticRegressions, FindItForSeparableClasses) { expect_liblinears(random_data(150, 10, 60, 0, 3)); }

TEST(LogisticRegressions, FindItForOnePositiveRow) {
  expect_liblinears(random_data(120, 12, 1, 0, 4));
  expect_liblinears(random_data(120, 12, 119, 0, 4));
}

TEST(LogisticRegressions, FindItForFewerRowsThanColumns) { expect_liblinears(random_data(30, 70, 12, 0.5, 5)); }

TEST(LogisticRegressions, FindItForSumsLongerThanATile) { expect_liblinears(random_data(700, 40, 150, 0.7, 6)); }

TEST(LogisticRegressions, FindItForTwoRows) { expect_liblinears(random_data(2, 3, 1, 0, 7)); }

TEST(LogisticRegressions, LeaveOutRowsThatTakeNoPart) {
  Data data = random_data(160, 15, 50, 0.5, 8);
  for (std::size_t r = 0; r < data.rows; r += 3) data.takes_part[r] = 0;
  expect_liblinears(data);
}

TEST(LogisticRegressions, LeaveClassesAsTheyAreUnlessTold) {
  for (const std::size_t positives : {3u, 60u, 290u}) {
    const Data data = random_data(300, 16, positives, 0.5, 11);
    const LogisticRows rows(data.view(), {});
    LogisticRegressions regressions(rows);
    regressions.add(data.positive);
    for (const double c : {0.1, 10.0, 1000.0}) {
      regressions.fit(c, 1e-4, {});
      expect_liblinears(data, regressions, 0, c, false);
    }
  }
}

TEST(LogisticRegressions, StopWhenToldTo) {
  const Data data = random_data(200, 20, 50, 0.5, 12);
  const LogisticRows rows(data.view(), {});
  for (const int stage : {0, 3, 10}) {
    LogisticRegressions regressions(rows);
    regressions.add(data.positive);
    int asked = 0;
    idne::Run run;
    run.stopped = [&] { return asked++ == stage; };
    EXPECT_THROW(regressions.fit(10, 1e-4, run), Interrupted);
  }
}

TEST(LogisticRegressions, DoNotDependOnWhichOthersAreSolvedBeside) {
  Data data = random_data(90, 33, 40, 0.5, 9);
  const LogisticRows rows(data.view(), {});
  LogisticRegressions many(rows);
  std::vector<Data> problems;
  for (std::uint64_t k = 0; k < 15; ++k) {  // more than two tiles
    problems.push_back(data);
    for (std::size_t r = k; r < 90; r += k + 2) problems.back().positive[r] ^= 1;
    many.add_balanced(problems.back().positive, problems.back().takes_part);
  }
  many.fit(10, 0.01, {});
  for (std::size_t k = 0; k < problems.size(); ++k) {
    LogisticRegressions alone(rows);
    alone.add_balanced(problems[k].positive, problems[k].takes_part);
    alone.fit(10, 0.01, with_threads(k % 2 ? 3 : 1));
    const auto a = many.weights(k), b = alone.weights(0);
    EXPECT_EQ(std::vector(a.begin(), a.end()), std::vector(b.begin(), b.end())) << k;
  }
}

/// The first columns of a random problem, most of them zeros, as sparse features, and the others as dense ones.
struct Mixed {
  Data data;
  SparseFeatures sparse;
  std::vector<float> dense;
  std::size_t dense_columns;

  Mixed(Data whole, std::size_t sparse_columns, std::uint64_t seed)
      : data(std::move(whole)), sparse(sparse_columns), dense_columns(data.columns - sparse_columns) {
    Random random(seed, Purpose::HeldOut, 0);
    for (std::size_t r = 0; r < data.rows; ++r) {
      float* row = data.x.data() + r * data.columns;
      for (std::uint32_t c = 0; c < sparse_columns; ++c) {
        if (random.uniform() < 0.8) row[c] = 0;
        row[c] *= 3;
        if (row[c] != 0) sparse.add(c, row[c]);
      }
      sparse.end_row();
      dense.insert(dense.end(), row + sparse_columns, row + data.columns);
    }
  }
  LogisticRows rows() const { return {sparse, {dense.data(), data.rows, dense_columns}, {}}; }
};

TEST(LogisticRegressions, FindLiblinearsSolutionForSparseFeaturesBesideDenseOnes) {
  for (const std::size_t sparse_columns : {1u, 25u, 39u, 40u}) {  // the last: no dense ones
    const Mixed mixed(random_data(300, 40, 90, 0.5, 13), sparse_columns, 14);
    const LogisticRows rows = mixed.rows();
    EXPECT_EQ(rows.features(), 40u);
    LogisticRegressions regressions(rows);
    regressions.add(mixed.data.positive);
    regressions.add_balanced(mixed.data.positive, mixed.data.takes_part);
    for (const double c : {0.1, 10.0, 1000.0}) {
      regressions.fit(c, 1e-4, {});
      expect_liblinears(mixed.data, regressions, 0, c, false);
      expect_liblinears(mixed.data, regressions, 1, c, true);
    }
  }
}

TEST(LogisticRegressions, FindItWhereStepsAreSearchedForOnSomeOfTheRows) {
  for (const std::size_t positives : {6u, 70u, 1300u}) {
    const Mixed mixed(random_data(4000, 40, positives, 0.5, 17), 25, 18);
    const LogisticRows rows = mixed.rows();
    LogisticRegressions regressions(rows);
    regressions.add(mixed.data.positive);
    for (const double c : {0.1, 10.0, 1000.0}) {
      regressions.fit(c, 1e-4, {});
      expect_liblinears(mixed.data, regressions, 0, c, false);
    }
  }
}

/// Of so many rows; more than two sets of lanes.
void expect_independent(std::size_t row_count) {
  const Mixed mixed(random_data(row_count, 50, row_count / 3, 0.5, 15), 41, 16);
  const LogisticRows rows = mixed.rows();
  LogisticRegressions many(rows);
  std::vector<std::vector<char>> classes;
  for (std::size_t k = 0; k < 37; ++k) {
    classes.push_back(mixed.data.positive);
    for (std::size_t r = k; r < row_count; r += k + 2) classes.back()[r] ^= 1;
    many.add(classes.back());
  }
  many.fit(10, 0.001, with_threads(3));
  for (std::size_t k = 0; k < classes.size(); ++k) {
    LogisticRegressions alone(rows);
    alone.add(classes[k]);
    alone.fit(10, 0.001, {});
    const auto a = many.weights(k), b = alone.weights(0);
    EXPECT_EQ(std::vector(a.begin(), a.end()), std::vector(b.begin(), b.end())) << k;
  }
}

TEST(LogisticRegressions, WithSparseFeaturesDoNotDependOnOthersNorOnThreads) {
  expect_independent(120);
  expect_independent(2500);
}

TEST(LogisticRegressions, StopAtASmallGradient) {
  const Data data = random_data(200, 20, 50, 0.5, 10);
  const LogisticRows rows(data.view(), {});
  LogisticRegressions regressions(rows);
  regressions.add_balanced(data.positive, data.takes_part);
  for (const double tolerance : {0.1, 0.01, 1e-4}) {
    regressions.fit(1, tolerance, {});
    double square = 0;  // of the gradient, in double precision
    std::vector<double> gradient(21), at_zero(21);
    const auto w = regressions.weights(0);
    for (std::size_t r = 0; r < 200; ++r) {
      double margin = static_cast<double>(w[20]);
      const auto x = [&](std::size_t d) { return d < 20 ? static_cast<double>(data.x[r * 20 + d]) : 1.0; };
      for (std::size_t d = 0; d < 20; ++d) margin += static_cast<double>(w[d]) * x(d);
      const double sign = data.positive[r] ? 1 : -1, weight = data.positive[r] ? 2.0 : 200.0 / 300;
      for (std::size_t d = 0; d < 21; ++d) {
        gradient[d] -= weight * sign * x(d) / (1 + std::exp(sign * margin));
        at_zero[d] -= weight * sign * x(d) / 2;
      }
    }
    double zero_square = 0;
    for (std::size_t d = 0; d < 21; ++d) {
      gradient[d] += static_cast<double>(w[d]);
      square += gradient[d] * gradient[d], zero_square += at_zero[d] * at_zero[d];
    }
    EXPECT_LE(std::sqrt(square / zero_square), 1.05 * tolerance * 0.25) << tolerance;
    EXPECT_NEAR(regressions.gradient_ratio(0), std::sqrt(square / zero_square), 1e-5);
  }
}

TEST(LogisticRegressions, TakeRowsOfZeros) {
  const Data data{4, 3, std::vector<float>(12), {1, 0, 0, 0}, {1, 1, 1, 1}};
  const LogisticRows rows(data.view(), {});
  LogisticRegressions regressions(rows);
  regressions.add_balanced(data.positive, data.takes_part);
  regressions.fit(1e4, 0.01, {});
  for (const float w : regressions.weights(0)) EXPECT_NEAR(w, 0, 1e-3);
}

}  // namespace
}  // namespace idne
