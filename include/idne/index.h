#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "idne/model.h"
#include "idne/run.h"
#include "idne/search.h"

namespace idne {

struct IndexState;

/// The documents of a model, nearest first by cosine, in 0.1 to 0.2 ms where nearest() looks at all of them (63,620: 8
/// ms). Scores and their order are those of nearest(); beyond a few thousand documents some of the nearest may be
/// missing (recall), and documents with zero vectors are not found. Searches are safe from several threads at once.
/// Keeps the model's tensors alive; copies share everything.
class DocumentIndex {
 public:
  /// The same index at any number of threads, and on all run.ranks, which make it together. Throws Interrupted.
  static DocumentIndex build(const Model& model, const Run& run);
  /// One that is there at once, and looks at all documents.
  static DocumentIndex of_all(const Model& model);

  /// Up to `count` documents. Looks at all documents if there are few, or if many are asked for.
  std::vector<Hit> search(std::span<const float> query, std::size_t count) const;
  /// The documents nearest to one of them, without itself.
  std::vector<Hit> neighbours(std::size_t row, std::size_t count) const;

  /// Whether every search looks at all documents.
  bool exact() const;
  /// The share of the ten nearest that was found for 200 documents when the index was built; 1 if it is exact.
  double recall() const;
  /// The same, measured now: `count` nearest of `sample` documents spread over the corpus, themselves left out.
  double measure_recall(std::size_t sample, std::size_t count, const Run& run) const;

  /// For the library itself, which alone knows what a state is.
  explicit DocumentIndex(std::shared_ptr<const IndexState> state) : state_(std::move(state)) {}
  const IndexState& state() const { return *state_; }

 private:
  std::shared_ptr<const IndexState> state_;
};

}  // namespace idne
