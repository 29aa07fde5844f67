#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "idne/train.h"
#include "math/dense.h"
#include "math/kernels.h"
#include "math/random.h"
#include "methods/link_regression.h"
#include "suggest/label_rows.h"

namespace idne {
namespace {

constexpr std::size_t kWidth = 256;  // the default --dim

/// Seconds that a little of what training does takes here: sums of rows that lie far apart, and a dense product. The
/// least of several, because others may be using the machine.
double seconds_of_sample() {
  using Clock = std::chrono::steady_clock;
  constexpr std::size_t kRows = 8192, kTerms = 4096, kRounds = 5;
  std::vector<float> rows(kRows * kWidth, 0.5f), sum(kWidth), product(kWidth * kWidth);
  std::vector<Term> terms(kTerms);
  Random random(1, Purpose::Sample, 0);
  for (Term& term : terms) term = {random.below(kRows), 1};
  double least = 1e9;
  for (std::size_t round = 0; round < kRounds; ++round) {
    const auto start = Clock::now();
    for (int n = 0; n < 4; ++n) weighted_sum(rows.data(), kWidth, terms.data(), kTerms, kWidth, sum.data());
    multiply({{rows.data(), 1024, kWidth}, true}, {{rows.data(), 1024, kWidth}}, product, false, 1);
    least = std::min(least, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return least;
}

}  // namespace

Forecast forecast_training(const TrainingSize& size, int threads) {
  // Fitted by bench/forecast.py: each term is a thing that training holds or does for each document, word or label, but
  // how much of each is measured, not derived.
  const auto documents = static_cast<double>(size.documents), words = static_cast<double>(size.words);
  const double started = std::min(documents, static_cast<double>(kStartDocuments));
  const double vectors = 5.2 * static_cast<double>(size.vocabulary) + 3.0 * started + documents;
  constexpr double kVector = kWidth * sizeof(float), kMiB = 1024.0 * 1024;
  const double length = size.documents ? words / documents : 0;
  const double labels = std::max(1.0, static_cast<double>(size.labels));
  const double label_work = std::min(most_label_work(size.labels), documents * static_cast<double>(size.labels) *
                                                                       (12 + 1.4 * std::sqrt(documents / labels)));
  const double work = 0.6 + 3e-4 * started + 0.024 * length + 1.6e-6 * words + 2e-8 * label_work;

  constexpr double kSampleWhereFitted = 3e-3;    // seconds
  constexpr int kMostThreads = kWidth / kBlock;  // that share the steps
  const double seconds = work * seconds_of_sample() / kSampleWhereFitted;
  return {static_cast<std::uint64_t>(33 * kMiB + kVector * vectors + 30 * words),
          seconds / std::clamp(threads, 1, kMostThreads)};
}

}  // namespace idne
