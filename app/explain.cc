#include "idne/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "idne/output_file.h"
#include "idne/topics.h"
#include "serve/answers.h"
#include "terminal.h"
#include "verbs.h"

namespace idne::app {
namespace {

constexpr std::size_t kMainTopics = 6;  // as many as there are colours
constexpr std::size_t kTopicWords = 8;

/// A text, or a document of the model.
struct Source {
  std::string file = "-";
  std::optional<std::string> document;
};

struct Arguments {
  std::string model, format, out;
  Source first, second;
  bool pair = false;
  std::size_t top = 10;
};

/// A text that is asked about. Stays where it is: its explanation points into it.
struct Asked {
  std::string title;
  KnownText text;
  Explanation explanation;
};

std::unique_ptr<Asked> asked(const Model& model, const TextEncoder& encoder, const Source& source) {
  auto result = std::make_unique<Asked>();
  if (source.document) {
    const auto row = model.find_document(*source.document);
    if (!row) throw Error(fmt::format("the model has no document with the id '{}'", *source.document));
    const std::string_view title = model.strings("documents.titles")[*row];
    result->title = title.empty() ? *source.document : std::string(title);
    result->text = document_text(model, *row);
  } else {
    result->title = source.file == "-" ? "standard input" : std::filesystem::path(source.file).filename().string();
    result->text = known_text(encoder, read_text(source.file));
  }
  return result;
}

TopicWords topic_words(const Model& model) {
  TopicWords words;
  const StringsView names = model.strings("words.strings");
  for (const auto& list : idne::topic_words(model, own_ranking(model), kTopicWords, hardware_threads())) {
    words.emplace_back();
    for (const std::uint32_t word : list) words.back().emplace_back(names[word]);
  }
  return words;
}

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

void deliver(const Arguments& arguments, const std::string& result) {
  if (arguments.out.empty()) return print_result(result);
  OutputFile file(arguments.out);
  file.write(result);
  file.commit();
}

void deliver_json(const Arguments& arguments, const Json& json) { deliver(arguments, text_of(json, 1) + "\n"); }

/// The text with each word in the colour of its topic, underlined if the topic has more than half of its attention: the
/// second topic's words twice, as in the paper.
std::string coloured(const Explanation& explanation, const std::map<std::size_t, std::size_t>& colours) {
  std::string text;
  for (const ExplainedToken& token : explanation.tokens) {
    const auto found = token.topic ? colours.find(*token.topic) : colours.end();
    if (found == colours.end()) {
      text += printable(token.text);
      continue;
    }
    const char* underline = token.weight <= 0.5f ? "" : found->second == 2 ? "\x1b[21m" : "\x1b[4m";
    text += colour(found->second) + underline + printable(token.text) + colour(0);
  }
  return text;
}

/// The strongest words of a topic in the text, each once.
std::string words_here(const Explanation& explanation, std::size_t topic, const StringsView& words) {
  std::map<std::uint32_t, float> own;
  for (const ExplainedToken& token : explanation.tokens) {
    if (token.topic == topic) own[*token.word] = token.weight;
  }
  std::vector<std::pair<float, std::uint32_t>> best;
  for (const auto& [word, weight] : own) best.emplace_back(-weight, word);
  std::sort(best.begin(), best.end());
  std::string here;
  for (std::size_t k = 0; k < std::min(kTopicWords, best.size()); ++k) {
    here += fmt::format("{}{}", here.empty() ? "" : " ", words[best[k].second]);
  }
  return here;
}

void print_text(const Explanation& explanation, const TopicWords& topic_words, const StringsView& words) {
  const std::size_t shown = std::min(kMainTopics, explanation.topics.size());
  if (use_colour()) {
    std::map<std::size_t, std::size_t> colours;
    std::string key;
    for (std::size_t n = 0; n < shown; ++n) {
      colours[explanation.topics[n].topic] = n + 1;
      key += fmt::format("{}{}topic {}{}  ", colour(n + 1), n == 1 ? "\x1b[21m" : "\x1b[4m",
                         explanation.topics[n].topic, colour(0));
    }
    std::string text = coloured(explanation, colours);
    while (text.ends_with('\n')) text.pop_back();
    print_result(text + "\n\n");
    if (shown > 0) print_result(key + "(underlined: more than half of a word's attention)\n\n");
  }
  if (shown == 0) return print_result("No word of this text is known to the model.\n");
  std::vector<std::vector<std::string>> rows;
  for (std::size_t n = 0; n < shown; ++n) {
    const TopicShare& topic = explanation.topics[n];
    rows.push_back({std::to_string(topic.topic), fmt::format("{:.1f} %", 100 * topic.share),
                    joined(topic_words[topic.topic - 1]), words_here(explanation, topic.topic, words)});
  }
  print_table({">topic", ">share", "about", "here"}, rows);
}

void explain_text(const Arguments& arguments, const Model& model, Asked& text) {
  text.explanation = explain(model, text.text);
  const StringsView words = model.strings("words.strings");
  if (arguments.format == "json") {
    deliver_json(arguments, to_json(text.explanation, words));
  } else if (arguments.format == "html") {
    deliver(arguments, explanation_page({text.title, text.explanation}, topic_words(model)));
  } else {
    print_text(text.explanation, topic_words(model), words);
  }
}

/// A part of the score, and the same part of the cosine.
std::vector<std::string> part_row(std::string first, std::string second, double part, const PairExplanation& pair) {
  return {std::move(first), std::move(second), fmt::format("{:.4f}", part),
          pair.score == 0 ? "" : fmt::format("{:.3f}", part / pair.score * pair.cosine)};
}

void print_pair(const PairExplanation& pair, const Model& model) {
  const StringsView words = model.strings("words.strings");
  print_result(fmt::format("cosine {:.3f}, score {:.4f}\n\n", pair.cosine, pair.score));
  if (pair.words.empty()) return;
  std::vector<std::vector<std::string>> rows;
  for (const WordPair& p : pair.words) {
    rows.push_back(part_row(std::string(words[p.a]), std::string(words[p.b]), p.part, pair));
  }
  rows.push_back(part_row("all other pairs", "", pair.other_words, pair));
  print_table({"word", "with", ">part", ">of cosine"}, rows);
  if (pair.topics.empty()) return;
  const TopicWords names = topic_words(model);
  rows.clear();
  for (const TopicPair& p : pair.topics) {
    rows.push_back(part_row(std::to_string(p.a), std::to_string(p.b), p.part, pair));
    rows.back().push_back(joined(names[p.a - 1]) + (p.a == p.b ? "" : " | " + joined(names[p.b - 1])));
  }
  rows.push_back(part_row("others", "", pair.other_topics, pair));
  rows.back().push_back("");
  print_result("\n");
  print_table({">topic", ">with", ">part", ">of cosine", "about"}, rows);
}

/// A text as its own explanation, where there are no topics.
Explanation unexplained(const KnownText& text) { return {{}, {{text.text, {}, {}, 0}}}; }

void explain_two(const Arguments& arguments, const Model& model, Asked& a, Asked& b) {
  const PairExplanation pair = explain_pair(model, a.text, b.text, arguments.top);
  for (const Asked* text : {&a, &b}) {
    if (text->text.counts.empty()) fmt::print(stderr, "idne: {}: no word that the model knows\n", text->title);
  }
  if (arguments.format == "json") return deliver_json(arguments, to_json(pair, model.strings("words.strings")));
  if (arguments.format == "text") return print_pair(pair, model);
  const bool topics = model.has("topics.vectors");
  for (Asked* text : {&a, &b}) text->explanation = topics ? explain(model, text->text) : unexplained(text->text);
  deliver(arguments, pair_page({a.title, a.explanation}, {b.title, b.explanation}, pair, model.strings("words.strings"),
                               topics ? topic_words(model) : TopicWords{}));
}

void explain_verb(Arguments arguments, bool format_given) {
  const std::filesystem::path extension = std::filesystem::path(arguments.out).extension();
  if (!format_given && !arguments.out.empty()) arguments.format = extension == ".json" ? "json" : "html";
  if (!arguments.out.empty() && arguments.format == "text")
    throw UsageError("-o: text is for the terminal; use html or json");
  const auto is_stdin = [](const Source& source) { return !source.document && source.file == "-"; };
  if (arguments.pair && is_stdin(arguments.first) && is_stdin(arguments.second)) {
    throw UsageError("--with: only one of the two texts can come from standard input");
  }
  if (!arguments.out.empty()) check_writable(arguments.out);
  const Model model = Model::load(arguments.model);
  const TextEncoder encoder(model);
  const auto first = asked(model, encoder, arguments.first);
  if (!arguments.pair) return explain_text(arguments, model, *first);
  const auto second = asked(model, encoder, arguments.second);
  explain_two(arguments, model, *first, *second);
}

}  // namespace

void add_explain(CLI::App& program) {
  auto* verb = program.add_subcommand("explain", "which topics a text is about, or why two texts are close");
  const auto a = std::make_shared<Arguments>();
  add_model(*verb, a->model);
  auto* file = add_text_file(*verb, a->first.file);
  auto* document = verb->add_option("--document", a->first.document, "a document of the model, by its id, for FILE");
  file->excludes(document);
  auto* with =
      verb->add_option("--with", a->second.file, "a second text: tells why the two are close")->type_name("FILE");
  auto* with_document =
      verb->add_option("--with-document", a->second.document, "the same with a document of the model, by its id");
  with->excludes(with_document);
  auto* top = verb->add_option("--top", a->top, "pairs of words and of topics to list")
                  ->check(CLI::Range(1, 1000000))
                  ->capture_default_str();
  add_format(*verb, a->format, {"text", "json", "html"});
  verb->add_option("-o,--output", a->out, "the file to write, else standard output; its name tells html from json");
  verb->footer(
      "In a terminal the text is shown with each word in the colour of its topic. An HTML page shows the same, loads\n"
      "nothing and can be printed.\n\n"
      "Example:\n  echo 'a planet and its moon' | idne explain my.idne\n"
      "  idne explain my.idne new.txt -o new.html\n"
      "  idne explain my.idne new.txt --with old.txt");
  auto* format = verb->get_option("--format");
  verb->callback([=] {
    a->pair = with->count() + with_document->count() > 0;
    if (!a->pair && top->count() > 0) throw UsageError("--top: only with --with or --with-document");
    explain_verb(*a, format->count() > 0);
  });
}

}  // namespace idne::app
