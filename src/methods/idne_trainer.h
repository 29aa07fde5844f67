#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "corpus/corpus.h"
#include "idne/run.h"
#include "math/dimension_team.h"
#include "methods/attention.h"
#include "methods/idne_batch.h"
#include "model/saved_state.h"

namespace idne {

struct IdneSettings {
  std::size_t topics = 32;
  std::size_t dimensions = 256;
  std::size_t batch = 16;
  std::uint64_t seed = 1;
  double learning_rate = 1e-3;
  std::uint64_t decay_over = 0;  ///< steps over which the learning rate falls to zero, evenly; 0: it stays
  Activation activation = Activation::Relu;
  Sampling sampling = Sampling::Node;
  Similarity similarity = Similarity::Paths;
  std::size_t most_words = 0;  ///< of a document that take part in a step; 0: all
};

/// Random vectors to begin with: normal, cut at two standard deviations, variance 2.6 / rows.
std::vector<float> random_start(std::size_t rows, std::size_t dimensions, std::uint64_t seed, bool topics, int threads);

/// Trains the word vectors on the network (DESIGN section 2), cut by dimension between the threads (section 4).
///
/// The attention's columns sum to one, so a document's vector is the mean of its active words' vectors, and the exact
/// gradient of the topics is zero: topics decide which words are active and never move. docs/method.md shows this.
class IdneTrainer {
 public:
  /// Vectors are row after row; `corpus` must outlive the trainer. At most one thread per block of dimensions is used;
  /// the processes of a run share the blocks out.
  IdneTrainer(const Corpus& corpus, const IdneSettings& settings, const std::vector<float>& words,
              const std::vector<float>& topics, const Run& run);
  ~IdneTrainer();

  /// Trains `steps` more steps. Throws Interrupted when run.stopped says so; reports steps and the recent mean loss.
  void advance(std::uint64_t steps, const Run& run);
  std::uint64_t steps_done() const { return done_; }
  /// Mean loss of a pair over the last steps, up to 100 of them; NaN before the first.
  double recent_loss() const;

  /// All that the steps so far have led to, of `total`; and back into a trainer that has taken none.
  SavedState state(std::uint64_t total) const;
  void restore(const SavedState& state);

  /// The word vectors, row after row.
  std::vector<float> words() const;

 private:
  struct Slice;
  void fetch(std::uint64_t first, std::uint64_t last);
  Work step(Slice& slice, const Batch& batch, std::uint64_t step);
  Work find_inactive(Slice& slice, const Batch& batch);
  Work try_all_topics(Slice& slice, const Batch& batch);
  void mask_inactive(Slice& slice, const Batch& batch) const;
  Work gather_scores(Slice& slice) const;
  double find_gradients(Slice& slice) const;
  void note_loss(double loss, std::uint64_t step);

  const Corpus& corpus_;
  const IdneSettings settings_;
  const std::unique_ptr<const SimRankSamples> simrank_;  ///< null unless pairs are drawn by it
  const PairDraws draws_;
  /// Where documents are spread: the bags of the next steps' documents, and which of them each step has.
  CountMatrix fetched_;
  std::vector<std::vector<std::uint32_t>> fetched_rows_;
  std::vector<float> inverse_length_;  ///< of all documents, or of those that were fetched
  std::uint64_t done_ = 0;
  std::vector<double> recent_losses_;
  std::vector<Batch> prepared_;
  DimensionTeam team_;
  std::vector<std::unique_ptr<Slice>> slices_;  ///< one per member of the team
};

}  // namespace idne
