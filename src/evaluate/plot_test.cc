#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "contains.h"
#include "idne/evaluate.h"

namespace idne {
namespace {

const double kNan = std::nan("");

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

/// Whether tags are balanced, attributes quoted and '&' only begins an entity. Empty if so, else what is wrong.
std::string xml_error(const std::string& xml) {
  std::vector<std::string> open;
  for (std::size_t at = 0; at < xml.size();) {
    if (xml[at] == '&') {
      const std::string entity = xml.substr(at, xml.find(';', at) + 1 - at);
      if (entity != "&amp;" && entity != "&lt;" && entity != "&gt;" && entity != "&quot;") return "bare & " + entity;
    }
    if (static_cast<unsigned char>(xml[at]) < 0x20 && xml[at] != '\n') return "control character";
    if (xml[at] != '<') {
      ++at;
      continue;
    }
    bool quoted = false;
    std::size_t end = at + 1;
    for (; end < xml.size() && (quoted || xml[end] != '>'); ++end) {
      if (xml[end] == '"') quoted = !quoted;
      if (xml[end] == '<') return "< inside of a tag";
    }
    if (end == xml.size()) return "a tag without end";
    const std::string tag = xml.substr(at + 1, end - at - 1);
    const std::string name = tag.substr(0, tag.find_first_of(" /", 1));
    if (tag[0] == '/') {
      if (open.empty() || "/" + open.back() != tag) return "closes what is not open: " + tag;
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(name);
    }
    at = end + 1;
    if (open.empty() && xml.find_first_not_of('\n', at) != std::string::npos) return "text after the end";
  }
  return open.empty() ? "" : "never closed: " + open.back();
}

Plot topics_plot() {
  return {"AUC by topics",
          "topics",
          "micro AUC",
          true,
          {{"2 %", {1, 2, 4, 8, 16, 32}, {79, 88, 93, 95, 96, 96.2}, {2, 1, 0.5, 0.4, 0.3, 0.3}},
           {"10 %", {1, 2, 4, 8, 16, 32}, {82, 90, 95, 96.5, 97, 97.1}, {1, 1, 0.4, 0.2, 0.2, 0.2}}}};
}

/// The x coordinate of the label under the axis.
double tick_x(const std::string& svg, const std::string& label) {
  const std::size_t end = svg.find("text-anchor=\"middle\">" + label + "</text>");
  EXPECT_NE(end, std::string::npos) << label;
  return end == std::string::npos ? 0 : std::stod(svg.substr(svg.rfind(" x=\"", end) + 4));
}

TEST(Svg, HasALineABandAndANameForEachSeries) {
  const std::string svg = as_svg(topics_plot());
  EXPECT_EQ(xml_error(svg), "");
  EXPECT_EQ(count(svg, "<polyline"), 2u);
  EXPECT_EQ(count(svg, "opacity=\"0.16\""), 2u);
  for (const char* text : {">2 %<", ">10 %<", ">AUC by topics<", ">topics<", ">micro AUC<"}) {
    EXPECT_TRUE(contains(svg, text)) << text;
  }
  EXPECT_TRUE(contains(svg, "prefers-color-scheme:dark"));
  EXPECT_FALSE(contains(svg, "<script"));
  EXPECT_EQ(count(svg, "http"), 1u) << "only the name space";
}

TEST(Svg, LogarithmicTicksStandAtTheData) {
  const std::string svg = as_svg(topics_plot());
  EXPECT_NEAR(tick_x(svg, "2") - tick_x(svg, "1"), tick_x(svg, "32") - tick_x(svg, "16"), 0.2);
}

TEST(Svg, ManyLogarithmicValuesGetPowers) {
  Plot plot = topics_plot();
  plot.series.resize(1);
  plot.series[0] = {"steps", {}, {}, {}};
  for (int k = 0; k <= 100; ++k) {
    plot.series[0].x.push_back(std::pow(10, 1 + k * 0.04));
    plot.series[0].mean.push_back(90);
  }
  const std::string svg = as_svg(plot);
  EXPECT_NEAR(tick_x(svg, "1,000") - tick_x(svg, "100"), tick_x(svg, "100,000") - tick_x(svg, "10,000"), 0.2);
}

TEST(Svg, CrowdedValuesGetRoundTicks) {
  Plot plot = topics_plot();
  plot.logarithmic_x = false;
  plot.series[0].x.back() = 100;
  const std::string svg = as_svg(plot);
  EXPECT_FALSE(contains(svg, "middle\">1<")) << "1, 2 and 4 would lie on each other";
  EXPECT_NEAR(tick_x(svg, "40") - tick_x(svg, "20"), tick_x(svg, "100") - tick_x(svg, "80"), 0.2);
}

TEST(Svg, LongLabelsNeedMoreRoom) {
  Plot plot{"t", "x", "y", false, {{"a", {}, {}, {}}}};
  for (int k = 0; k < 12; ++k) {
    plot.series[0].x.push_back(k);
    plot.series[0].mean.push_back(k);
  }
  EXPECT_TRUE(contains(as_svg(plot), "middle\">11<"));
  for (double& x : plot.series[0].x) x = 1000 * x + 1000000;
  EXPECT_TRUE(contains(as_svg(plot), "middle\">1,010,000<"));
  EXPECT_FALSE(contains(as_svg(plot), "middle\">1,011,000<"));
}

TEST(Svg, NanPointsAreSkipped) {
  Plot plot = topics_plot();
  plot.series[0].mean[2] = kNan;
  plot.series[0].half_width[3] = kNan;
  plot.series[1].x[0] = 0;  // has no logarithm
  plot.series[1].mean[5] = std::numeric_limits<double>::infinity();
  const std::string svg = as_svg(plot);
  EXPECT_EQ(xml_error(svg), "");
  EXPECT_EQ(count(svg, "<polyline"), 2u);
  EXPECT_EQ(count(svg, "<circle"), 5u + 1) << "the legend has one";
  EXPECT_FALSE(contains(svg, "nan"));
  EXPECT_FALSE(contains(svg, "inf"));
}

TEST(Svg, FewPointsAreDrawnAndNoneIsSaid) {
  const Plot one{"one", "x", "y", false, {{"a", {3}, {0.5}, {0.1}}}};
  const Plot empty_series{"empty", "x", "y", false, {{"a", {}, {}, {}}, {"b", {1, 2}, {1, 1}, {}}}};
  const Plot nothing{"", "", "", true, {}};
  const Plot uneven{"uneven", "x", "y", true, {{"a", {1, 2, 3}, {0.5}, {}}}};
  for (const Plot& plot : {one, empty_series, nothing, uneven}) {
    const std::string svg = as_svg(plot);
    EXPECT_EQ(xml_error(svg), "") << svg;
    EXPECT_FALSE(contains(svg, "nan")) << svg;
    EXPECT_FALSE(contains(svg, "inf")) << svg;
  }
  EXPECT_EQ(count(as_svg(one), "<circle"), 2u);
  EXPECT_TRUE(contains(as_svg(empty_series), "a (no figures)"));
  EXPECT_TRUE(contains(as_svg(nothing), "no figures"));
}

TEST(Svg, ExtremeValuesEnd) {
  for (const double value : {0.0, 1e-300, 1e15, -1e99, 1e308}) {
    for (const double second : {value, value + 1, value * 1e9, 7.0}) {
      for (const bool logarithmic : {false, true}) {
        const std::string svg = as_svg({"t", "x", "y", logarithmic, {{"a", {value, second}, {second, value}, {1, 1}}}});
        EXPECT_EQ(xml_error(svg), "");
        EXPECT_LT(svg.size(), 20000u);
        EXPECT_FALSE(contains(svg, "nan")) << value << " " << second;
      }
    }
  }
}

TEST(Svg, TextIsEscaped) {
  Plot plot = topics_plot();
  plot.title = "a < b & \"c\" </svg>";
  plot.x_label = "tab\there \x01 \xff";
  plot.series[0].name = "<script>alert(1)</script>";
  const std::string svg = as_svg(plot);
  EXPECT_EQ(xml_error(svg), "");
  EXPECT_TRUE(contains(svg, "a &lt; b &amp; &quot;c&quot; &lt;/svg&gt;"));
  EXPECT_FALSE(contains(svg, "<script"));
  EXPECT_FALSE(contains(svg, "\xff"));
}

TEST(Svg, ALongLegendMakesThePictureHigher) {
  Plot plot = topics_plot();
  EXPECT_TRUE(contains(as_svg(plot), "viewBox=\"0 0 640 400\""));
  for (int k = 0; k < 12; ++k) {
    plot.series.push_back(plot.series[0]);
    plot.series.back().name = "idne with a long name " + std::to_string(k);
  }
  const std::string svg = as_svg(plot);
  EXPECT_EQ(xml_error(svg), "");
  EXPECT_FALSE(contains(svg, "viewBox=\"0 0 640 400\""));
  EXPECT_EQ(count(svg, "<polyline"), 14u);
}

}  // namespace
}  // namespace idne
