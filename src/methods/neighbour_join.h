#pragma once

#include <memory>
#include <span>
#include <vector>

#include "idne/matrix.h"
#include "idne/model.h"
#include "idne/options.h"
#include "idne/run.h"
#include "network/network.h"

namespace idne {

/// The network's own view of its documents: a text vector joined with its mean over some hops of neighbours. Twice as
/// wide as the text vector. Any method's vectors can be joined.
///
/// Each half is scaled along the directions in which the documents lie, the more the more of them do, and has unit
/// length: where few documents have labels, the many without tell which directions matter (docs/preset.md).
class NeighbourJoin {
 public:
  /// How much the halves are stretched: chosen once (docs/preset.md), measured again by scripts/results.
  static constexpr double kStretch = 0.225;
  struct Plan {
    std::size_t hops = 0;  ///< 0: not joined
    double stretch = kStretch;
  };
  /// The options of training that say so, and what they say; not joined where the table lacks them.
  static std::vector<OptionSpec> options();
  static Plan plan(const Options& options);

  /// `hop_vectors` are those of 0 … H − 1 hops for documents joined over H. Both must live as long.
  NeighbourJoin(MatrixView hop_vectors, std::size_t documents, MatrixView scaling)
      : hop_vectors_(hop_vectors), documents_(documents), scaling_(scaling) {}
  /// That of a model, which must live as long; nothing if its documents are not joined.
  static std::unique_ptr<NeighbourJoin> of(const Model& model);

  /// Of a joined vector.
  std::size_t dimensions() const { return 2 * hop_vectors_.columns; }
  /// The joined vector of a new document that has links to `neighbours`; `text` is its text vector. Without neighbours
  /// its mean is its own text vector.
  void join(std::span<const float> text, std::span<const std::uint32_t> neighbours, std::span<float> out) const;
  /// What hop_vectors() would have for it, but for the last hop: one row after the other.
  std::vector<float> hop_rows(std::span<const float> text, std::span<const std::uint32_t> neighbours) const;
  std::size_t hops() const { return hop_vectors_.rows / documents_; }
  /// For a text without neighbours: the vector whose product with `text` is that of its joined vector with `other`.
  std::vector<double> direction(std::span<const float> other, std::span<const double> text) const;

  /// Puts joined vectors in the place of a model's text vectors, and keeps what a new document needs to be joined.
  static void join_model(Model& model, const Network& network, const Plan& plan, const Run& run);
  /// The joined vectors of documents that have these text vectors.
  static std::vector<float> join_all(MatrixView text, const Network& network, const Plan& plan, const Run& run);

  /// Rows for 0, 1 … `hops` hops, one below the other: the text vectors at unit length, then each time the means of the
  /// rows before over the document itself and its neighbours. (hops + 1) · documents rows.
  static std::vector<float> hop_vectors(MatrixView text, const Network& network, std::size_t hops, int threads);
  /// What both halves are multiplied by, one below the other: G^stretch for each, where G is the Gram matrix of the
  /// half's directions over the documents. Symmetric.
  static std::vector<float> spectral_scaling(MatrixView hop_vectors, std::size_t documents, double stretch,
                                             const Run& run);
  /// The documents' joined vectors, of all their hop vectors.
  static std::vector<float> join_documents(MatrixView hop_vectors, std::size_t documents, MatrixView scaling,
                                           int threads);

 private:
  /// From a text's mean over some hops to that over one more.
  void to_next_hop(std::span<const std::uint32_t> neighbours, std::size_t hop, std::vector<float>& mean) const;

  MatrixView hop_vectors_;
  std::size_t documents_;
  MatrixView scaling_;
};

}  // namespace idne
