#include "explain/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "text/markup.h"
#include "text/strings.h"

namespace idne {
namespace {

/// Okabe and Ito's, and on dark pages lighter ones of the same hues.
constexpr std::array<std::pair<const char*, const char*>, kSvgColours> kShades{
    std::pair{"#0072b2", "#4fa8e0"}, std::pair{"#d55e00", "#ee7733"}, std::pair{"#009e73", "#2cc295"},
    std::pair{"#c45a94", "#e39bc4"}, std::pair{"#b87f00", "#e69f00"}, std::pair{"#2f8fc4", "#8fd0f5"},
    std::pair{"#7a6a9f", "#b6a6dd"}};

std::string shades(bool dark) {
  std::string css;
  for (std::size_t k = 0; k < kShades.size(); ++k) {
    css += fmt::format(".c{}{{color:{}}}", k, dark ? kShades[k].second : kShades[k].first);
  }
  return css;
}

/// About what a character takes in each size; fonts cannot be measured here.
constexpr double kPixelsPerColumn = 6.9, kPixelsPerMiddleColumn = 6.3, kPixelsPerSmallColumn = 5.6;

}  // namespace

std::string svg_head(double width, double height, std::string_view title, std::string_view subtitle) {
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
             "height=\"{1:.0f}\" role=\"img\" aria-label=\"{2}\">\n<style>\n"
             "text{{font-family:system-ui,-apple-system,\"Segoe UI\",Roboto,\"Helvetica Neue\",Arial,sans-serif;"
             "font-size:13px;fill:#1c1d20}}\n"
             ".page{{fill:#fdfdfb}}.title{{font-size:17px;font-weight:650}}.soft{{color:#9a9c98}}\n"
             "text.soft,.small{{font-size:10.5px;fill:#6a6d73}}.sub{{font-size:12px;fill:#5c5f66}}\n"
             ".end{{text-anchor:end}}.bold{{font-weight:650}}.number{{font-variant-numeric:tabular-nums}}\n"
             ".track{{fill:#ececE6}}.rule{{stroke:#dfdfda}}\n{3}\n"
             "@media (prefers-color-scheme:dark){{text{{fill:#e9e8e4}}.page{{fill:#15171b}}.soft{{color:#757983}}"
             "text.soft,.small{{fill:#9b9fa7}}.sub{{fill:#a3a6ad}}.track{{fill:#24272d}}.rule{{stroke:#33363d}}{4}}}\n"
             "</style>\n<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n",
             width, height, escape_markup(title), shades(false), shades(true)) +
         svg_text(28, 38, "title", title, width * 0.72) + svg_text(28, 58, "sub", subtitle, width - 56);
}

std::string svg_text(double x, double y, std::string_view css_class, std::string_view text, double pixels) {
  const bool middle = css_class == "sub";
  const bool small =
      css_class.find("soft") != std::string_view::npos || css_class.find("small") != std::string_view::npos;
  const double per_column = small ? kPixelsPerSmallColumn : middle ? kPixelsPerMiddleColumn : kPixelsPerColumn;
  const auto columns = static_cast<std::size_t>(std::max(1.0, pixels / per_column));
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\">{}</text>\n", x, y, css_class,
                     escape_markup(cut_to_columns(text, columns)));
}

}  // namespace idne
