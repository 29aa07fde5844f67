#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "idne/evaluate.h"

/// How good suggestions are, where people look: at the first ones.
namespace idne {

/// The names of a task's metrics, in the order in which they are printed: "micro_auc" alone in the paper's tasks.
std::span<const std::string_view> metrics_of(Task task);
/// Whether the smallest figure is the best.
bool less_is_better(std::string_view metric);

/// Ranks beyond this one count as none.
inline constexpr std::size_t kDeepestRank = 1000;

/// Means over documents of recall@10 (hits among the first ten ÷ min(10, true ones)), hit@10 (any among the first ten),
/// and mrr (1 ÷ the rank of the first true one).
class LinkScores {
 public:
  /// `ranked` is best first; `truth` is sorted. REQUIRES: `truth` is not empty.
  void add(std::span<const std::uint32_t> ranked, std::span<const std::uint32_t> truth);
  /// NaN if nothing was added.
  std::array<double, 3> figures() const;

 private:
  std::array<double, 3> sums_{};
  std::size_t documents_ = 0;
};

struct LabelGuess {
  std::size_t label;
  double probability;
};

/// Means over documents of p@1 (the first label is true) and r@3 (hits among the first three ÷ min(3, true ones));
/// micro_f1 over all documents' labels of probability one half or more; and ece, the expected calibration error of the
/// first label: how far, in the mean over documents, the probability is from how often it was right, in ten bins.
class LabelScores {
 public:
  /// With one label per document, its first guess is what micro_f1 takes, however probable.
  explicit LabelScores(bool one_label) : one_label_(one_label) {}
  /// `guesses` are most probable first, and may be none; `truth` is sorted. REQUIRES: `truth` is not empty.
  void add(std::span<const LabelGuess> guesses, std::span<const std::uint32_t> truth);
  /// NaN if nothing was added, if for no document anything was guessed, or if a probability is not a number.
  std::array<double, 4> figures() const;

 private:
  struct Bin {
    double probability = 0, right = 0;  ///< sums
  };
  static constexpr std::size_t kBins = 10;

  bool one_label_, broken_ = false;
  std::size_t documents_ = 0, guessed_ = 0;
  double first_right_ = 0, recall_ = 0;
  std::size_t chosen_ = 0, chosen_right_ = 0, true_ = 0;
  std::array<Bin, kBins> bins_{};
};

}  // namespace idne
