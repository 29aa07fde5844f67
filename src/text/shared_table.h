#pragma once

#include <cstdint>
#include <vector>

#include "idne/string_table.h"
#include "math/ranks.h"

namespace idne {

/// Makes one table of those of all ranks: strings in the order of the ranks, and of each one's own numbers, as one
/// process that meets all of them would number them. The first `same` are the same on all already. Gives the new number
/// of each string. A meeting of all.
std::vector<std::uint32_t> share_table(Ranks& ranks, StringTable& table, std::size_t same = 0);

}  // namespace idne
