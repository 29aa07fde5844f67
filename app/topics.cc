#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "idne/explain.h"
#include "terminal.h"
#include "verbs.h"

namespace idne::app {
namespace {

struct Arguments {
  std::string model, format;
  std::size_t top = 10;
  int threads = 1;
};

void print_json(const TopicReport& report) {
  nlohmann::ordered_json topics = nlohmann::ordered_json::array();
  for (const TopicSummary& topic : report.topics) {
    nlohmann::ordered_json words = nlohmann::ordered_json::array();
    for (const TopicWord& word : topic.words) words.push_back({{"word", word.word}, {"score", word.score}});
    topics.push_back({{"topic", topic.topic}, {"share", topic.share}, {"npmi", topic.npmi}, {"words", words}});
  }
  const nlohmann::ordered_json json{{"topics", topics}, {"npmi", report.npmi}, {"diversity", report.diversity}};
  print_result(json.dump(1) + "\n");
}

void print_text(const TopicReport& report) {
  std::vector<std::vector<std::string>> rows;
  for (const TopicSummary& topic : report.topics) {
    std::string words;
    for (const TopicWord& word : topic.words) words += (words.empty() ? "" : " ") + word.word;
    rows.push_back({std::to_string(topic.topic), fmt::format("{:.1f} %", 100 * topic.share),
                    fmt::format("{:.2f}", topic.npmi), words});
  }
  print_table({">topic", ">share", ">npmi", "words"}, rows);
  print_result(fmt::format("\ncoherence (NPMI) {:.3f}, diversity {:.2f}\n", report.npmi, report.diversity));
}

}  // namespace

void add_topics(CLI::App& program) {
  auto* verb = program.add_subcommand("topics", "words and share of each topic");
  const auto a = std::make_shared<Arguments>();
  add_model(*verb, a->model);
  verb->add_option("--top", a->top, "words a topic")->check(CLI::Range(1, 100000))->capture_default_str();
  add_format(*verb, a->format, {"text", "json"});
  add_threads(*verb, a->threads);
  verb->footer("Example:\n  idne topics my.idne --top 7");
  verb->callback([a] {
    const Model model = Model::load(a->model);
    const TopicReport report = report_topics(model, a->top, a->threads);
    a->format == "json" ? print_json(report) : print_text(report);
  });
}

}  // namespace idne::app
