#include <fmt/format.h>

#include <memory>
#include <optional>

#include "idne/method.h"
#include "idne/search.h"
#include "serve/answers.h"
#include "terminal.h"
#include "verbs.h"

namespace idne::app {
namespace {

struct Arguments {
  std::string model, file, format;
  std::optional<std::string> word, document;
  std::vector<std::string> links;
  std::size_t topic = 0, count = 10;
  int threads = 1;
};

std::vector<float> row_of(MatrixView rows, std::size_t number) {
  return {rows.row(number).begin(), rows.row(number).end()};
}

/// The documents that a new text links to.
std::vector<std::uint32_t> linked_documents(const Model& model, const TextEncoder& encoder,
                                            const std::vector<std::string>& ids) {
  if (!ids.empty() && !encoder.joined()) {
    throw Error("--links: this model's documents are their texts alone; train with --neighbours");
  }
  std::vector<std::uint32_t> numbers;
  for (const std::string& id : ids) {
    const auto row = model.find_document(id);
    if (!row) throw Error(fmt::format("--links: the model has no document with the id '{}'", id));
    numbers.push_back(static_cast<std::uint32_t>(*row));
  }
  return numbers;
}

/// The vector that is asked for: of a word, a topic, a document of the model, or a text.
std::vector<float> query_vector(const Model& model, const Arguments& arguments) {
  if (arguments.document) {
    const auto row = model.find_document(*arguments.document);
    if (!row) throw Error(fmt::format("the model has no document with the id '{}'", *arguments.document));
    return row_of(model.documents(), *row);
  }
  const TextEncoder encoder(model);
  if (arguments.topic) {
    if (!model.has("topics.vectors")) throw Error("this model's method has no topics; train with --method idne");
    const MatrixView topics = model.topics();
    if (arguments.topic > topics.rows) throw UsageError(fmt::format("--topic: there are {} topics", topics.rows));
    std::vector<float> vector(encoder.dimensions());
    encoder.encode_vector(topics.row(arguments.topic - 1), {}, vector);
    return vector;
  }
  Tokenizer tokenizer;
  const std::string text = arguments.word ? *arguments.word : read_text(arguments.file);
  const std::vector<WordCount> words = encoder.words(text, tokenizer);
  if (words.empty() && arguments.word) {
    throw Error(fmt::format("the model does not know the word '{}'", *arguments.word));
  }
  std::vector<float> vector(encoder.dimensions());
  encoder.encode(words, linked_documents(model, encoder, arguments.links), vector);
  return vector;
}

void similar_verb(const Arguments& arguments) {
  const Model model = Model::load(arguments.model);
  const std::vector<float> query = query_vector(model, arguments);
  const bool known = std::any_of(query.begin(), query.end(), [](float x) { return x != 0; });
  const auto hits = known ? nearest(model.documents(), query, arguments.count, arguments.threads) : std::vector<Hit>{};
  if (!known) fmt::print(stderr, "idne: the text has no word that the model knows, so nothing is near it\n");
  const StringsView ids = model.strings("documents.ids"), titles = model.strings("documents.titles");
  if (arguments.format == "json") {
    print_result(text_of(to_json(hits, model), 1) + "\n");
  } else if (known) {
    std::vector<std::vector<std::string>> rows;
    for (const Hit& hit : hits) {
      rows.push_back({fmt::format("{:.3f}", hit.score), std::string(ids[hit.row]), std::string(titles[hit.row])});
    }
    print_table({">cosine", "id", "title"}, rows);
  }
}

}  // namespace

void add_similar(CLI::App& program) {
  auto* verb = program.add_subcommand("similar", "the documents nearest to a text, a word or a topic");
  const auto a = std::make_shared<Arguments>();
  add_model(*verb, a->model);
  auto* file = add_text_file(*verb, a->file);
  verb->add_option("-k", a->count, "number of documents")->check(CLI::Range(1, 1000000))->capture_default_str();
  auto* word = verb->add_option("--word", a->word, "ask for a word instead of a text");
  auto* topic = verb->add_option("--topic", a->topic, "ask for a topic, numbered as `idne topics` does")
                    ->check(CLI::Range(1, 1000000));
  auto* document = verb->add_option("--document", a->document, "ask for a document of the model, by its id");
  auto* links = verb->add_option("--links", a->links, "ids of documents that the text links to, with commas between")
                    ->delimiter(',')
                    ->type_name("ID,ID…");
  for (auto* other : {word, topic, document}) links->excludes(other);
  word->excludes(topic)->excludes(document);
  topic->excludes(document);
  for (auto* other : {word, topic, document}) file->excludes(other);
  add_format(*verb, a->format, {"text", "json"});
  add_threads(*verb, a->threads);
  verb->footer(
      "Example:\n  echo 'a planet and its moon' | idne similar my.idne -k 5\n  idne similar my.idne --word planet");
  verb->callback([a] { similar_verb(*a); });
}

}  // namespace idne::app
