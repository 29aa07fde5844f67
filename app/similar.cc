#include <algorithm>
#include <atomic>

#include "batch.h"
#include "idne/encode.h"
#include "idne/search.h"
#include "json/texts.h"
#include "methods/known_links.h"
#include "processes.h"
#include "terminal.h"
#include "text/joins.h"
#include "verbs.h"

namespace idne::app {
namespace {

bool is_known(std::span<const float> query) {
  return std::any_of(query.begin(), query.end(), [](float x) { return x != 0; });
}

/// The documents that a new text links to.
std::vector<std::uint32_t> linked_documents(const TextEncoder& encoder, const std::vector<std::string>& ids) {
  if (!ids.empty() && !encoder.joined()) {
    throw Error("--links: this model's documents are their texts alone; train with --neighbours");
  }
  std::vector<std::uint32_t> numbers;
  for (const std::string& id : ids) numbers.push_back(static_cast<std::uint32_t>(encoder.model().document(id)));
  return numbers;
}

/// The vector that is asked for: of a word, a topic, a document of the model, or a text.
std::vector<float> query_vector(const Model& model, const Options& options) {
  if (options.given("document")) {
    const auto row = model.documents().vectors.row(model.document(options.text("document")));
    return {row.begin(), row.end()};
  }
  const TextEncoder encoder(model);
  std::vector<float> vector(encoder.dimensions());
  if (options.given("topic")) {
    const std::size_t topic = options.size("topic");
    const MatrixView topics = model.topics().vectors;
    if (topic > topics.rows) throw UsageError(fmt::format("--topic: there are {} topics", topics.rows));
    encoder.encode_vector(topics.row(topic - 1), {}, vector);
    return vector;
  }
  Tokenizer tokenizer;
  const bool word = options.given("word");
  const std::string text = word ? options.text("word") : read_text(options.text("FILE"));
  const std::vector<WordCount> words = word ? encoder.words_asked_for(text, tokenizer) : encoder.words(text, tokenizer);
  if (words.empty() && word) throw Error(fmt::format("the model does not know the word '{}'", text));
  if (word && !encoder.find_word(text, tokenizer)) {
    for (const std::string& part : folded_words(text, tokenizer)) {
      if (!encoder.find_word(part, tokenizer)) tell("idne: the model does not know '{}'\n", printable_line(part));
    }
  }
  encoder.encode(words, linked_documents(encoder, options.list("links")), vector);
  return vector;
}

/// A document of the model is not one of those that are like it.
std::vector<Hit> without(std::vector<Hit> hits, std::size_t row, std::size_t count) {
  std::erase_if(hits, [&](const Hit& hit) { return hit.row == row; });
  hits.resize(std::min(count, hits.size()));
  return hits;
}

/// id, rank, what, score, title.
void add_rows_of(std::string_view id, const std::vector<Hit>& hits, const Documents& documents, std::string& out) {
  for (std::size_t k = 0; k < hits.size(); ++k) {
    out += fmt::format("{}\t{}\t{}\t{:.6g}\t{}\n", tsv_cell(id), k + 1, tsv_cell(documents.ids[hits[k].row]),
                       hits[k].score, tsv_cell(documents.titles[hits[k].row]));
  }
}

void similar_to_one(const Options& options, const std::string& format) {
  const Model model = Model::load(options.text("MODEL"));
  const std::vector<float> query = query_vector(model, options);
  const std::size_t count = options.size("k");
  std::vector<Hit> hits;
  if (is_known(query)) {
    const bool own = options.given("document");
    hits = nearest(model.documents().vectors, query, count + own, threads_of(options));
    if (own) hits = without(std::move(hits), model.document(options.text("document")), count);
  } else {
    tell("idne: the text has no word that the model knows, so nothing is near it\n");
  }
  if (format == "json") return write_answer(options, json_text(hits, model));
  if (format == "tsv") {
    std::string lines;
    add_rows_of(options.text("document"), hits, model.documents(), lines);
    return write_answer(options, lines);
  }
  if (hits.empty()) return;
  std::vector<std::vector<std::string>> rows;
  for (const Hit& hit : hits) {
    rows.push_back({fmt::format("{:.3f}", hit.score), std::string(model.documents().ids[hit.row]),
                    std::string(model.documents().titles[hit.row])});
  }
  print_table({">cosine", "id", "title"}, rows);
}

void similar_to_many(const Options& options, const std::string& format) {
  if (options.given("links")) throw UsageError("--links: of one text; documents have their own, as \"links\"");
  const Model model = load_in_all(options.text("MODEL"));
  const TextEncoder encoder(model);
  KnownLinks links(encoder);
  std::atomic<std::uint64_t> wordless{0};
  std::uint64_t count = 0;
  {
    const Session session(threads_of(options));
    const NearestSearch search = batch_search(options, model, session.run());
    count = answer_batch(
        options, "searching", session.run(), [&](const NewDocument& document, Tokenizer& tokenizer, std::string& out) {
          std::vector<float> query(encoder.dimensions());
          encoder.encode(encoder.words(document.text, tokenizer), links.numbers(document.links), query);
          std::vector<Hit> hits;
          if (is_known(query)) hits = search(query, options.size("k"));
          wordless += !is_known(query);
          if (format == "tsv") return add_rows_of(document.id, hits, model.documents(), out);
          out += json_line(document.id, hits, model);
        });
  }
  tell_answered(options, count, wordless);
  if (const std::uint64_t unknown = sum_of(ranks(), links.unknown())) {
    tell("idne: left out: {} to documents that the model does not have\n", counted(unknown, "link", "links"));
  }
}

void similar(const Options& options) {
  const bool other = options.given("document") || options.given("word") || options.given("topic");
  const bool batch = !other && first_says([&] { return is_batch(options.text("FILE")); });
  if (!(batch && can_be_shared(options.text("FILE"))) && leaves_to_first()) return;
  const std::string format = answer_format(options, batch);
  return batch ? similar_to_many(options, format) : similar_to_one(options, format);
}

}  // namespace

Verb similar_verb() {
  return {
      "similar",
      "the documents nearest to a text, a word or a topic",
      {model_option(), text_or_documents_option(), answers_option(),
       OptionSpec::whole("k", 10, "number of documents").within(1, 1e6),
       OptionSpec::text("word", "", "ask for a word instead of a text")
           .called("WORD")
           .without({"FILE", "topic", "document"}),
       OptionSpec::whole("topic", 0, "ask for a topic, numbered as `idne topics` does")
           .within(1, 1e6)
           .called("K")
           .without({"FILE", "document"}),
       OptionSpec::text("document", "", "ask for a document of the model, by its id").called("ID").without({"FILE"}),
       OptionSpec::list("links", "ids of documents that the text links to, with commas between")
           .separated_by(',')
           .called("ID,ID…")
           .without({"word", "topic", "document"}),
       format_option({"text", "json", "tsv"}).by_default_shown("text; json for many documents: a line for each"),
       threads_option()},
      "Example:\n  echo 'a planet and its moon' | idne similar my.idne -k 5\n  idne similar my.idne --word planet\n"
      "  idne similar my.idne new.jsonl -o similar.tsv",
      similar,
      {},
      true};
}

}  // namespace idne::app
