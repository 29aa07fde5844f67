#include <fmt/format.h>

#include <memory>

#include "idne/vectors.h"
#include "terminal.h"
#include "verbs.h"

namespace idne::app {
namespace {

struct Arguments {
  std::string model, what, out;
};

void export_verb(const Arguments& arguments) {
  if (!arguments.out.ends_with(".npy")) throw UsageError("-o: the file must end in .npy");
  const Model model = Model::load(arguments.model);
  const MatrixView rows = model.documents();
  write_vectors(rows, model.strings("documents.ids"), arguments.out, VectorFormat::Npy);
  fmt::print(stderr, "{} vectors of {} dimensions: {}\n", with_commas(rows.rows), rows.columns, arguments.out);
}

}  // namespace

void add_export(CLI::App& program) {
  auto* verb = program.add_subcommand("export", "a model's vectors for other programs");
  const auto a = std::make_shared<Arguments>();
  add_model(*verb, a->model);
  verb->add_option("WHAT", a->what, "whose vectors")->required()->check(CLI::IsMember({"documents"}));
  verb->add_option("-o,--output", a->out, "file to write, .npy")->required();
  verb->footer("Example:\n  idne export my.idne documents -o documents.npy");
  verb->callback([a] { export_verb(*a); });
}

}  // namespace idne::app
