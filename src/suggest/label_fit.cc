#include "suggest/label_fit.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/logistic.h"
#include "math/parallel.h"
#include "math/ranks.h"
#include "methods/sample.h"
#include "suggest/label_rows.h"

namespace idne {
namespace {

/// The one is taken with which documents that were held out have the most probable labels: how much a corpus wants
/// differs. Classes are not balanced, because probabilities are wanted that are right as often as they say. How well
/// they are calibrated: docs/labels.md.
constexpr std::array kTriedC{3.0, 10.0, 30.0};
/// Held out is one document in five of so many at most, for the most frequent labels; with fewer the usual C stays.
constexpr std::size_t kFolds = 5, kMostTried = 4000, kFewestTried = 100, kMostLabelsTried = 60;

using Forecasts = std::vector<Forecasted>;

/// Of the rows that were held out.
Forecasts of_held_out(std::span<const float> margins, std::span<const char> positive) {
  Forecasts result;
  for (std::size_t r = 0; r < margins.size(); r += kFolds) result.push_back({margins[r], positive[r] != 0});
  return result;
}

/// Each process has those of its share of the labels: all get all.
void share_forecasts(Ranks& ranks, std::vector<Forecasts>& of_labels) {
  Packer own;
  const Share share = share_of(&ranks, of_labels.size());
  for (std::size_t n = share.begin; n < share.end; ++n) own.add_all(of_labels[n]);
  std::size_t n = 0;
  for (const Bytes& bytes : ranks.all_gather(own.bytes())) {
    for (Unpacker from(bytes); !from.done(); ++n) of_labels[n] = from.next_all<Forecasted>();
  }
}

/// Σ −log probability of what came.
double loss_of(std::span<const Forecasted> outcomes, double slope, double shift) {
  double loss = 0;
  for (const Forecasted& one : outcomes) {
    const double margin = (slope * static_cast<double>(one.log_odds) + shift) * (one.came ? 1 : -1);
    loss += margin > 0 ? std::log1p(std::exp(-margin)) : std::log1p(std::exp(margin)) - margin;
  }
  return loss;
}

}  // namespace

/// Newton's method; both are kept near 1 and 0, as by outcomes before these ones, so that a few say little.
LabelFit platt_scaling(std::span<const Forecasted> outcomes, LabelFit fit) {
  constexpr double kHold = 10;
  constexpr int kSteps = 30;
  for (int step = 0; step < kSteps; ++step) {
    double g0 = kHold * (fit.slope - 1), g1 = kHold * fit.shift, h00 = kHold, h01 = 0, h11 = kHold;
    for (const Forecasted& one : outcomes) {
      const auto x = static_cast<double>(one.log_odds);
      const double p = 1 / (1 + std::exp(-(fit.slope * x + fit.shift))), wrong = p - (one.came ? 1 : 0),
                   w = p * (1 - p);
      g0 += wrong * x, g1 += wrong;
      h00 += w * x * x, h01 += w * x, h11 += w;
    }
    const double det = h00 * h11 - h01 * h01;
    const double slope = (h11 * g0 - h01 * g1) / det, shift = (h00 * g1 - h01 * g0) / det;
    fit.slope = std::clamp(fit.slope - slope, 0.5, 3.0);
    fit.shift = std::clamp(fit.shift - shift, -2.0, 2.0);
    if (std::abs(slope) + std::abs(shift) < 1e-9) break;
  }
  return fit;
}

LabelFit choose_fit(const LabelledDocuments& documents, std::span<const std::uint32_t> useful, const Run& run) {
  LabelFit fit;
  if (useful.size() < kFewestTried) return fit;
  std::vector<std::uint32_t> chosen;
  for (const std::uint32_t n : even_sample(useful.size(), kMostTried)) chosen.push_back(useful[n]);
  const auto places = places_of_labels(chosen, documents.labels, documents.label_count);
  std::vector<std::size_t> labels;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const auto learned = std::ranges::count_if(places[k], [](std::uint32_t place) { return place % kFolds != 0; });
    if (learned >= static_cast<std::ptrdiff_t>(kFewestOfLabel) &&
        static_cast<std::size_t>(learned) < chosen.size() - chosen.size() / kFolds - 1) {
      labels.push_back(k);
    }
  }
  std::ranges::stable_sort(labels, std::ranges::greater{}, [&](std::size_t k) { return places[k].size(); });
  labels.resize(std::min(kMostLabelsTried, labels.size()));
  if (labels.empty()) return fit;
  labels = dealt(std::move(labels), places);
  const std::vector<float> vectors = unit_vectors(documents, chosen, run.threads);
  const LogisticRows rows(unit_words(documents, chosen), {vectors.data(), chosen.size(), documents.vectors.columns},
                          run);
  std::vector<char> takes_part(chosen.size(), 1);
  for (std::size_t r = 0; r < chosen.size(); r += kFolds) takes_part[r] = 0;
  std::array<std::vector<Forecasts>, kTriedC.size()> held_out;  // by C, then label
  for (auto& list : held_out) list.resize(labels.size());
  const Run alone{.threads = 1, .progress = {}, .stopped = run.stopped};
  const Share share = share_of(run.ranks, labels.size());
  const std::size_t own = share.end - share.begin;
  parallel_parts(run.threads, own, labels_together(own, chosen.size(), rows.features(), run.threads),
                 [&](std::size_t first, std::size_t last) {
                   const std::size_t begin = share.begin + first, end = share.begin + last;
                   std::vector<std::vector<char>> positive;
                   LogisticRegressions regressions(rows);
                   for (std::size_t n = begin; n < end; ++n) {
                     positive.emplace_back(chosen.size());
                     for (const std::uint32_t place : places[labels[n]]) positive.back()[place] = 1;
                     regressions.add(positive.back(), takes_part);
                   }
                   for (std::size_t c = 0; c < kTriedC.size(); ++c) {
                     regressions.fit(kTriedC[c], kTolerance, alone);
                     for (std::size_t n = begin; n < end; ++n) {
                       held_out[c][n] = of_held_out(regressions.margins(n - begin), positive[n - begin]);
                     }
                   }
                 });
  if (run.ranks) {
    for (auto& of_labels : held_out) share_forecasts(*run.ranks, of_labels);
  }
  double least = 0;
  Forecasts best;
  for (std::size_t n = 0; n < kTriedC.size(); ++n) {
    Forecasts all;
    for (const Forecasts& part : held_out[n]) all.insert(all.end(), part.begin(), part.end());
    const double loss = loss_of(all, 1, 0);
    if (n > 0 && loss >= least) continue;
    least = loss;
    fit.c = kTriedC[n];
    best = std::move(all);
  }
  return platt_scaling(best, fit);
}

}  // namespace idne
