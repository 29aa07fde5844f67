#pragma once

#include <vector>

#include "idne/matrix.h"
#include "methods/method.h"

namespace idne {

/// Text-associated DeepWalk (Yang et al., IJCAI 2015): M = (Â + Â²) / 2, what a walk of one or two steps from i
/// reaches, is factorised as Wᵀ H T, T being the documents' LSA vectors. A document's vector is its column of W joined
/// with its column of H T, both of unit length. A new document has no column of W: zeros stand there.
const Method& tadw_method();

struct TadwSettings {
  std::size_t rank;  ///< k: rows of W and of H
  double penalty;    ///< λ
  std::size_t rounds;
  std::uint64_t seed;
};

/// The factors, as maps from features: W = (M Tᵀ · w)ᵀ and H = h. Matrices are row after row.
struct TadwFactors {
  std::vector<float> w;            ///< feature × rank
  std::vector<float> h;            ///< rank × feature
  std::vector<double> objectives;  ///< after each half-step, less the constant |M|²
};

/// Minimises |M − Wᵀ H T|² + λ/2 (|W|² + |H|²) by turns, each half-step exactly. `features` is Tᵀ and `reached` is
/// M Tᵀ, document × feature both. That is all it needs of M: the best W for any H is a linear map of M Tᵀ, so the
/// rounds see only the two Gram matrices, and their cost does not depend on the number of documents.
TadwFactors tadw_factors(MatrixView features, MatrixView reached, const TadwSettings& settings, const Run& run);

}  // namespace idne
