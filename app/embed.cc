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

/// What --format says, or else the file's ending.
VectorFormat format_of(const Arguments& arguments) {
  const bool asked = !arguments.format.empty();
  if (asked ? arguments.format == "tsv" : arguments.out.ends_with(".tsv")) return VectorFormat::Tsv;
  if (asked ? arguments.format == "jsonl" : arguments.out.ends_with(".jsonl")) return VectorFormat::Jsonl;
  return VectorFormat::Npy;
}

void embed_verb(const Arguments& arguments) {
  const VectorFormat format = format_of(arguments);
  if (arguments.out == "-" && format == VectorFormat::Npy && is_terminal(stdout)) {
    throw UsageError("an .npy file is nothing to look at; give -o FILE, or --format tsv");
  }
  const Model model = Model::load(arguments.model);
  Embedded done;
  {
    const Session session(arguments.threads);
    done = embed_documents(model, arguments.documents == "-" ? "/dev/stdin" : arguments.documents, arguments.out,
                           format, session.run());
  }
  if (done.unknown_links) {
    fmt::print(stderr, "idne: {} links to documents that the model does not have were left out\n",
               with_commas(done.unknown_links));
  }
  if (arguments.out != "-") {
    fmt::print(stderr, "{} vectors of {} dimensions: {}\n", with_commas(done.documents), model.documents().columns,
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
  verb->add_option("--format", a->format, "form of the output: npy, tsv or jsonl")
      ->check(CLI::IsMember({"npy", "tsv", "jsonl"}))
      ->default_str("by the ending of -o, else npy");
  add_threads(*verb, a->threads);
  verb->footer(
      "One row a document, in order; a document without known words gets zeros. Where the model was trained with\n"
      "--neighbours, a document's \"links\" to the model's documents count too.\n\n"
      "Example:\n  idne embed my.idne new.jsonl -o new.npy");
  verb->callback([a] { embed_verb(*a); });
}

}  // namespace idne::app
