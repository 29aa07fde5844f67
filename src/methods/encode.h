#pragma once

#include <vector>

#include "idne/method.h"

namespace idne {

/// The vectors of all documents, row after row.
std::vector<float> encode_all(const CountMatrix& counts, const Encoder& encoder, const Run& run);

}  // namespace idne
