#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "idne/run.h"
#include "math/dimension_team.h"
#include "math/window_kernels.h"
#include "model/saved_state.h"

namespace idne {

/// Learning rate times the pairs of a step that may move a document, at most. With more, a step's scores are too old
/// for its last updates, and vectors of documents that are in most windows would grow without end.
inline constexpr double kMostMoved = 1.6;

struct SkipGramSettings {
  std::size_t dimensions = 128;
  std::size_t negatives = 5;  ///< per window, drawn by whoever makes the steps
  double learning_rate = 0.025;
  double last_rate = 0.0001;  ///< that it falls to, evenly over the steps
  bool one_space = false;     ///< documents predict and are predicted with one vector, not two
  double true_bias = 0;       ///< taken off the score of a true pair before the sigmoid,
  double noise_bias = 0;      ///< and off that of another
};

/// A training step: windows, each of some inputs, one document that they predict, and `negatives` others that they do
/// not.
struct SkipGramStep {
  std::vector<std::uint32_t> inputs;    ///< of all windows, one after the other
  std::vector<std::uint32_t> begin{0};  ///< of each window in them, and an end
  std::vector<std::uint32_t> outputs;   ///< 1 + negatives per window, the true one first

  std::size_t windows() const { return begin.size() - 1; }
  void clear() { inputs.clear(), begin.assign(1, 0), outputs.clear(); }
  void end_window() { begin.push_back(static_cast<std::uint32_t>(inputs.size())); }
};

/// The steps of a training. They come in stretches, of which each is made ready before its first step; then any thread
/// may ask for any of its steps, and gets the same each time.
struct SkipGramSteps {
  std::uint64_t count;
  std::function<void(std::uint64_t step, SkipGramStep& out)> make;
  std::uint64_t stretch = UINT64_MAX;
  std::function<void(std::uint64_t number)> make_ready = {};
};

/// Skip-gram with negative sampling (Mikolov et al., 2013): Σ ln σ(u_i · v_j) for true pairs and ln σ(−u_i · v_k) for
/// others, by plain gradient steps. All scores of a step are taken before its first update; the updates follow window
/// by window, each of the vectors as the one before has left them. So many pairs with one document cannot be told from
/// each other by a step that it may overshoot: a document moves by no more pairs than kMostMoved / learning rate.
///
/// Dimensions are cut in blocks that the members of a team share out, as in IdneTrainer: the same bits at any number of
/// threads.
class SkipGramTrainer {
 public:
  /// `start` are the documents' vectors, row after row; in the other space they begin as zeros.
  SkipGramTrainer(std::size_t documents, const SkipGramSettings& settings, const std::vector<float>& start,
                  int threads);
  ~SkipGramTrainer();

  /// Takes those of the steps that are left.
  void advance(const SkipGramSteps& steps, const Run& run);
  std::uint64_t steps_done() const { return done_; }
  /// Mean loss of a window and input over the last steps; NaN before the first.
  double recent_loss() const { return recent_loss_; }
  /// All that the steps so far have led to, of `total`; and back into a trainer that has taken none.
  SavedState state(std::uint64_t total) const;
  void restore(const SavedState& state);

  /// The vectors that predict, row after row, and those that are predicted.
  std::vector<float> inputs() const { return vectors(&PairRows::inputs); }
  std::vector<float> outputs() const { return vectors(&PairRows::outputs); }

 private:
  struct Slice;
  struct Prepared;
  double rate(std::uint64_t step, std::uint64_t count) const;
  void find_scales(Slice& slice, Prepared& prepared) const;
  Work step(Slice& slice, const Prepared& prepared);
  void find_slopes(Slice& slice, const Prepared& prepared);
  std::vector<float> vectors(float* PairRows::*space) const;
  void fill(float* PairRows::*space, std::span<const float> vectors);

  const std::size_t documents_;
  const SkipGramSettings settings_;
  std::uint64_t done_ = 0;
  double recent_loss_;
  std::vector<Prepared> prepared_;
  DimensionTeam team_;
  std::vector<std::unique_ptr<Slice>> slices_;  ///< one per member of the team
};

}  // namespace idne
