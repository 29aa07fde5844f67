#include "idne/explain.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>

#include "batch.h"
#include "endings.h"
#include "idne/output_file.h"
#include "idne/topics.h"
#include "json/texts.h"
#include "processes.h"
#include "terminal.h"
#include "verbs.h"

namespace idne::app {
namespace {

constexpr std::size_t kMainTopics = 6;  // as many as there are colours

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

std::unique_ptr<Asked> asked(const TextEncoder& encoder, const Source& source) {
  auto result = std::make_unique<Asked>();
  if (source.document) {
    const std::size_t row = encoder.model().document(*source.document);
    const std::string_view title = encoder.model().documents().titles[row];
    result->title = title.empty() ? *source.document : std::string(title);
    result->text = document_text(encoder.model(), row);
  } else {
    result->title = source.file == "-" ? "standard input" : std::filesystem::path(source.file).filename().string();
    result->text = known_text(encoder, read_text(source.file));
  }
  return result;
}

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
  for (std::size_t k = 0; k < std::min(kShownTopicWords, best.size()); ++k) {
    here += fmt::format("{}{}", here.empty() ? "" : " ", words[best[k].second]);
  }
  return here;
}

void print_text(const Explanation& explanation, const std::vector<ShownTopic>& topics, const StringsView& words) {
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
    if (shown > 0) print_result(key + "\nunderlined: more than half of a word's attention\n\n");
  }
  if (shown == 0) return print_result("No word of this text is known to the model.\n");
  std::vector<std::vector<std::string>> rows;
  for (std::size_t n = 0; n < shown; ++n) {
    const TopicShare& topic = explanation.topics[n];
    rows.push_back({std::to_string(topic.topic), fmt::format("{:.1f} %", 100 * topic.share),
                    topics[topic.topic - 1].text(), words_here(explanation, topic.topic, words)});
  }
  double others = 0;
  for (std::size_t n = shown; n < explanation.topics.size(); ++n) others += explanation.topics[n].share;
  if (others > 0) {
    rows.push_back(
        {"", fmt::format("{:.1f} %", 100 * others), counted(explanation.topics.size() - shown, "other", "others"), ""});
  }
  print_table({">topic", ">share", "about", "here"}, rows);
}

void explain_text(const Options& options, const Arguments& arguments, const Model& model, Asked& text) {
  text.explanation = explain(model, text.text);
  if (arguments.format == "json") {
    write_answer(options, json_text(text.explanation, model));
  } else if (arguments.format == "html") {
    write_answer(options, explanation_page({text.title, text.explanation}, shown_topics(model, threads_of(options))));
  } else {
    print_text(text.explanation, shown_topics(model, threads_of(options)), model.words().shown());
  }
}

/// A part of the score, and the same part of the cosine.
std::vector<std::string> part_row(std::string first, std::string second, double part, const PairExplanation& pair) {
  return {std::move(first), std::move(second), fmt::format("{:.4f}", part),
          pair.score == 0 ? "" : fmt::format("{:.3f}", part / pair.score * pair.cosine)};
}

void print_pair(const PairExplanation& pair, const Model& model) {
  const StringsView& words = model.words().shown();
  print_result(fmt::format("cosine {:.3f}, score {:.4f}\n\n", pair.cosine, pair.score));
  if (pair.words.empty()) return;
  std::vector<std::vector<std::string>> rows;
  for (const WordPair& p : pair.words) {
    rows.push_back(part_row(std::string(words[p.a]), std::string(words[p.b]), p.part, pair));
  }
  rows.push_back(part_row("all other pairs", "", pair.other_words, pair));
  print_table({"word", "with", ">part", ">of cosine"}, rows);
  if (pair.topics.empty()) return;
  const std::vector<ShownTopic> topics = shown_topics(model, hardware_threads());
  rows.clear();
  for (const TopicPair& p : pair.topics) {
    rows.push_back(part_row(std::to_string(p.a), std::to_string(p.b), p.part, pair));
    rows.back().push_back(topics[p.a - 1].text() + (p.a == p.b ? "" : " | " + topics[p.b - 1].text()));
  }
  rows.push_back(part_row("others", "", pair.other_topics, pair));
  rows.back().push_back("");
  print_result("\n");
  print_table({">topic", ">with", ">part", ">of cosine", "about"}, rows);
}

/// A text as its own explanation, where there are no topics.
Explanation unexplained(const KnownText& text) { return {{}, {{text.text, {}, {}, 0}}}; }

void explain_two(const Options& options, const Arguments& arguments, const TextEncoder& encoder, Asked& a, Asked& b) {
  const Model& model = encoder.model();
  const PairExplanation pair = explain_pair(encoder, a.text, b.text, arguments.top);
  for (const Asked* text : {&a, &b}) {
    if (text->text.counts.empty()) tell("idne: {}: no word that the model knows\n", text->title);
  }
  if (arguments.format == "json") return write_answer(options, json_text(pair, model));
  if (arguments.format == "text") return print_pair(pair, model);
  const bool topics = model.has_topics();
  for (Asked* text : {&a, &b}) text->explanation = topics ? explain(model, text->text) : unexplained(text->text);
  write_answer(options, pair_page({a.title, a.explanation}, {b.title, b.explanation}, pair, model.words().shown(),
                                  topics ? shown_topics(model, threads_of(options)) : std::vector<ShownTopic>{}));
}

Arguments arguments_from(const Options& options) {
  Arguments a;
  a.model = options.text("MODEL");
  a.out = options.text("output");
  a.format = options.text("format");
  if (!options.given("format") && !a.out.empty()) a.format = a.out.ends_with(".json") ? "json" : "html";
  a.first.file = options.text("FILE");
  if (options.given("document")) a.first.document = options.text("document");
  a.second.file = options.text("with");
  if (options.given("with-document")) a.second.document = options.text("with-document");
  a.pair = options.given("with") || options.given("with-document");
  a.top = options.size("top");
  if (!a.pair && options.given("top")) throw UsageError("--top: only with --with or --with-document");
  if (!a.out.empty() && a.format == "text") throw UsageError("-o: text is for the terminal; use html or json");
  const auto is_stdin = [](const Source& source) { return !source.document && source.file == "-"; };
  if (a.pair && is_stdin(a.first) && is_stdin(a.second)) {
    throw UsageError("--with: only one of the two texts can come from standard input");
  }
  return a;
}

void explain_many(const Options& options) {
  answer_format(options, true);
  const Model model = load_in_all(options.text("MODEL"));
  model.topics();  // or says that there are none, before anything is read
  const TextEncoder encoder(model);
  const std::vector<std::string> names = topic_names(model, threads_of(options));
  std::atomic<std::uint64_t> wordless{0};
  std::uint64_t count = 0;
  {
    const Session session(threads_of(options));
    count = answer_batch(options, "explaining", session.run(),
                         [&](const NewDocument& document, Tokenizer& tokenizer, std::string& out) {
                           const KnownText text = known_text(encoder, std::string(document.text), tokenizer);
                           wordless += text.counts.empty();
                           out += json_line(document.id, explain(model, text), model, names);
                         });
  }
  tell_answered(options, count, wordless);
}

void explain_asked(const Options& options) {
  const Arguments arguments = arguments_from(options);
  const auto holds_many = [](const Source& source) { return !source.document && is_batch(source.file); };
  if (arguments.pair && (holds_many(arguments.first) || holds_many(arguments.second))) {
    throw UsageError(
        "--with: two texts are needed, not files of many; --document and --with-document take one of the model");
  }
  const bool batch = first_says([&] { return holds_many(arguments.first); });
  if (!(batch && can_be_shared(arguments.first.file)) && leaves_to_first()) return;
  if (batch) return explain_many(options);
  check_ending(options, {".html", ".htm", ".json"});
  if (!arguments.out.empty()) check_writable(arguments.out);
  const Model model = Model::load(arguments.model);
  const TextEncoder encoder(model);
  const auto first = asked(encoder, arguments.first);
  if (!arguments.pair) return explain_text(options, arguments, model, *first);
  const auto second = asked(encoder, arguments.second);
  explain_two(options, arguments, encoder, *first, *second);
}

}  // namespace

Verb explain_verb() {
  return {
      "explain",
      "which topics a text is about, or why two texts are close",
      {model_option(), text_or_documents_option(),
       OptionSpec::text("document", "", "a document of the model, by its id, for FILE").called("ID").without({"FILE"}),
       OptionSpec::input("with", "a second text: tells why the two are close").called("FILE"),
       OptionSpec::text("with-document", "", "the same with a document of the model, by its id")
           .called("ID")
           .without({"with"}),
       OptionSpec::whole("top", 10, "pairs of words and of topics to list").within(1, 1e6),
       format_option({"text", "json", "html"}).by_default_shown("text; json for many documents: a line for each"),
       OptionSpec::output("the file to write, else standard output; its name tells html from json"), threads_option()},
      "In a terminal the text is shown with each word in the colour of its topic. An HTML page shows the same, loads\n"
      "nothing and can be printed.\n\n"
      "Example:\n  echo 'a planet and its moon' | idne explain my.idne\n"
      "  idne explain my.idne new.txt -o new.html\n"
      "  idne explain my.idne new.txt --with old.txt\n"
      "  idne explain my.idne new.jsonl -o explained.jsonl",
      explain_asked,
      {},
      true};
}

}  // namespace idne::app
