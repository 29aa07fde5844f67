#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace idne {

/// A number as people read it: 12,345. Digits that are given may have a sign and decimals.
std::string with_commas(std::uint64_t number);
std::string with_commas(std::string digits);
/// "1 document", "2,000 documents".
std::string counted(std::uint64_t count, std::string_view one, std::string_view many);

}  // namespace idne
