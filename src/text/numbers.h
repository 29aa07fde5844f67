#pragma once

#include <cstdint>
#include <string>

namespace idne {

/// A number as people read it: 12,345. Digits that are given may have a sign and decimals.
std::string with_commas(std::uint64_t number);
std::string with_commas(std::string digits);

}  // namespace idne
