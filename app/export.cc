#include "idne/export.h"

#include <fmt/format.h>

#include <map>
#include <memory>

#include "idne/output_file.h"
#include "idne/vectors.h"
#include "terminal.h"
#include "verbs.h"

namespace idne::app {
namespace {

struct Arguments {
  std::string model, what, out, projector;
  LinkGraphOptions links;
  int threads = 1;
};

/// The format that a file's ending asks for.
template <class Format>
Format by_ending(const std::string& file, const std::map<std::string, Format>& formats) {
  std::string known;
  for (const auto& [ending, format] : formats) {
    if (file.ends_with(ending)) return format;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", ending);
  }
  throw UsageError(fmt::format("-o: the file must end in one of {}", known));
}

void export_links(const Arguments& arguments) {
  if (arguments.out.empty()) throw UsageError("links: -o is missing, a .graphml or .gexf file");
  const auto format =
      by_ending<GraphFormat>(arguments.out, {{".graphml", GraphFormat::GraphMl}, {".gexf", GraphFormat::Gexf}});
  check_writable(arguments.out);
  std::uint64_t edges = 0;
  {
    const Session session(arguments.threads);
    edges = write_link_graph(Model::load(arguments.model), arguments.links, arguments.out, format, session.run());
  }
  fmt::print(stderr, "{} suggested links: {}\n", with_commas(edges), arguments.out);
}

void export_verb(const Arguments& arguments) {
  if (arguments.what == "links") return export_links(arguments);
  if (arguments.out.empty() && arguments.projector.empty()) throw UsageError("-o or --projector is missing");
  const std::map<std::string, VectorFormat> formats{{".npy", VectorFormat::Npy},
                                                    {".tsv", VectorFormat::Tsv},
                                                    {".vec", VectorFormat::Vec},
                                                    {".jsonl", VectorFormat::Jsonl}};
  if (!arguments.out.empty()) by_ending(arguments.out, formats);
  const Model model = Model::load(arguments.model);
  const ExportTable table = export_table(model, arguments.what, arguments.threads);
  const auto tell = [&](const std::string& where) {
    fmt::print(stderr, "{} vectors of {} dimensions: {}\n", with_commas(table.rows.rows), table.rows.columns, where);
  };
  if (!arguments.out.empty()) {
    write_vectors(table.rows, table.names, arguments.out, by_ending(arguments.out, formats));
    tell(arguments.out);
  }
  if (!arguments.projector.empty()) {
    write_projector(table, arguments.projector);
    tell(arguments.projector);
  }
}

}  // namespace

void add_export(CLI::App& program) {
  auto* verb = program.add_subcommand("export", "a model's vectors, or the links it suggests, for other programs");
  const auto a = std::make_shared<Arguments>();
  add_model(*verb, a->model);
  verb->add_option("WHAT", a->what, "whose vectors; or the links that documents suggest to each other")
      ->required()
      ->check(CLI::IsMember({"documents", "words", "topics", "links"}));
  verb->add_option("-o,--output", a->out,
                   "file to write: .npy (NumPy), .tsv, .vec (word2vec's text), .jsonl; for links .graphml or .gexf");
  verb->add_option("--projector", a->projector,
                   "folder for vectors.tsv and metadata.tsv, as embedding projectors read them");
  verb->add_option("--top", a->links.top, "links: so many from each document")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  verb->add_option("--min-score", a->links.least, "links: of at least this cosine")
      ->check(CLI::Range(-1.0, 1.0))
      ->capture_default_str();
  add_threads(*verb, a->threads);
  verb->footer(
      "Example:\n  idne export my.idne documents -o documents.npy\n  idne export my.idne links -o suggested.graphml");
  verb->callback([a] { export_verb(*a); });
}

}  // namespace idne::app
