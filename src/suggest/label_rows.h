#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "math/ranks.h"
#include "math/sparse_features.h"
#include "suggest/label_head.h"

/// What labels are learned from.
namespace idne {

/// A tenth of LIBLINEAR's default: probabilities are then nearer to the optimum's than LIBLINEAR's are with its own
/// (the largest difference on Debian's packages is 0.010, its 0.023), in a thirtieth of its time.
inline constexpr double kTolerance = 0.001;
/// LIBLINEAR's own is enough where learning begins from a solution for nearly the same documents: what is left to move
/// is little.
inline constexpr double kToleranceNear = 0.01;
inline constexpr std::size_t kFewestOfLabel = 2;  // documents that a label needs to be learned

/// A bound for documents × labels × products with them that a label takes.
double most_label_work(std::size_t labels);

/// The documents that have labels and something to learn from, or an even sample of them. Where documents are spread
/// over ranks, those of them that are here: a meeting of all.
std::vector<std::uint32_t> documents_to_learn_from(const LabelledDocuments& documents, Ranks* ranks = nullptr);

/// Those documents of all ranks, on each of them. A meeting of all.
class GatheredDocuments {
 public:
  GatheredDocuments(const LabelledDocuments& own, std::span<const std::uint32_t> chosen, Ranks& ranks);
  LabelledDocuments view() const;

 private:
  Lists labels_;
  std::size_t label_count_, width_;
  std::vector<float> vectors_;
  std::optional<CountMatrix> words_;
  const Tfidf* tfidf_;
};

/// For each label the places of its documents among those to learn from.
std::vector<std::vector<std::uint32_t>> places_of_labels(std::span<const std::uint32_t> documents,
                                                         const ListsView& labels, std::size_t label_count);

/// Dealt out like cards, the most frequent first: any share of neighbours has frequent and rare ones.
std::vector<std::size_t> dealt(std::vector<std::size_t> labels, std::span<const std::vector<std::uint32_t>> places);

/// The labels that are learned with one set of vectors over the documents and features.
std::size_t labels_together(std::size_t labels, std::size_t documents, std::size_t features, int threads);

/// The documents' words at unit length.
SparseFeatures unit_words(const LabelledDocuments& documents, std::span<const std::uint32_t> chosen);

/// The vectors at unit length; none if there are none.
std::vector<float> unit_vectors(const LabelledDocuments& documents, std::span<const std::uint32_t> chosen, int threads);

}  // namespace idne
