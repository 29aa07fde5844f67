#include <fmt/format.h>
#include <pybind11/stl.h>

#include "arguments.h"
#include "calls.h"
#include "idne/train.h"
#include "json/texts.h"
#include "module.h"
#include "verbs/checkpoints.h"
#include "verbs/evaluate.h"
#include "verbs/generate.h"
#include "verbs/imports.h"

namespace idne::python {
namespace {

/// The program's, apart from what it writes.
std::vector<OptionSpec> table_of(const std::string& verb, const std::string& kind) {
  if (verb == "train") {
    const MethodInfo method = method_named(kind);
    return joined({{threads_option(), strict_option()},
                   {method.options.begin(), method.options.end()},
                   word_options(),
                   checkpoint_options("the training"),
                   {every_option()}});
  }
  if (verb == "read") return joined({{threads_option(), strict_option()}, word_options()});
  if (verb == "evaluate") {
    return joined(
        {evaluation_options(), {threads_option()}, word_options(), checkpoint_options("each finished training")});
  }
  if (verb == "generate") return generate_options();
  for (const ImportKind& known : import_kinds()) {
    if (verb == "import" && known.name == kind) return known.options;
  }
  throw Error(fmt::format("there is no verb {} {}", verb, kind));
}

py::list options_of(const std::string& verb, const std::string& kind) {
  py::list result;
  for (const OptionSpec& spec : table_of(verb, kind)) result.append(described(spec));
  return result;
}

py::list methods() {
  py::list result;
  for (const MethodInfo& method : known_methods()) {
    result.append(py::make_tuple(std::string(method.name), std::string(method.summary), method.inductive));
  }
  return result;
}

py::list kinds_of_import() {
  py::list result;
  for (const ImportKind& kind : import_kinds()) result.append(py::make_tuple(kind.name, kind.summary));
  return result;
}

/// A corpus that was read, or the place of one.
Collection collection_at(const py::object& corpus, const Options& options, const py::object& progress) {
  const std::filesystem::path path = path_of(corpus.cast<py::bytes>());
  return long_call({threads_of(options), progress},
                   [&](const Run& run) { return read_collection(path, read_options(options), run); });
}

const Collection& held_collection(const py::object& corpus, std::optional<Collection>& read, const Options& options,
                                  const py::object& progress) {
  if (py::isinstance<HeldCorpus>(corpus)) return corpus.cast<const HeldCorpus&>().collection;
  return read.emplace(collection_at(corpus, options, progress));
}

/// With what a run has done kept where the options say.
std::unique_ptr<Checkpoint> checkpoint_of(const Options& options) {
  return open_checkpoint(options, "-", [](const std::filesystem::path&, const std::string&) {});
}

Run kept(const Run& run, Checkpoint* checkpoint) {
  Run result = run;
  result.checkpoint = checkpoint;
  return result;
}

ModelPointer train_model(const py::object& corpus, const std::string& method, const py::dict& values,
                         const py::object& progress) {
  const std::vector<OptionSpec> table = table_of("train", method);
  Options options(table);
  set_options(values, options);
  const MethodInfo info = method_named(method);
  const Options own = part_of(options, info.options);
  const std::unique_ptr<Checkpoint> checkpoint = checkpoint_of(options);
  std::optional<Collection> read;
  const Collection& collection = held_collection(corpus, read, options, progress);
  return std::make_shared<HeldModel>(long_call({threads_of(options), progress}, [&](const Run& run) {
    return train(collection, info.name, own, vocabulary_rule(options), kept(run, checkpoint.get()));
  }));
}

Evaluation evaluate_corpus(const py::object& corpus, const py::dict& values, const py::object& progress) {
  const std::vector<OptionSpec> table = table_of("evaluate", "");
  Options options(table);
  set_options(values, options);
  const EvaluateOptions wanted = evaluation_from(options, sweep_from(options));
  const std::unique_ptr<Checkpoint> checkpoint = checkpoint_of(options);
  std::optional<Collection> read;
  const Collection& collection = held_collection(corpus, read, options, progress);
  Evaluation evaluation = long_call({threads_of(options), progress}, [&](const Run& run) {
    return evaluate(collection, wanted, kept(run, checkpoint.get()));
  });
  evaluation.corpus = corpus_name(collection.name);
  return evaluation;
}

py::tuple import_with(const std::string& kind, const py::dict& values, const py::object& progress) {
  for (const ImportKind& known : import_kinds()) {
    if (known.name != kind) continue;
    Options options(known.options);
    set_options(values, options);
    const ImportOutcome outcome =
        long_call({hardware_threads(), progress}, [&](const Run& run) { return import_corpus(known, options, run); });
    py::dict counts;
    for (const auto& [what, number] : outcome.counts.all()) counts[text_for_python(what)] = number;
    return py::make_tuple(outcome.documents, counts);
  }
  throw Error(fmt::format("there is no import of {}", kind));
}

std::uint32_t generate(const py::dict& values, const py::object& progress) {
  const std::vector<OptionSpec> table = generate_options();
  Options options(table);
  set_options(values, options);
  const GenerateOptions wanted = generation_from(options);
  run_beside({1, progress}, [&](const Run& run) { generate_corpus(wanted, options.text("output"), run); });
  return wanted.documents;
}

}  // namespace

void add_verbs(py::module_& module) {
  module.def("options_of", &options_of, py::arg("verb"), py::arg("kind") = "");
  module.def("methods", &methods);
  module.def("kinds_of_import", &kinds_of_import);
  module.def("train", &train_model, py::arg("corpus"), py::arg("method"), py::arg("options"), py::arg("progress"));
  module.def("evaluate", &evaluate_corpus, py::arg("corpus"), py::arg("options"), py::arg("progress"));
  module.def("import_corpus", &import_with, py::arg("kind"), py::arg("options"), py::arg("progress"));
  module.def("generate", &generate, py::arg("options"), py::arg("progress"));
  py::class_<Evaluation>(module, "Evaluation")
      .def("json", [](const Evaluation& evaluation) { return text_for_python(json_text(evaluation)); })
      .def("csv", [](const Evaluation& evaluation) { return text_for_python(as_csv(evaluation)); })
      .def("markdown", [](const Evaluation& evaluation) { return text_for_python(as_markdown(evaluation)); })
      .def("latex", [](const Evaluation& evaluation) { return text_for_python(as_latex(evaluation)); })
      .def(
          "table",
          [](const Evaluation& evaluation, std::size_t width) {
            return text_for_python(as_table(evaluation, false, width));
          },
          py::arg("width"));
}

}  // namespace idne::python
