#pragma once

#include <cmath>

#include "idne/search.h"

namespace idne {

/// From a dot product and the product of both squared lengths. One function for all searches, so that they give the
/// same bits for the same two vectors.
inline float cosine(float product, float squares) { return squares > 0 ? product / std::sqrt(squares) : 0.0f; }

/// The order of every answer.
inline bool better(const Hit& a, const Hit& b) { return a.score != b.score ? a.score > b.score : a.row < b.row; }

}  // namespace idne
