#include "idne/evaluate.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "checkpointing.h"
#include "endings.h"
#include "evaluate_plot.h"
#include "idne/output_file.h"
#include "json/texts.h"
#include "processes.h"
#include "terminal.h"
#include "verbs.h"

namespace idne::app {
namespace {

/// Throws UsageError if what is asked for cannot be drawn.
void check_plot(const Options& options, const std::optional<Sweep>& sweep, const std::vector<Contestant>& contestants) {
  const std::string& plot = options.text("plot");
  if (plot.empty()) return;
  if (const std::filesystem::path ending = std::filesystem::path(plot).extension();
      !ending.empty() && ending != ".svg") {
    throw UsageError("--plot: the file must end in .svg");
  }
  if (!sweep) throw UsageError("--plot draws a sweep, and there is none: add --sweep NAME=VALUES");
  if (plot == options.text("output")) throw UsageError(fmt::format("--plot and -o both write {}", plot));
  if (std::none_of(contestants.begin(), contestants.end(),
                   [&](const Contestant& contestant) { return swept_number(contestant, *sweep).has_value(); })) {
    throw UsageError(
        fmt::format("--plot: the values of {} are words; only numbers have a place on an axis", sweep->name));
  }
}

std::string report_format(const Options& options) {
  if (options.given("format")) return options.text("format");
  const std::string ending = std::filesystem::path(options.text("output")).extension().string();
  if (ending == ".json") return "json";
  if (ending == ".csv") return "csv";
  if (ending == ".md") return "markdown";
  if (ending == ".tex") return "latex";
  return "table";
}

std::string formatted(const Evaluation& evaluation, const std::string& format, bool to_terminal) {
  if (format == "json") return json_text(evaluation);
  if (format == "csv") return as_csv(evaluation);
  if (format == "markdown") return as_markdown(evaluation);
  if (format == "latex") return as_latex(evaluation);
  return as_table(evaluation, to_terminal && use_colour(), to_terminal ? terminal_width(stdout).value_or(120) : 120);
}

/// To FILE, or to stdout for "-".
void write_result(const std::string& file, std::string_view text) {
  if (file == "-") return print_result(text);
  OutputFile output(file);
  output.write(text);
  output.commit();
}

bool anything_done(const Evaluation& evaluation) {
  return std::any_of(evaluation.cells.begin(), evaluation.cells.end(),
                     [](const Cell& cell) { return !cell.values.empty(); });
}

OptionSpec plot_option() {
  OptionSpec spec = OptionSpec::text("plot", "", "file for a picture (SVG) of the sweep").called("FILE");
  spec.file = OptionSpec::File::Output;
  return spec;
}

void evaluate_asked(const Options& options, const std::vector<std::string>& arguments) {
  const std::string &out = options.text("output"), &plot = options.text("plot");
  const std::optional<Sweep> sweep = sweep_from(options);
  const EvaluateOptions wanted = evaluation_from(options, sweep);
  check_plot(options, sweep, wanted.contestants);
  check_ending(options, {".json", ".csv", ".md", ".tex", ".txt"});
  std::unique_ptr<Checkpoint> checkpoint;  // one process keeps what all have done
  first_does([&] {
    for (const std::string& file : {out, plot}) {
      if (!file.empty() && file != "-") check_writable(file);
    }
    checkpoint = checkpoint_from(options, out);
  });

  Evaluation evaluation;
  {
    const Session session(threads_of(options));
    const Collection collection = read_collection(options.text("CORPUS"), read_options(options), session.run());
    evaluation = evaluate(collection, wanted, kept(session.run(), checkpoint.get()));
    evaluation.corpus = corpus_name(options.text("CORPUS"));
  }
  if (!speaks()) {
    if (evaluation.interrupted) throw Interrupted();
    return;
  }
  const Interrupted stopped = checkpoint ? stopped_with(*checkpoint, arguments) : Interrupted();
  if (evaluation.interrupted && !anything_done(evaluation)) throw stopped;
  write_result(out, formatted(evaluation, report_format(options), out == "-"));
  if (!plot.empty()) write_result(plot, as_svg(plot_of(evaluation, wanted, *sweep)));
  if (!evaluation.interrupted) return;
  constexpr const char* kWritten = "the figures are of what was done";
  throw Interrupted(checkpoint ? fmt::format("{}; {}", kWritten, stopped.what()) : kWritten);
}

}  // namespace

Verb evaluate_verb(const std::vector<std::string>& arguments) {
  return {"evaluate",
          "how well methods do on a corpus, by the paper's tasks and by what they suggest",
          joined({{corpus_option()},
                  evaluation_options(),
                  {OptionSpec::output("file to write; - is standard output").by_default("-"), plot_option(),
                   OptionSpec::choice("format", {"table", "json", "csv", "markdown", "latex"}, "form of the output")
                       .by_default_shown("by the ending of -o, else table"),
                   threads_option()},
                  checkpoint_options("each finished training"),
                  word_options()}),
          "Example:\n  idne evaluate corpus --methods idne,lsa --repeats 3\n"
          "  idne evaluate corpus --tasks classification --sweep topics=4,8,16,32 --plot topics.svg\n"
          "  idne evaluate corpus --tasks suggest-links,suggest-labels --methods idne,tfidf,bm25",
          [arguments](const Options& options) { evaluate_asked(options, arguments); },
          {},
          true};
}

}  // namespace idne::app
