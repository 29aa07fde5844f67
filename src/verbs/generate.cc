#include "verbs/generate.h"

namespace idne {

std::vector<OptionSpec> generate_options() {
  const GenerateOptions usual;
  return {
      OptionSpec::output("folder to write").called("FOLDER").needed(),
      OptionSpec::whole("documents", usual.documents, "number of documents").within(1, 1e9),
      OptionSpec::whole("fields", usual.fields, "number of fields; the first twelve have real words").within(1, 4000),
      OptionSpec::whole("words", usual.words, "words per document").within(1, 1e6),
      OptionSpec::whole("links", usual.links, "links from each document").within(0, 1000),
      OptionSpec::whole("seed", static_cast<std::int64_t>(usual.seed), "seed of all random numbers").within(0, 9e15)};
}

GenerateOptions generation_from(const Options& options) {
  GenerateOptions wanted;
  const auto number = [&](const char* name) { return static_cast<std::uint32_t>(options.integer(name)); };
  wanted.documents = number("documents");
  wanted.fields = number("fields");
  wanted.words = number("words");
  wanted.links = number("links");
  wanted.seed = static_cast<std::uint64_t>(options.integer("seed"));
  return wanted;
}

}  // namespace idne
