#include <fmt/format.h>

#include <memory>

#include "idne/vectors.h"
#include "terminal.h"
#include "verbs.h"

namespace idne::app {
namespace {

struct Arguments {
  std::string model, documents, out = "-", format;
  int threads = 1;
};

VectorFormat format_from(const std::string& name) {
  return name == "tsv" ? VectorFormat::Tsv : name == "jsonl" ? VectorFormat::Jsonl : VectorFormat::Npy;
}

void embed_verb(const Arguments& arguments) {
  if (arguments.out == "-" && arguments.format == "npy" && is_terminal(stdout)) {
    throw UsageError("an .npy file is nothing to look at; give -o FILE, or --format tsv");
  }
  const Model model = Model::load(arguments.model);
  std::uint64_t rows = 0;
  {
    const Session session(arguments.threads);
    rows = embed_documents(model, arguments.documents == "-" ? "/dev/stdin" : arguments.documents, arguments.out,
                           format_from(arguments.format), session.run());
  }
  if (arguments.out != "-") {
    fmt::print(stderr, "{} vectors of {} dimensions: {}\n", with_commas(rows), model.documents().columns,
               arguments.out);
  }
}

}  // namespace

void add_embed(CLI::App& program) {
  auto* verb = program.add_subcommand("embed", "vectors for new documents, from their texts alone");
  const auto a = std::make_shared<Arguments>();
  add_model(*verb, a->model);
  verb->add_option("DOCS", a->documents,
                   "a JSONL file with a \"text\" on each line, or a corpus folder; - is standard input")
      ->required();
  verb->add_option("-o,--output", a->out, "file to write; - is standard output")->capture_default_str();
  add_format(*verb, a->format, {"npy", "tsv", "jsonl"});
  add_threads(*verb, a->threads);
  verb->footer(
      "One row a document, in order; a document without known words gets zeros.\n\n"
      "Example:\n  idne embed my.idne new.jsonl -o new.npy");
  verb->callback([a] { embed_verb(*a); });
}

}  // namespace idne::app
