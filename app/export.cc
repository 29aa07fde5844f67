#include "idne/export.h"

#include <map>

#include "endings.h"
#include "idne/vectors.h"
#include "methods/topic_words.h"
#include "missing.h"
#include "terminal.h"
#include "verbs.h"

namespace idne::app {
namespace {

using Formats = std::map<std::string, VectorFormat>;

void check_no_projector(const Options& options) {
  if (options.given("projector")) {
    throw UsageError("--projector: only with documents, words and topics, which have vectors");
  }
}

void export_topics_of_documents(const Options& options) {
  check_no_projector(options);
  const std::string& out = options.text("output");
  const VectorFormat format = by_ending(
      out, Formats{{".npy", VectorFormat::Npy}, {".tsv", VectorFormat::Tsv}, {".jsonl", VectorFormat::Jsonl}});
  const Model model = Model::load(options.text("MODEL"));
  {
    const Session session(threads_of(options));
    write_topics_of_documents(model, out, format, session.run());
  }
  tell("{} × {}: {}\n", counted(model.documents().size(), "document", "documents"),
       counted(model.topics().size(), "topic", "topics"), out);
}

void export_topic_words(const Options& options) {
  check_no_projector(options);
  const std::string& out = options.text("output");
  const VectorFormat format = by_ending(out, Formats{{".tsv", VectorFormat::Tsv}, {".jsonl", VectorFormat::Jsonl}});
  const Model model = Model::load(options.text("MODEL"));
  {
    const Session session(threads_of(options));
    write_topic_words(model, kRankedTopicWords, out, format, session.run());
  }
  tell("words of {}: {}\n", counted(model.topics().size(), "topic", "topics"), out);
}

void export_asked(const Options& options) {
  if (options.text("WHAT") == "links") {
    return write_missing_links(options, options.size("top"), options.real("min-score"));
  }
  if (options.text("WHAT") == "topics-of-documents") return export_topics_of_documents(options);
  if (options.text("WHAT") == "topic-words") return export_topic_words(options);
  const std::string &out = options.text("output"), &projector = options.text("projector");
  if (out.empty() && projector.empty()) throw UsageError("-o or --projector is missing");
  const Formats formats{{".npy", VectorFormat::Npy},
                        {".tsv", VectorFormat::Tsv},
                        {".vec", VectorFormat::Vec},
                        {".jsonl", VectorFormat::Jsonl}};
  if (!out.empty()) by_ending(out, formats);
  const Session session(threads_of(options));
  const Model model = Model::load(options.text("MODEL"));
  const ExportTable table = export_table(model, options.text("WHAT"), session.run());
  const auto tell_where = [&](const std::string& where) {
    tell("{} of {}: {}\n", counted(table.rows.rows, "vector", "vectors"),
         counted(table.rows.columns, "dimension", "dimensions"), where);
  };
  if (!out.empty()) {
    write_vectors(table.rows, table.names, out, by_ending(out, formats), table.json, session.run());
    tell_where(out);
  }
  if (!projector.empty()) {
    write_projector(table, projector, session.run());
    tell_where(projector);
  }
}

}  // namespace

Verb export_verb() {
  return {
      "export",
      "a model's vectors, its topics in documents, or the links it suggests, for other programs",
      {model_option(),
       OptionSpec::choice("WHAT", {"documents", "words", "topics", "topics-of-documents", "topic-words", "links"},
                          "whose vectors; or the share of each topic in each document; the words of each topic; the "
                          "links between documents that are suggested and not there yet")
           .needed(),
       OptionSpec::output("file to write: .npy (NumPy), .tsv, .vec (word2vec's text), .jsonl; for links also "
                          ".graphml and .gexf; beside an .npy names go to FILE.ids.txt"),
       written_as_folder(OptionSpec::text("projector", "",
                                          "folder for vectors.tsv and metadata.tsv, as embedding projectors read them")
                             .called("FOLDER"),
                         {"vectors.tsv", "metadata.tsv"}),
       OptionSpec::whole("top", 5, "links: so many are looked for from each document").within(1, 1000),
       OptionSpec::real("min-score", 0, "links: of at least this score, as `idne suggest` shows it").within(0, 100),
       threads_option()},
      "Example:\n  idne export my.idne documents -o documents.npy\n"
      "  idne export my.idne topics-of-documents -o shares.tsv\n  idne export my.idne links -o suggested.graphml",
      export_asked};
}

}  // namespace idne::app
