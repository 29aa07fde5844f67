#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "math/dimension_team.h"
#include "math/svd.h"
#include "methods/method.h"
#include "model/saved_state.h"

namespace idne {

/// GVNR-t (Brochier, Guille, Velcin, 2019): u_i · mean(words of j) factorises how often i and j meet on random walks.
const Method& gvnrt_method();

struct GvnrtSettings {
  std::size_t dimensions = 256;
  std::size_t batch = 64;
  double learning_rate = 1e-3;
  std::uint64_t seed = 1;
};

/// A training step: `columns.size()` entries and then as many zero entries with the same columns.
struct GvnrtStep {
  std::vector<std::uint32_t> columns;  ///< j of entry q and of zero entry q
  std::vector<std::uint32_t> rows;     ///< i of the entries, then of the zero entries
  std::vector<float> targets;          ///< log(1 + x_ij) of the entries, then zeros
};

/// The steps of one epoch: each entry once, in random order.
class GvnrtEpoch {
 public:
  /// `counts` must outlive the epoch.
  GvnrtEpoch(const SparseRows& counts, const GvnrtSettings& settings, std::uint64_t epoch);
  std::uint64_t steps() const;
  /// Depends on (seed, epoch, step) alone. Zero entries are drawn until they are none of `counts`, within reason.
  GvnrtStep step(std::uint64_t step) const;

 private:
  const SparseRows& counts_;
  const GvnrtSettings settings_;
  std::uint64_t epoch_;
  std::vector<std::uint32_t> order_;
};

struct GvnrtParameters {
  std::vector<float> words;   ///< W, row after row
  std::vector<float> nodes;   ///< U, row after row
  std::vector<float> biases;  ///< b
};

/// Uniform in ± 1 / dimensions, as the authors start.
GvnrtParameters gvnrt_start(const Corpus& corpus, const GvnrtSettings& settings, int threads);

/// Σ (u_i · mean(words of j) + b_i − target)² by Adam, on the rows that a step touches. Dimensions are cut in blocks
/// that the members of a team share out, as in IdneTrainer: the same bits at any number of threads.
class GvnrtTrainer {
 public:
  GvnrtTrainer(const Corpus& corpus, const GvnrtSettings& settings, const GvnrtParameters& start, int threads);
  ~GvnrtTrainer();

  /// Trains the epoch's steps begin … end − 1; `total` steps there will be, for the report.
  void advance(const GvnrtEpoch& epoch, std::uint64_t begin, std::uint64_t end, std::uint64_t total, const Run& run);
  std::uint64_t steps_done() const;
  /// All that the steps so far have led to, of `total`; and back into a trainer that has taken none.
  SavedState state(std::uint64_t total) const;
  void restore(const SavedState& state);
  /// Mean squared error of an entry in the last steps; NaN before the first.
  double recent_loss() const { return recent_loss_; }

  GvnrtParameters parameters() const;

 private:
  struct Slice;
  struct Prepared;
  void prepare(Slice& slice, GvnrtStep step, Prepared& out) const;
  Work step(Slice& slice, const Prepared& prepared);
  Work find_scores(Slice& slice, const Prepared& prepared) const;
  double find_slopes(Slice& slice, const Prepared& prepared) const;
  void apply(Slice& slice, const Prepared& prepared) const;
  void note_loss(double loss);

  const Corpus& corpus_;
  const GvnrtSettings settings_;
  std::vector<float> inverse_length_;
  double recent_loss_;
  std::vector<Prepared> prepared_;
  DimensionTeam team_;
  std::vector<std::unique_ptr<Slice>> slices_;  ///< one per member of the team
};

}  // namespace idne
