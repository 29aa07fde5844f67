#pragma once

#include <string>
#include <string_view>

namespace idne {

/// Any bytes as text of HTML, XML or SVG, also inside quoted attributes: markup escaped, line ends as "\n", other
/// control characters as their pictures (␀, ␛ …), broken UTF-8 as U+FFFD.
std::string escape_markup(std::string_view bytes);

}  // namespace idne
