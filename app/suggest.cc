#include "idne/suggest.h"

#include <fmt/format.h>

#include <memory>

#include "serve/answers.h"
#include "terminal.h"
#include "verbs.h"

namespace idne::app {
namespace {

struct Arguments {
  std::string model, file, format;
  std::size_t count = 5, reasons = 5;
  int threads = 1;
};

/// "network neural–neuron": words of the text, with the document's word where it is another.
std::string reason(const SuggestedLink& link, const StringsView& words) {
  std::string text;
  const auto add = [&text](const std::string& word) { text += (text.empty() ? "" : " ") + word; };
  for (const WordPair& p : link.pairs) {
    if (p.part > 0) add(p.a == p.b ? std::string(words[p.a]) : fmt::format("{}–{}", words[p.a], words[p.b]));
  }
  if (!text.empty()) return text;
  for (const WordPart& part : link.words) {
    if (part.part > 0) add(std::string(words[part.word]));
  }
  return text;
}

void print_text(const Suggestions& suggestions, const Model& model) {
  const StringsView words = model.strings("words.strings"), names = model.strings("labels.names");
  const StringsView ids = model.strings("documents.ids"), titles = model.strings("documents.titles");
  std::vector<std::vector<std::string>> rows;
  for (const SuggestedLabel& label : suggestions.labels) {
    rows.push_back({fmt::format("{:.1f} %", 100 * label.probability), std::string(names[label.label])});
  }
  if (!rows.empty()) {
    print_table({">probability", "label"}, rows);
    print_result("\n");
  }
  rows.clear();
  for (const SuggestedLink& link : suggestions.links) {
    std::string topics;
    for (const TopicPart& part : link.topics) {
      if (part.part > 0) topics += fmt::format("{}{}", topics.empty() ? "" : " ", part.topic);
    }
    constexpr std::size_t kTitle = 40;
    rows.push_back({fmt::format("{:.3f}", link.score), std::string(ids[link.document]),
                    cut(printable_line(titles[link.document]), kTitle), topics, reason(link, words)});
  }
  print_table({">cosine", "link to", "title", "topics", "through"}, rows);
}

void suggest_verb(const Arguments& arguments) {
  const Model model = Model::load(arguments.model);
  const TextEncoder encoder(model);
  Tokenizer tokenizer;
  const std::vector<WordCount> words = encoder.words(read_text(arguments.file), tokenizer);
  const SuggestionCounts counts{arguments.count, arguments.count, 3, arguments.reasons};
  const Suggestions suggestions = suggest(model, encoder, words, counts, arguments.threads);
  if (suggestions.links.empty()) {
    fmt::print(stderr, "idne: the text has no word that the model knows, so nothing can be suggested\n");
  } else if (suggestions.labels.empty()) {
    fmt::print(stderr, "idne: no labels: the corpus of this model had none to learn\n");
  }
  if (arguments.format == "json") return print_result(text_of(to_json(suggestions, model), 1) + "\n");
  if (!suggestions.links.empty()) print_text(suggestions, model);
}

}  // namespace

void add_suggest(CLI::App& program) {
  auto* verb = program.add_subcommand("suggest", "labels for a text and documents to link it to, with reasons");
  const auto a = std::make_shared<Arguments>();
  add_model(*verb, a->model);
  add_text_file(*verb, a->file);
  verb->add_option("-k", a->count, "number of labels, and of documents")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  verb->add_option("--reasons", a->reasons, "words that speak for each document")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  add_format(*verb, a->format, {"text", "json"});
  add_threads(*verb, a->threads);
  verb->footer("Example:\n  echo 'a planet and its moon' | idne suggest my.idne -k 3");
  verb->callback([a] { suggest_verb(*a); });
}

}  // namespace idne::app
