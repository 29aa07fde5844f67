#include "topic_views.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include "command.h"
#include "endings.h"
#include "idne/output_file.h"
#include "idne/topic_relations.h"
#include "idne/topic_times.h"
#include "idne/topics.h"
#include "json/texts.h"
#include "terminal.h"

namespace idne::app {
namespace {

using Rows = std::vector<std::vector<std::string>>;

enum class Picture { Svg, Json, Tsv };

bool wants_json(const Options& options) { return options.text("format") == "json"; }

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string model_title(std::string_view what, const Options& options) {
  return fmt::format("{} {}", what, std::filesystem::path(options.text("MODEL")).stem().string());
}

void write_file(const std::string& path, std::string_view text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
  tell("written: {}\n", path);
}

/// The rows of a branch and all below it: branches of topics that are not near to each other are left out, and what
/// they hold stands one level higher.
void add_branch(const TopicTree& tree, std::size_t at, const std::string& before, const std::string& below,
                Rows& rows) {
  const TopicTree::Node& node = tree.nodes[at];
  rows.push_back({node.is_topic() ? std::to_string(node.topics[0]) : "", percent(node.share),
                  node.is_topic() ? "" : fmt::format("{:.2f}", node.similarity), before + node.name});
  if (node.is_topic()) return;
  add_branch(tree, node.first, below + "├─ ", below + "│  ", rows);
  add_branch(tree, node.second, below + "└─ ", below + "   ", rows);
}

void print_tree(const TopicTree& tree) {
  Rows rows;
  std::vector<std::size_t> groups = tree.groups();
  std::stable_sort(groups.begin(), groups.end(), [&](std::size_t a, std::size_t b) {
    const TopicTree::Node &one = tree.nodes[a], &other = tree.nodes[b];
    if (one.is_topic() != other.is_topic()) return other.is_topic();
    return one.share > other.share;
  });
  for (const std::size_t group : groups) add_branch(tree, group, "", "", rows);
  print_table({">topic", ">share", ">similarity", "topics, and what those that belong together share"}, rows);
}

/// One character per period, or per several of them where they are many; as high as the share, by the largest one.
std::string sparkline(const TopicTimes& times, std::size_t topic) {
  constexpr std::array<const char*, 8> kBars{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  constexpr std::size_t kMostBars = 24;
  const std::size_t periods = times.periods.size(), bars = std::min(periods, kMostBars);
  std::vector<double> heights;
  for (std::size_t bar = 0; bar < bars; ++bar) {
    double sum = 0, documents = 0;
    for (std::size_t p = periods * bar / bars; p < periods * (bar + 1) / bars; ++p) {
      const auto count = static_cast<double>(times.documents[p]);
      sum += times.shares[topic][p] * count;
      documents += count;
    }
    heights.push_back(sum / documents);
  }
  const double most = *std::max_element(heights.begin(), heights.end());
  std::string line;
  for (const double height : heights) {
    const double part = most > 0 ? height / most : 0;
    line += kBars[std::min<std::size_t>(7, static_cast<std::size_t>(part * 8))];
  }
  return line;
}

void print_times(const TopicTimes& times) {
  Rows rows;
  for (std::size_t k = 0; k < times.names.size(); ++k) {
    const auto& shares = times.shares[k];
    const std::size_t peak = times.peaks[k];
    rows.push_back({std::to_string(k + 1), percent(times.all[k]), sparkline(times, k), percent(shares[peak]),
                    times.periods[peak], times.names[k]});
  }
  const std::string over = times.periods.size() == 1
                               ? times.periods[0]
                               : fmt::format("{} … {}", times.periods.front(), times.periods.back());
  print_table({">topic", ">share", over, ">most", "in", "name"}, rows);
}

void tell_left_out(const TopicTimes& times) {
  const auto say = [](std::uint64_t count, std::string_view what) {
    if (count > 0) tell("idne: {} {} {}\n", with_commas(count), count == 1 ? "document has" : "documents have", what);
  };
  say(times.undated, times.by == Period::Year ? "no date" : "no date that tells the month");
  say(times.wordless, "a date, but no word that the model knows");
}

}  // namespace

void print_similar_topics(const Model& model, const Options& options, const Run& run) {
  std::vector<SimilarTopics> pairs = similar_topics(model, run);
  pairs.resize(std::min(pairs.size(), options.size("top")));
  const std::vector<std::string> names = topic_names(model, run.threads);
  if (wants_json(options)) return print_result(json_text(pairs, names));
  const auto named = [&](std::size_t topic) { return fmt::format("{}: {}", topic, names[topic - 1]); };
  Rows rows;
  for (const SimilarTopics& pair : pairs) {
    rows.push_back({fmt::format("{:.2f}", pair.similarity), fmt::format("{:.2f}", pair.documents),
                    fmt::format("{:.2f}", pair.words), named(pair.first), named(pair.second)});
  }
  print_table({">similarity", ">documents", ">words", "topic", "and topic"}, rows);
}

void show_topic_tree(const Model& model, const Options& options, const Run& run) {
  const std::string& out = options.text("output");
  const Picture kind =
      out.empty() ? Picture::Json : by_ending<Picture>(out, {{".svg", Picture::Svg}, {".json", Picture::Json}});
  const TopicTree tree = topic_tree(model, run);
  if (kind == Picture::Svg) return write_file(out, tree_svg(tree, model_title("Topics of", options)));
  if (out.empty() && !wants_json(options)) return print_tree(tree);
  const TopicQuery query{options.size("top"), options.size("examples"), {}};
  const std::string json = json_text(describe_topics(model, query, run), tree);
  return out.empty() ? print_result(json) : write_file(out, json);
}

void show_topic_times(const Model& model, const Options& options, const Run& run) {
  const std::string& out = options.text("output");
  const Picture kind =
      out.empty() ? Picture::Json
                  : by_ending<Picture>(out, {{".svg", Picture::Svg}, {".tsv", Picture::Tsv}, {".json", Picture::Json}});
  const Period by = options.text("by") == "month" ? Period::Month : Period::Year;
  const TopicTimes times = topic_times(model, by, run.threads);
  tell_left_out(times);
  if (out.empty()) return wants_json(options) ? print_result(json_text(times)) : print_times(times);
  switch (kind) {
    case Picture::Svg:
      return write_file(out, times_svg(times, model_title("Topics over time in", options)));
    case Picture::Tsv:
      return write_file(out, times_tsv(times));
    case Picture::Json:
      return write_file(out, json_text(times));
  }
}

}  // namespace idne::app
