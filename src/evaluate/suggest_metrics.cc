#include "evaluate/suggest_metrics.h"

#include <algorithm>
#include <cmath>

namespace idne {
namespace {

constexpr std::size_t kFirstLinks = 10, kFirstLabels = 3;

template <class T>
bool is_in(std::span<const std::uint32_t> sorted, T value) {
  return std::binary_search(sorted.begin(), sorted.end(), static_cast<std::uint32_t>(value));
}

/// Hits ÷ as many as there could have been.
double share_of_hits(std::size_t hits, std::size_t truth, std::size_t places) {
  return static_cast<double>(hits) / static_cast<double>(std::min(truth, places));
}

}  // namespace

std::span<const std::string_view> metrics_of(Task task) {
  static constexpr std::array<std::string_view, 1> kPaper{"micro_auc"};
  static constexpr std::array<std::string_view, 3> kLinks{"recall@10", "hit@10", "mrr"};
  static constexpr std::array<std::string_view, 4> kLabels{"p@1", "r@3", "micro_f1", "ece"};
  if (task == Task::SuggestLinks) return kLinks;
  if (task == Task::SuggestLabels) return kLabels;
  return kPaper;
}

bool less_is_better(std::string_view metric) { return metric == "ece"; }

void LinkScores::add(std::span<const std::uint32_t> ranked, std::span<const std::uint32_t> truth) {
  std::size_t hits = 0, first = 0;  // ranks begin at 1
  for (std::size_t k = 0; k < std::min(ranked.size(), kDeepestRank); ++k) {
    if (k >= kFirstLinks && first > 0) break;
    if (!is_in(truth, ranked[k])) continue;
    if (k < kFirstLinks) ++hits;
    if (first == 0) first = k + 1;
  }
  sums_[0] += share_of_hits(hits, truth.size(), kFirstLinks);
  sums_[1] += hits > 0 ? 1 : 0;
  sums_[2] += first > 0 ? 1 / static_cast<double>(first) : 0;
  ++documents_;
}

std::array<double, 3> LinkScores::figures() const {
  std::array<double, 3> means{};
  for (std::size_t k = 0; k < means.size(); ++k) {
    means[k] = documents_ == 0 ? std::nan("") : sums_[k] / static_cast<double>(documents_);
  }
  return means;
}

void LabelScores::add(std::span<const LabelGuess> guesses, std::span<const std::uint32_t> truth) {
  ++documents_;
  true_ += truth.size();
  if (guesses.empty()) return;  // nothing right, with probability 0: its bin's error is 0
  ++guessed_;
  broken_ = broken_ || std::isnan(guesses[0].probability);
  if (broken_) return;
  const bool right = is_in(truth, guesses[0].label);
  first_right_ += right;
  std::size_t hits = 0;
  for (const LabelGuess& guess : guesses.first(std::min(guesses.size(), kFirstLabels)))
    hits += is_in(truth, guess.label);
  recall_ += share_of_hits(hits, truth.size(), kFirstLabels);
  for (std::size_t k = 0; k < guesses.size() && (one_label_ ? k == 0 : guesses[k].probability >= 0.5); ++k) {
    ++chosen_;
    chosen_right_ += is_in(truth, guesses[k].label);
  }
  const double probability = std::clamp(guesses[0].probability, 0.0, 1.0);
  Bin& bin = bins_[std::min(kBins - 1, static_cast<std::size_t>(probability * kBins))];
  bin.probability += probability;
  bin.right += right;
}

std::array<double, 4> LabelScores::figures() const {
  if (guessed_ == 0 || broken_) return {std::nan(""), std::nan(""), std::nan(""), std::nan("")};
  const auto all = static_cast<double>(documents_);
  double error = 0;
  for (const Bin& bin : bins_) error += std::abs(bin.probability - bin.right);
  const double f1 = 2 * static_cast<double>(chosen_right_) / static_cast<double>(chosen_ + true_);
  return {first_right_ / all, recall_ / all, f1, error / all};
}

}  // namespace idne
