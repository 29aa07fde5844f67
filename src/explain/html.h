#pragma once

#include <string>
#include <string_view>

namespace idne {

/// Any bytes as HTML text, also inside quoted attributes: markup escaped, line ends as "\n", other control characters
/// as their pictures (␀, ␛ …), broken UTF-8 as U+FFFD.
std::string html_text(std::string_view bytes);

}  // namespace idne
