#pragma once

#include <cstdint>
#include <vector>

#include "corpus/corpus.h"
#include "idne/matrix.h"
#include "idne/run.h"

namespace idne {

/// The documents' vectors beside their LSA vectors, both at unit length; LSA with the options that it comes with.
std::vector<float> joined_with_lsa(MatrixView vectors, const Corpus& corpus, std::size_t repeat, const Run& run);

}  // namespace idne
