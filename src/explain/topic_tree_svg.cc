#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "explain/svg.h"
#include "idne/topic_relations.h"
#include "text/markup.h"

namespace idne {
namespace {

constexpr double kTreeWidth = 960, kTreeLeft = 36, kLeaves = 430, kLabels = 468, kBars = 800, kBarsEnd = 884;
constexpr double kTreeTop = 92, kRow = 27;

/// Branches to the left, topics one below the other to the right. A branch's name stands in the gap between its two
/// halves, which no line crosses.
class TreePicture {
 public:
  explicit TreePicture(const TopicTree& tree) : tree_(tree), y_(tree.nodes.size()), colour_(tree.nodes.size(), kSoft) {
    for (const TopicTree::Node& node : tree.nodes) {
      if (node.is_topic()) continue;
      least_ = std::min(least_, node.similarity);
      most_ = std::max(most_, node.similarity);
    }
    for (const TopicTree::Node& node : tree.nodes) largest_ = std::max(largest_, node.is_topic() ? node.share : 0.0);
    const auto& order = tree.root().topics;
    for (std::size_t row = 0; row < order.size(); ++row) {
      y_[order[row] - 1] = kTreeTop + kRow * (static_cast<double>(row) + 0.5);
    }
    std::size_t colours = 0;
    for (const std::size_t group : tree.groups()) {
      if (!tree.nodes[group].is_topic()) paint(group, colours++ % kSvgColours);
    }
  }

  std::string draw(const std::string& title) {
    const double height = kTreeTop + kRow * static_cast<double>(tree_.root().topics.size()) + 28;
    std::string lines, names, topics;
    for (std::size_t n = 0; n < tree_.nodes.size(); ++n) {
      if (tree_.nodes[n].is_topic()) {
        topics += topic(n);
      } else {
        lines += branch(n);
        names += name(n);
      }
    }
    return svg_head(kTreeWidth, height, title,
                    "Topics that are in the same documents and share words are joined; the further to the right, the "
                    "more they share.") +
           svg_text(kBars, kTreeTop - 10, "small", "share of all documents", 160) + lines + names + topics + "</svg>\n";
  }

 private:
  static constexpr std::size_t kSoft = kSvgColours;

  void paint(std::size_t n, std::size_t colour) {
    std::vector<std::size_t> open{n};
    while (!open.empty()) {
      const std::size_t at = open.back();
      open.pop_back();
      colour_[at] = colour;
      if (tree_.nodes[at].is_topic()) continue;
      open.push_back(tree_.nodes[at].first);
      open.push_back(tree_.nodes[at].second);
    }
  }

  double x(std::size_t n) const {
    const TopicTree::Node& node = tree_.nodes[n];
    if (node.is_topic()) return kLeaves;
    constexpr double kNearest = 130;  // room for the name of the nearest pair
    const double range = most_ - least_;
    return kTreeLeft + (range > 0 ? (node.similarity - least_) / range : 1) * (kLeaves - kNearest - kTreeLeft);
  }

  std::string css(std::size_t n) const { return colour_[n] == kSoft ? "soft" : fmt::format("c{}", colour_[n]); }

  /// From where the branch forks to both halves, with round corners.
  std::string branch(std::size_t n) {
    const TopicTree::Node& node = tree_.nodes[n];
    y_[n] = (y_[node.first] + y_[node.second]) / 2;
    std::string svg;
    for (const std::size_t half : {node.first, node.second}) {
      const double from = y_[n], to = y_[half], away = to > from ? 1 : -1;
      const double round = std::min({6.0, std::abs(to - from), std::max(0.0, x(half) - x(n))});
      svg += fmt::format(
          "<path class=\"{}\" d=\"M{:.1f} {:.1f}V{:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}H{:.1f}\" fill=\"none\" "
          "stroke=\"currentColor\" stroke-width=\"1.6\"/>\n",
          css(n), x(n), from, to - away * round, x(n), to, x(n) + round, to, x(half));
    }
    return svg;
  }

  std::string name(std::size_t n) const {
    const TopicTree::Node& node = tree_.nodes[n];
    if (node.similarity < tree_.near) return "";
    const std::size_t above = tree_.nodes[node.first].topics.back(), below = tree_.nodes[node.second].topics.front();
    return svg_text(x(n) + 7, (y_[above - 1] + y_[below - 1]) / 2 + 3.5, "soft", node.name, kLeaves - x(n) - 8);
  }

  std::string topic(std::size_t n) const {
    const TopicTree::Node& node = tree_.nodes[n];
    const double y = y_[n], part = largest_ > 0 ? node.share / largest_ : 0;
    std::string svg =
        fmt::format("<g class=\"{}\"><title>{}</title>", css(n),
                    escape_markup(fmt::format("topic {}: {}, {:.1f} %", node.topics[0], node.name, 100 * node.share)));
    svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"currentColor\"/>\n", kLeaves, y,
                       2.5 + 4.5 * std::sqrt(part));
    svg += svg_text(kLabels - 8, y + 4.5, "small end number", std::to_string(node.topics[0]), 40);
    svg += svg_text(kLabels, y + 4.5, "name", node.name, kBars - kLabels - 16);
    svg += fmt::format(
        "<rect class=\"track\" x=\"{0:.1f}\" y=\"{1:.1f}\" width=\"{2:.1f}\" height=\"9\" rx=\"2\"/><rect "
        "x=\"{0:.1f}\" "
        "y=\"{1:.1f}\" width=\"{3:.1f}\" height=\"9\" rx=\"2\" fill=\"currentColor\"/>\n",
        kBars, y - 4.5, kBarsEnd - kBars, std::max(1.0, part * (kBarsEnd - kBars)));
    svg += svg_text(kTreeWidth - 28, y + 4, "small end number", fmt::format("{:.1f} %", 100 * node.share), 60);
    return svg + "</g>\n";
  }

  const TopicTree& tree_;
  std::vector<double> y_;
  std::vector<std::size_t> colour_;
  double least_ = 0, most_ = 0, largest_ = 0;
};

}  // namespace

std::string tree_svg(const TopicTree& tree, const std::string& title) { return TreePicture(tree).draw(title); }

}  // namespace idne
