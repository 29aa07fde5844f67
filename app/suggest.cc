#include "idne/suggest.h"

#include <fmt/ranges.h>

#include <atomic>

#include "batch.h"
#include "json/texts.h"
#include "missing.h"
#include "processes.h"
#include "suggest_text.h"
#include "terminal.h"
#include "verbs.h"

namespace idne::app {
namespace {

SuggestionCounts wanted(const Options& options, const std::string& format) {
  const bool reasons = format != "tsv";
  return {options.size("k"), options.size("k"), reasons ? 3u : 0u, reasons ? options.size("reasons") : 0u};
}

/// id, kind, rank, what, score and, for a link, the title.
void add_rows(std::string_view id, const Suggestions& suggestions, const Model& model, std::string& out) {
  const std::string cell = tsv_cell(id);
  for (std::size_t k = 0; k < suggestions.labels.size(); ++k) {
    const SuggestedLabel& label = suggestions.labels[k];
    out += fmt::format("{}\tlabel\t{}\t{}\t{:.6g}\n", cell, k + 1, tsv_cell(model.labels().names[label.label]),
                       label.probability);
  }
  const Documents& documents = model.documents();
  for (std::size_t k = 0; k < suggestions.links.size(); ++k) {
    const SuggestedLink& link = suggestions.links[k];
    out += fmt::format("{}\tlink\t{}\t{}\t{:.6g}\t{}\n", cell, k + 1, tsv_cell(documents.ids[link.document]),
                       link.score, tsv_cell(documents.titles[link.document]));
  }
}

void tell_doubts(const Suggestions& suggestions, const Model& model) {
  if (suggestions.links.empty() && suggestions.labels.empty()) {
    return tell("idne: the text has no word that the model knows, so nothing can be suggested\n");
  }
  if (model.labels().weights.rows == 0) tell("idne: no labels: the corpus of this model had none to learn\n");
  if (!suggestions.doubts.empty()) tell("idne: little is sure here: {}\n", fmt::join(suggestions.doubts, "; "));
}

void suggest_for_one(const Options& options, const std::string& format) {
  const Model model = Model::load(options.text("MODEL"));
  const TextEncoder encoder(model);
  const Suggester suggester(encoder, threads_of(options));
  Suggestions suggestions;
  if (options.given("document")) {
    suggestions = suggester.suggest_missing(model.document(options.text("document")), wanted(options, format));
  } else {
    Tokenizer tokenizer;
    suggestions =
        suggester.suggest(suggester.words(read_text(options.text("FILE")), tokenizer), wanted(options, format));
  }
  tell_doubts(suggestions, model);
  if (format == "json") return write_answer(options, json_text(suggestions, model));
  if (format == "text") return print_suggestions(suggestions, model);
  std::string rows;
  add_rows(options.text("document"), suggestions, model, rows);
  write_answer(options, rows);
}

void suggest_for_many(const Options& options, const std::string& format) {
  const Model model = load_in_all(options.text("MODEL"));
  const TextEncoder encoder(model);
  const std::vector<std::string> names =
      model.has_topics() ? topic_names(model, threads_of(options)) : std::vector<std::string>{};
  std::atomic<std::uint64_t> wordless{0};
  std::uint64_t count = 0;
  const SuggestionCounts counts = wanted(options, format);
  {
    const Session session(threads_of(options));
    const Suggester suggester(encoder, batch_search(options, model, session.run()));
    count = answer_batch(options, "suggesting", session.run(),
                         [&](const NewDocument& document, Tokenizer& tokenizer, std::string& out) {
                           const std::vector<WordCount> words = suggester.words(document.text, tokenizer);
                           wordless += words.empty();
                           const Suggestions suggestions = suggester.suggest(words, counts);
                           if (format == "tsv") return add_rows(document.id, suggestions, model, out);
                           out += json_line(document.id, suggestions, model, names);
                         });
  }
  tell_answered(options, count, wordless);
}

void suggest_asked(const Options& options) {
  if (options.flag("all")) return write_missing_links(options, options.size("k"), 0);
  const bool batch = !options.given("document") && first_says([&] { return is_batch(options.text("FILE")); });
  if (!(batch && can_be_shared(options.text("FILE"))) && leaves_to_first()) return;
  const std::string format = answer_format(options, batch);
  return batch ? suggest_for_many(options, format) : suggest_for_one(options, format);
}

}  // namespace

Verb suggest_verb() {
  return {"suggest",
          "labels for a text and documents to link it to, with reasons",
          {model_option(), text_or_documents_option(),
           OptionSpec::text("document", "", "a document of the model, by its id: the links that it does not have yet")
               .called("ID")
               .without({"FILE"}),
           OptionSpec::flag("all",
                            "the best links that are missing in the whole corpus, best first, to -o: .tsv, "
                            ".jsonl, .graphml or .gexf")
               .without({"FILE", "document", "format", "reasons"}),
           answers_option(), OptionSpec::whole("k", 5, "number of labels, and of documents, for each").within(1, 1e6),
           OptionSpec::whole("reasons", 5, "words that speak for each document").within(1, 1e6),
           format_option({"text", "json", "tsv"}).by_default_shown("text; json for many documents: a line for each"),
           threads_option()},
          "A score is the sum of three: words that both have, how near they are in the model's space, and how many\n"
          "documents like the text link there.\n\n"
          "Example:\n  echo 'a planet and its moon' | idne suggest my.idne -k 3\n"
          "  idne suggest my.idne new.jsonl -o suggested.tsv\n"
          "  idne suggest my.idne --all -o missing.tsv",
          suggest_asked,
          {},
          true};
}

}  // namespace idne::app
