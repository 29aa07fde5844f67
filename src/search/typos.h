#pragma once

#include <string_view>

namespace idne {

/// Whether two texts (UTF-8) differ by one slip of the hand: a character that is too much, missing or another one, or
/// two neighbours that have changed places. Not for equal texts.
bool one_typo_apart(std::string_view a, std::string_view b);

/// Whether a word or a title is long enough that one slip leaves no doubt which was meant: four characters.
bool forgives_typos(std::string_view text);

}  // namespace idne
