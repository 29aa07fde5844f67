#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "evaluate/plot_axis.h"
#include "evaluate/report.h"
#include "text/markup.h"

namespace idne {
namespace {

constexpr double kWidth = 640, kHeight = 400, kRight = 616, kLegendRow = 20, kMarkerSize = 4;

/// Okabe and Ito's colours, which colour-blind readers tell apart; on dark pages lighter ones of the same hues, and
/// their yellow, which white paper swallows, for the sky blue that is too near to the lighter blue.
constexpr std::array kColours{std::pair{"#0072b2", "#4fa8e0"}, std::pair{"#d55e00", "#ee7733"},
                              std::pair{"#009e73", "#2cc295"}, std::pair{"#c45a94", "#e39bc4"},
                              std::pair{"#e69f00", "#e69f00"}, std::pair{"#56b4e9", "#f0e442"},
                              std::pair{"#666666", "#bbbbbb"}};
/// Not as many as colours, so that the pairs of the two repeat late.
constexpr std::size_t kShapes = 6;

struct Point {
  double x, y, half;
};

struct Line {
  std::string name;
  std::vector<Point> points;  ///< by rising x
};

std::string escaped(std::string_view text) { return escape_markup(one_line(text)); }

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// Cut to what fits in so many pixels at about so many per character: no font can be measured here.
std::string cut(std::string_view raw, double pixels, double per_character) {
  const std::string text = one_line(raw);
  const auto most = static_cast<std::size_t>(std::max(1.0, pixels / per_character));
  if (characters(text) <= most) return text;
  std::size_t at = 0;
  for (std::size_t seen = 0; at < text.size(); ++at) {
    if ((static_cast<unsigned char>(text[at]) & 0xC0) != 0x80 && ++seen >= most) break;
  }
  return text.substr(0, at) + "…";
}

/// The points that can be drawn.
Line line_of(const Series& series, bool logarithmic_x) {
  const auto usable = [](double value) { return std::isfinite(value) && std::abs(value) < 1e100; };
  Line line{series.name, {}};
  for (std::size_t k = 0; k < std::min(series.x.size(), series.mean.size()); ++k) {
    const double x = series.x[k], y = series.mean[k];
    const double half = k < series.half_width.size() ? series.half_width[k] : 0;
    if (!usable(x) || !usable(y) || (logarithmic_x && x <= 0)) continue;
    line.points.push_back({x, y, usable(half) ? std::abs(half) : 0});
  }
  std::stable_sort(line.points.begin(), line.points.end(), [](const Point& a, const Point& b) { return a.x < b.x; });
  return line;
}

std::string style() {
  const auto colours = [](bool dark) {
    std::string text;
    for (std::size_t k = 0; k < kColours.size(); ++k) {
      text += fmt::format(".s{}{{color:{}}}", k, dark ? kColours[k].second : kColours[k].first);
    }
    return text;
  };
  return fmt::format(
      "<style>\n"
      "text{{font-family:system-ui,-apple-system,\"Segoe UI\",Roboto,\"Helvetica "
      "Neue\",Arial,sans-serif;font-size:12px;"
      "fill:#333}}\n.title{{font-size:15px;font-weight:600;fill:#111}}.tick{{font-size:11px;fill:#555}}\n"
      ".page{{fill:#fff}}.mark{{stroke:#fff}}.grid{{stroke:#e4e4e4}}.axis{{stroke:#888}}\n{}\n"
      "@media (prefers-color-scheme:dark){{\n"
      "text{{fill:#ccc}}.title{{fill:#eee}}.tick{{fill:#aaa}}\n"
      ".page{{fill:#161a1f}}.mark{{stroke:#161a1f}}.grid{{stroke:#2c323a}}.axis{{stroke:#7d858f}}\n{}\n}}\n</style>\n",
      colours(false), colours(true));
}

std::string polygon(double x, double y, std::initializer_list<std::pair<double, double>> corners) {
  std::string points;
  for (const auto& [dx, dy] : corners) {
    points += fmt::format("{}{:.1f},{:.1f}", points.empty() ? "" : " ", x + dx * kMarkerSize, y + dy * kMarkerSize);
  }
  return fmt::format("<polygon points=\"{}\"/>", points);
}

std::string marker(std::size_t shape, double x, double y) {
  switch (shape % kShapes) {
    case 0:
      return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"/>", x, y, kMarkerSize);
    case 1:
      return polygon(x, y, {{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}});
    case 2:
      return polygon(x, y, {{0, -1.25}, {1.15, 0.85}, {-1.15, 0.85}});
    case 3:
      return polygon(x, y, {{0, -1.35}, {1.35, 0}, {0, 1.35}, {-1.35, 0}});
    case 4:
      return polygon(x, y, {{0, 1.25}, {1.15, -0.85}, {-1.15, -0.85}});
    default:
      return polygon(x, y,
                     {{-0.4, -1.3},
                      {0.4, -1.3},
                      {0.4, -0.4},
                      {1.3, -0.4},
                      {1.3, 0.4},
                      {0.4, 0.4},
                      {0.4, 1.3},
                      {-0.4, 1.3},
                      {-0.4, 0.4},
                      {-1.3, 0.4},
                      {-1.3, -0.4},
                      {-0.4, -0.4}});
  }
}

/// Lines that have the colour of an earlier one are dashed.
std::string_view dashes(std::size_t number) { return number / kColours.size() % 2 ? " stroke-dasharray=\"6 4\"" : ""; }

struct Legend {
  std::string svg;
  double bottom;
};

/// Rows of names above the axes, where no line can be.
Legend legend(const std::vector<Line>& lines, double left, double top) {
  constexpr double kKey = 34, kGap = 18, kPerCharacter = 6.8;
  Legend result{"", top};
  double x = left, y = top + kLegendRow / 2;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    if (lines[k].name.empty()) continue;
    const std::string full = lines[k].points.empty() ? lines[k].name + " (no figures)" : lines[k].name;
    const std::string name = cut(full, kRight - left - kKey, kPerCharacter);
    const double width = kKey + kPerCharacter * static_cast<double>(characters(name));
    if (x > left && x + width > kRight) {
      x = left;
      y += kLegendRow;
    }
    result.svg += fmt::format(
        "<g class=\"s{}\" fill=\"currentColor\"><path d=\"M{:.1f} {:.1f}h26\" stroke=\"currentColor\" "
        "stroke-width=\"2\"{}/>{}<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text></g>\n",
        k % kColours.size(), x, y, dashes(k), marker(k, x + 13, y), x + kKey, y + 4, escaped(name));
    result.bottom = y + kLegendRow / 2;
    x += width + kGap;
  }
  return result;
}

/// The mean ± half_width of every point, as one shape around the line; of a point alone, a bar.
std::string band(const Line& line, const Axis& x_axis, const Axis& y_axis) {
  const auto& points = line.points;
  if (std::all_of(points.begin(), points.end(), [](const Point& point) { return point.half == 0; })) return "";
  const auto at = [&](const Point& point, double sign) {
    return fmt::format("{:.1f},{:.1f}", x_axis.pixel(point.x), y_axis.pixel(point.y + sign * point.half));
  };
  if (points.size() == 1) {
    return fmt::format("<path d=\"M{} L{}\" stroke=\"currentColor\" stroke-width=\"6\" opacity=\"0.3\"/>",
                       at(points[0], 1), at(points[0], -1));
  }
  std::string corners;
  for (const Point& point : points) corners += at(point, 1) + " ";
  for (auto point = points.rbegin(); point != points.rend(); ++point) corners += at(*point, -1) + " ";
  corners.pop_back();
  return fmt::format("<polygon points=\"{}\" fill=\"currentColor\" opacity=\"0.16\"/>", corners);
}

std::string stroke(const Line& line, std::size_t number, const Axis& x_axis, const Axis& y_axis) {
  std::string points, markers;
  for (const Point& point : line.points) {
    const double x = x_axis.pixel(point.x), y = y_axis.pixel(point.y);
    points += fmt::format("{}{:.1f},{:.1f}", points.empty() ? "" : " ", x, y);
    markers += marker(number, x, y);
  }
  return fmt::format(
      "<polyline points=\"{}\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"2\" stroke-linejoin=\"round\"{}/>"
      "<g class=\"mark\" fill=\"currentColor\">{}</g>",
      points, dashes(number), markers);
}

}  // namespace

std::string as_svg(const Plot& plot) {
  std::vector<Line> lines;
  std::vector<double> xs, ys;
  for (const Series& series : plot.series) {
    lines.push_back(line_of(series, plot.logarithmic_x));
    for (const Point& point : lines.back().points) {
      xs.push_back(point.x);
      ys.insert(ys.end(), {point.y - point.half, point.y + point.half});
    }
  }
  constexpr double kBelow = 50, kInset = 14;
  std::size_t label_characters = 1;
  const Axis labels_only = Axis::rounded(ys, 1, 0);
  for (const Tick& tick : labels_only.ticks()) {
    label_characters = std::max(label_characters, tick.label.size());
  }
  const double left = (plot.y_label.empty() ? 20 : 40) + 6.5 * static_cast<double>(label_characters);
  const Legend keys = legend(lines, left, plot.title.empty() ? 10 : 38);
  const double top = keys.bottom + 12;
  // A legend of several rows makes the picture higher, not the axes smaller.
  const double height = kHeight + std::max(0.0, keys.bottom - 38 - kLegendRow), bottom = height - kBelow;
  const Axis x_axis = Axis::fitted(xs, plot.logarithmic_x, left + kInset, kRight - kInset);
  const Axis y_axis = Axis::rounded(ys, bottom, top);
  const double middle = (left + kRight) / 2;

  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "role=\"img\">\n<title>{2}</title>\n{3}<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n",
      kWidth, height, escaped(plot.title), style());
  if (!plot.title.empty()) {
    svg += fmt::format("<text class=\"title\" x=\"{:.1f}\" y=\"26\">{}</text>\n", left,
                       escaped(cut(plot.title, kRight - left, 7.8)));
  }
  svg += keys.svg;
  for (const Tick& tick : y_axis.ticks()) {
    const double y = y_axis.pixel(tick.value);
    svg += fmt::format(
        "<path class=\"grid\" d=\"M{:.1f} {:.1f}H{:.1f}\"/><text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" "
        "text-anchor=\"end\">{}</text>\n",
        left, y, kRight, left - 8, y + 4, tick.label);
  }
  for (const Tick& tick : x_axis.ticks()) {
    const double x = x_axis.pixel(tick.value);
    svg += fmt::format(
        "<path class=\"grid\" d=\"M{:.1f} {:.1f}V{:.1f}\"/><text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" "
        "text-anchor=\"middle\">{}</text>\n",
        x, top, bottom, x, bottom + 18, tick.label);
  }
  svg += fmt::format("<path class=\"axis\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n", left, bottom, kRight);
  svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", middle, height - 12,
                     escaped(cut(plot.x_label, kRight - left, 6.8)));
  svg += fmt::format("<text transform=\"translate(20 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                     (top + bottom) / 2, escaped(cut(plot.y_label, bottom - top, 6.8)));
  const auto each_line = [&](const auto& drawn) {
    for (std::size_t k = 0; k < lines.size(); ++k) {
      const std::string shape = lines[k].points.empty() ? "" : drawn(k);
      if (!shape.empty()) svg += fmt::format("<g class=\"s{}\">{}</g>\n", k % kColours.size(), shape);
    }
  };
  each_line([&](std::size_t k) { return band(lines[k], x_axis, y_axis); });
  each_line([&](std::size_t k) { return stroke(lines[k], k, x_axis, y_axis); });
  if (xs.empty()) {
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">no figures</text>\n", middle,
                       (top + bottom) / 2);
  }
  return svg + "</svg>\n";
}

}  // namespace idne
