#include "batch.h"
#include "endings.h"
#include "idne/model.h"
#include "idne/vectors.h"
#include "processes.h"
#include "terminal.h"
#include "verbs.h"

namespace idne::app {
namespace {

/// What --format says, or else the file's ending.
VectorFormat vector_format(const Options& options) {
  const bool asked = options.given("format");
  const std::string &format = options.text("format"), &out = options.text("output");
  if (asked ? format == "tsv" : out.ends_with(".tsv")) return VectorFormat::Tsv;
  if (asked ? format == "jsonl" : out.ends_with(".jsonl")) return VectorFormat::Jsonl;
  return VectorFormat::Npy;
}

void embed(const Options& options) {
  check_ending(options, {".npy", ".tsv", ".jsonl"});
  const VectorFormat format = vector_format(options);
  const std::string &documents = options.text("DOCS"), &out = options.text("output");
  if (out == "-" && format == VectorFormat::Npy && is_terminal(stdout)) {
    throw UsageError("an .npy file is nothing to look at; give -o FILE, or --format tsv");
  }
  if (!can_be_shared(documents) && leaves_to_first()) return;
  const Model model = load_in_all(options.text("MODEL"));
  Embedded done;
  {
    const Session session(threads_of(options));
    done = embed_documents(model, documents == "-" ? "/dev/stdin" : documents, out, format, session.run());
  }
  if (done.unknown_links) {
    tell("idne: left out: {} to documents that the model does not have\n",
         counted(done.unknown_links, "link", "links"));
  }
  if (done.wordless) {
    tell("idne: {} no word that the model knows\n", counted(done.wordless, "document has", "documents have"));
  }
  if (out != "-") {
    tell("{} of {}: {}\n", counted(done.documents, "vector", "vectors"),
         counted(model.documents().vectors.columns, "dimension", "dimensions"), out);
  }
}

}  // namespace

Verb embed_verb() {
  return {
      "embed",
      "vectors for new documents, from their texts alone",
      {model_option(),
       OptionSpec::input("DOCS", "a JSONL file with a \"text\" on each line, or a corpus folder; - is standard input")
           .needed(),
       OptionSpec::output("file to write; - is standard output").by_default("-"),
       OptionSpec::choice("format", {"npy", "tsv", "jsonl"}, "form of the output")
           .by_default_shown("by the ending of -o, else npy"),
       threads_option()},
      "One row per document, in order; a document without known words gets zeros. Where the model was trained with\n"
      "--neighbours, a document's \"links\" to the model's documents count too.\n\n"
      "Example:\n  idne embed my.idne new.jsonl -o new.npy",
      embed,
      {},
      true};
}

}  // namespace idne::app
