#pragma once

#include <cstdint>
#include <vector>

#include "idne/text.h"

namespace idne {

/// Up to `most` of the numbers below `count`, evenly spread, rising; all of them if there are no more. Within its even
/// part each is drawn, so that documents that come in turns are not left out; always the same ones.
std::vector<std::uint32_t> even_sample(std::size_t count, std::size_t most);

/// The bags of words of these documents.
CountMatrix rows_of(const CountMatrix& counts, const std::vector<std::uint32_t>& documents);

}  // namespace idne
