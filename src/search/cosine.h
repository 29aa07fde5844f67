#pragma once

#include <cmath>
#include <span>

#include "idne/search.h"
#include "math/kernels.h"

namespace idne {

/// From a dot product and the product of both squared lengths. One function for all searches, so that they give the
/// same bits for the same two vectors.
inline float cosine(float product, float squares) { return squares > 0 ? product / std::sqrt(squares) : 0.0f; }

/// Of two vectors of the same length.
inline float cosine_of(std::span<const float> a, std::span<const float> b) {
  const auto product = [](std::span<const float> x, std::span<const float> y) {
    return dot(x.data(), y.data(), x.size());
  };
  return cosine(product(a, b), product(a, a) * product(b, b));
}

/// The order of every answer.
inline bool better(const Hit& a, const Hit& b) { return a.score != b.score ? a.score > b.score : a.row < b.row; }

}  // namespace idne
