#include "idne/generate.h"

#include "terminal.h"
#include "verbs.h"

namespace idne::app {
namespace {

void generate(const Options& options) {
  GenerateOptions wanted;
  const auto number = [&](const char* name) { return static_cast<std::uint32_t>(options.integer(name)); };
  wanted.documents = number("documents");
  wanted.fields = number("fields");
  wanted.words = number("words");
  wanted.links = number("links");
  wanted.seed = static_cast<std::uint64_t>(options.integer("seed"));
  {
    const Session session(1);
    generate_corpus(wanted, options.text("output"), session.run());
  }
  tell("{} documents in {} fields: {}\n", with_commas(wanted.documents), wanted.fields, options.text("output"));
}

}  // namespace

Verb generate_verb() {
  const GenerateOptions usual;
  return {
      "generate",
      "make a corpus with known fields, of any size, to try things on",
      {OptionSpec::output("folder to write").called("FOLDER").needed(),
       OptionSpec::whole("documents", usual.documents, "number of documents").within(1, 1e9),
       OptionSpec::whole("fields", usual.fields, "number of fields; the first twelve have real words").within(1, 4000),
       OptionSpec::whole("words", usual.words, "words per document").within(1, 1e6),
       OptionSpec::whole("links", usual.links, "links from each document").within(0, 1000),
       OptionSpec::whole("seed", static_cast<std::int64_t>(usual.seed), "seed of all random numbers").within(0, 9e15)},
      "Example:\n  idne generate --documents 10000 --fields 12 -o corpus",
      generate};
}

}  // namespace idne::app
