#include "idne/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "terminal.h"
#include "verbs.h"

namespace idne::app {
namespace {

constexpr std::size_t kMainTopics = 6;  // as many as there are colours
constexpr std::size_t kTopicWords = 6;

struct Arguments {
  std::string model, file, format;
  int threads = 1;
};

void print_json(const Explanation& explanation, const StringsView& words) {
  using Json = nlohmann::ordered_json;
  Json topics = Json::array(), tokens = Json::array();
  for (const TopicShare& topic : explanation.topics) topics.push_back({{"topic", topic.topic}, {"share", topic.share}});
  for (const ExplainedToken& token : explanation.tokens) {
    tokens.push_back({{"text", token.text},
                      {"word", token.word ? Json(words[*token.word]) : Json()},
                      {"topic", token.topic ? Json(*token.topic) : Json()},
                      {"weight", token.weight}});
  }
  print_result(Json{{"topics", topics}, {"tokens", tokens}}.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
}

/// The text with each word in the colour of its topic, underlined if the topic has more than half of its attention.
std::string coloured(const Explanation& explanation, const std::map<std::size_t, std::size_t>& colours) {
  std::string text;
  for (const ExplainedToken& token : explanation.tokens) {
    const auto found = token.topic ? colours.find(*token.topic) : colours.end();
    if (found == colours.end()) {
      text += printable(token.text);
    } else {
      text += colour(found->second) + (token.weight > 0.5f ? "\x1b[4m" : "") + printable(token.text) + colour(0);
    }
  }
  return text;
}

void print_text(const Explanation& explanation, const TopicReport& report, const StringsView& words) {
  const std::size_t shown = std::min(kMainTopics, explanation.topics.size());
  if (use_colour()) {
    std::map<std::size_t, std::size_t> colours;
    std::string key;
    for (std::size_t n = 0; n < shown; ++n) {
      colours[explanation.topics[n].topic] = n + 1;
      key += fmt::format("{}■ topic {}{}  ", colour(n + 1), explanation.topics[n].topic, colour(0));
    }
    print_result(fmt::format("{}\n{}\n\n", coloured(explanation, colours), key));
  }
  std::vector<std::vector<std::string>> rows;
  for (std::size_t n = 0; n < shown; ++n) {
    const TopicShare& topic = explanation.topics[n];
    std::string about, here;
    for (const TopicWord& word : report.topics[topic.topic - 1].words) about += (about.empty() ? "" : " ") + word.word;
    std::map<std::uint32_t, float> own;
    for (const ExplainedToken& token : explanation.tokens) {
      if (token.topic == topic.topic) own[*token.word] = token.weight;
    }
    std::vector<std::pair<float, std::uint32_t>> best;
    for (const auto& [word, weight] : own) best.emplace_back(-weight, word);
    std::sort(best.begin(), best.end());
    for (std::size_t k = 0; k < std::min(kTopicWords, best.size()); ++k) {
      here += fmt::format("{}{}", here.empty() ? "" : " ", words[best[k].second]);
    }
    rows.push_back({std::to_string(topic.topic), fmt::format("{:.1f} %", 100 * topic.share), about, here});
  }
  if (rows.empty()) {
    print_result("No word of this text is known to the model.\n");
  } else {
    print_table({">topic", ">share", "about", "here"}, rows);
  }
}

}  // namespace

void add_explain(CLI::App& program) {
  auto* verb = program.add_subcommand("explain", "which topics a text is about, and through which words");
  const auto a = std::make_shared<Arguments>();
  add_model(*verb, a->model);
  add_text_file(*verb, a->file);
  add_format(*verb, a->format, {"text", "json"});
  verb->footer(
      "In a terminal the text is shown with each word in the colour of its topic.\n\n"
      "Example:\n  echo 'a planet and its moon' | idne explain my.idne");
  verb->callback([a] {
    const Model model = Model::load(a->model);
    const std::string text = read_text(a->file);
    const TextEncoder encoder(model);
    const Explanation explanation = explain(model, encoder, text);
    const StringsView words = model.strings("words.strings");
    if (a->format == "json") {
      print_json(explanation, words);
    } else {
      print_text(explanation, report_topics(model, kTopicWords, hardware_threads()), words);
    }
  });
}

}  // namespace idne::app
