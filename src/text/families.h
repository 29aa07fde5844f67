#pragma once

#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "text/languages.h"

namespace idne {

inline constexpr std::uint32_t kNoFamily = std::numeric_limits<std::uint32_t>::max();

/// Which words are forms of one, "shark" and "sharks", in any of these languages, or in English if there are none: they
/// have the same number. Words that name nothing, numbers, keys and function words of these languages, have kNoFamily.
std::vector<std::uint32_t> word_families(const std::vector<std::string_view>& words, LanguageSet languages);

}  // namespace idne
