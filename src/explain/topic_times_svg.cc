#include <fmt/format.h>

#include <algorithm>

#include "explain/svg.h"
#include "idne/topic_times.h"
#include "text/markup.h"
#include "text/numbers.h"

namespace idne {
namespace {

constexpr double kChartWidth = 292, kChartHeight = 64, kChartGap = 34, kChartTop = 96, kChartSide = 28, kPanel = 122;
constexpr std::size_t kChartsPerRow = 3;

/// One chart per topic, all over the same years, each as high as its topic's largest share.
class TimesPicture {
 public:
  explicit TimesPicture(const TopicTimes& times) : times_(times) {}

  std::string draw(const std::string& title) const {
    const std::size_t rows = (times_.names.size() + kChartsPerRow - 1) / kChartsPerRow;
    const double width = 2 * kChartSide + kChartsPerRow * kChartWidth + (kChartsPerRow - 1) * kChartGap;
    std::uint64_t documents = 0;
    for (const std::uint64_t count : times_.documents) documents += count;
    std::string svg =
        svg_head(width, kChartTop + static_cast<double>(rows) * kPanel + 8, title,
                 fmt::format("Mean share of each topic in a {}’s documents, {} to {} ({}); each chart from 0 to its "
                             "topic’s largest share.",
                             times_.by == Period::Year ? "year" : "month", times_.periods.front(),
                             times_.periods.back(), counted(documents, "document", "documents")));
    for (std::size_t k = 0; k < times_.names.size(); ++k) {
      const std::size_t row = k / kChartsPerRow, column = k % kChartsPerRow;
      svg += chart(k, kChartSide + static_cast<double>(column) * (kChartWidth + kChartGap),
                   kChartTop + static_cast<double>(row) * kPanel);
    }
    return svg + "</svg>\n";
  }

 private:
  double x(std::size_t p) const {
    const auto first = static_cast<double>(times_.places.front()), last = static_cast<double>(times_.places.back());
    return last > first ? (static_cast<double>(times_.places[p]) - first) / (last - first) * kChartWidth
                        : kChartWidth / 2;
  }

  /// Stretches of periods without a hole between them: [begin, end).
  std::vector<std::pair<std::size_t, std::size_t>> stretches() const {
    std::vector<std::pair<std::size_t, std::size_t>> all;
    for (std::size_t p = 0; p < times_.places.size(); ++p) {
      const bool goes_on = p > 0 && times_.places[p] == times_.places[p - 1] + 1;
      if (goes_on) {
        all.back().second = p + 1;
      } else {
        all.emplace_back(p, p + 1);
      }
    }
    return all;
  }

  std::string chart(std::size_t k, double left, double top) const {
    const std::vector<double>& shares = times_.shares[k];
    const std::size_t peak = times_.peaks[k];
    const double most = *std::max_element(shares.begin(), shares.end()), base = top + 24 + kChartHeight;
    const auto y = [&](std::size_t p) { return base - (most > 0 ? shares[p] / most : 0) * kChartHeight; };
    std::string svg = fmt::format("<g class=\"c{}\"><title>{}</title>\n", k % kSvgColours,
                                  escape_markup(fmt::format("topic {}: {}", k + 1, times_.names[k])));
    svg += svg_text(left, top + 12, "bold", fmt::format("{}  {}", k + 1, times_.names[k]), kChartWidth - 66);
    svg += svg_text(left + kChartWidth, top + 12, "small end number", fmt::format("{:.1f} %", 100 * times_.all[k]), 60);
    svg += fmt::format(
        "<line class=\"rule\" x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{2:.1f}\" y2=\"{1:.1f}\" stroke=\"currentColor\"/>\n",
        left, base, left + kChartWidth);
    for (const auto& [begin, end] : stretches()) {
      if (end - begin == 1) {
        svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2\" fill=\"currentColor\"/>\n", left + x(begin),
                           y(begin));
        continue;
      }
      std::string line;
      for (std::size_t p = begin; p < end; ++p)
        line += fmt::format("{}{:.1f} {:.1f}", line.empty() ? "" : "L", left + x(p), y(p));
      svg += fmt::format("<path d=\"M{:.1f} {:.1f}L{}L{:.1f} {:.1f}Z\" fill=\"currentColor\" opacity=\".16\"/>\n",
                         left + x(begin), base, line, left + x(end - 1), base);
      svg += fmt::format(
          "<path d=\"M{}\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"{}\" stroke-linejoin=\"round\"/>\n",
          line, times_.periods.size() > 60 ? 1.1 : 1.8);
    }
    svg +=
        fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.2\" fill=\"currentColor\"/>\n", left + x(peak), y(peak));
    return svg + axis(peak, shares[peak], left, base + 13) + "</g>\n";
  }

  /// First and last period, and the peak, where it has room.
  std::string axis(std::size_t peak, double share, double left, double y) const {
    std::string svg = svg_text(left, y, "small number", times_.periods.front(), 60);
    if (times_.periods.size() > 1) {
      svg += svg_text(left + kChartWidth, y, "small end number", times_.periods.back(), 60);
    }
    const std::string text = fmt::format("{:.1f} % in {}", 100 * share, times_.periods[peak]);
    const double half = 3 * static_cast<double>(text.size()),
                 side = 6 * static_cast<double>(times_.periods[peak].size()) + 8;
    const double middle = std::clamp(x(peak), side + half, kChartWidth - side - half);
    return svg +
           fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"small number\" text-anchor=\"middle\">{}</text>\n",
                       left + middle, y, escape_markup(text));
  }

  const TopicTimes& times_;
};

}  // namespace

std::string times_svg(const TopicTimes& times, const std::string& title) { return TimesPicture(times).draw(title); }

}  // namespace idne
