#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// What pictures of topics are put together from: SVG that follows the reader's light or dark theme.
namespace idne {

/// Colours that colour-blind readers tell apart are the classes c0 … c6, after that again; `soft` is none of them.
inline constexpr std::size_t kSvgColours = 7;

/// Opens a picture of so many pixels with a title at its top left; `close` with "</svg>\n".
std::string svg_head(double width, double height, std::string_view title, std::string_view subtitle);
/// A text at a place, cut to what fits into so many pixels; a class tells its size and colour.
std::string svg_text(double x, double y, std::string_view css_class, std::string_view text, double pixels);

}  // namespace idne
