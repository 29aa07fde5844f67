#include "idne/evaluate.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>

#include "idne/output_file.h"
#include "terminal.h"
#include "text_options.h"
#include "verbs.h"

namespace idne::app {
namespace {

struct Arguments {
  std::string corpus, out = "-", format, plot;
  std::string methods = "idne", tasks = "all", ratios, sweep;
  std::vector<std::string> settings;
  OptionTexts word_options;
  ReadOptions read;
  std::size_t repeats = 10, neighbours = 2;
  std::uint64_t seed = 1;
  int threads = 1;
};

/// What stands between the commas; a part that is there twice, or nothing at all, is wrong usage.
std::vector<std::string> comma_separated(std::string_view option, const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) {
    if (std::find(parts.begin(), parts.end(), part) != parts.end()) {
      throw UsageError(fmt::format("--{}: '{}' is there twice", option, part));
    }
    if (!part.empty()) parts.push_back(part);
  }
  if (parts.empty()) throw UsageError(fmt::format("--{}: '{}' names nothing", option, text));
  return parts;
}

/// NAME=VALUE in two.
std::pair<std::string, std::string> assignment(std::string_view option, const std::string& text) {
  const std::size_t at = text.find('=');
  if (at == 0 || at == std::string::npos) {
    throw UsageError(fmt::format("--{}: '{}' is not NAME=VALUE", option, text));
  }
  return {text.substr(0, at), text.substr(at + 1)};
}

/// An option that runs through several values.
struct Sweep {
  std::string name;
  std::vector<std::string> values;
};

std::optional<Sweep> sweep_from(const std::string& text) {
  if (text.empty()) return {};
  const auto [name, values] = assignment("sweep", text);
  return Sweep{name, comma_separated("sweep", values)};
}

std::vector<Contestant> named_contestants(const Arguments& arguments) {
  std::vector<Contestant> contestants;
  const auto add = [&](const Method& method) {
    const Options options(method.options());
    contestants.push_back(
        {std::string(method.name()), &method, options, options.has("neighbours") ? arguments.neighbours : 0});
  };
  if (arguments.methods == "all") {
    for (const Method* method : methods()) add(*method);
  } else {
    for (const std::string& name : comma_separated("methods", arguments.methods)) add(find_method(name));
  }
  return contestants;
}

/// Throws Error, the options' own, for an option that no contestant has.
void check_known(const std::vector<Contestant>& contestants, const std::string& name) {
  for (const Contestant& contestant : contestants) {
    if (contestant.options.has(name)) return;
  }
  contestants.front().options.value(name);
}

/// Each contestant that has the option, once a value.
std::vector<Contestant> swept(const std::vector<Contestant>& contestants, const Sweep& sweep) {
  std::vector<Contestant> result;
  for (const Contestant& contestant : contestants) {
    if (!contestant.options.has(sweep.name)) {
      result.push_back(contestant);
      continue;
    }
    for (const std::string& value : sweep.values) {
      Contestant one = contestant;
      one.options.set(sweep.name, value);
      one.name = fmt::format("{} {}={}", contestant.name, sweep.name, to_text(one.options.value(sweep.name)));
      for (const Contestant& other : result) {
        if (other.name == one.name) throw UsageError(fmt::format("--sweep: '{}' is there twice", one.name));
      }
      result.push_back(std::move(one));
    }
  }
  return result;
}

std::vector<Contestant> contestants_from(const Arguments& arguments, const std::optional<Sweep>& sweep) {
  std::vector<Contestant> contestants = named_contestants(arguments);
  for (const std::string& setting : arguments.settings) {
    const auto [name, value] = assignment("set", setting);
    if (sweep && sweep->name == name) throw UsageError(fmt::format("--set {}: --sweep sets it too", setting));
    check_known(contestants, name);
    for (Contestant& contestant : contestants) {
      if (contestant.options.has(name)) contestant.options.set(name, value);
    }
  }
  if (!sweep) return contestants;
  check_known(contestants, sweep->name);
  return swept(contestants, *sweep);
}

std::vector<Task> tasks_from(const std::string& text) {
  if (text == "all") return {Task::Classification, Task::InductiveClassification, Task::InductiveLinks};
  std::vector<Task> tasks;
  for (const std::string& name : comma_separated("tasks", text)) tasks.push_back(find_task(name));
  return tasks;
}

std::vector<double> ratios_from(const std::string& text) {
  if (text.empty()) return {};
  std::vector<double> ratios;
  for (const std::string& part : comma_separated("ratios", text)) {
    char* end = nullptr;
    const double ratio = std::strtod(part.c_str(), &end);
    if (*end != '\0' || !(ratio > 0 && ratio < 1)) {
      throw UsageError(fmt::format("--ratios: '{}' is not a share between 0 and 1", part));
    }
    if (std::find(ratios.begin(), ratios.end(), ratio) != ratios.end()) {
      throw UsageError(fmt::format("--ratios: '{}' is there twice", part));
    }
    ratios.push_back(ratio);
  }
  return ratios;
}

/// Where a contestant of a sweep stands on the axis; nothing for one that is not swept, or over words.
std::optional<double> swept_number(const Contestant& contestant, const Sweep& sweep) {
  if (!contestant.options.has(sweep.name)) return {};
  const OptionValue& value = contestant.options.value(sweep.name);
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return {};
}

/// Throws UsageError if what is asked for cannot be drawn.
void check_plot(const Arguments& arguments, const std::optional<Sweep>& sweep,
                const std::vector<Contestant>& contestants) {
  if (arguments.plot.empty()) return;
  if (!sweep) throw UsageError("--plot draws a sweep, and there is none: add --sweep NAME=VALUES");
  if (arguments.plot == arguments.out) throw UsageError(fmt::format("--plot and -o both write {}", arguments.plot));
  if (std::none_of(contestants.begin(), contestants.end(),
                   [&](const Contestant& contestant) { return swept_number(contestant, *sweep).has_value(); })) {
    throw UsageError(
        fmt::format("--plot: the values of {} are words; only numbers have a place on an axis", sweep->name));
  }
}

/// The paper's figure: a line a ratio or, without classification, a line a task.
Plot plot_of(const Evaluation& evaluation, const EvaluateOptions& options, const Sweep& sweep) {
  const bool by_ratio =
      std::find(options.tasks.begin(), options.tasks.end(), Task::Classification) != options.tasks.end();
  std::vector<const Method*> drawn;
  double least = 0, most = 0;
  for (const Contestant& contestant : options.contestants) {
    const std::optional<double> x = swept_number(contestant, sweep);
    if (!x) continue;
    least = drawn.empty() ? *x : std::min(least, *x);
    most = drawn.empty() ? *x : std::max(most, *x);
    if (std::find(drawn.begin(), drawn.end(), contestant.method) == drawn.end()) drawn.push_back(contestant.method);
  }
  Plot plot{fmt::format("{}{}", by_ratio ? "Classification on " : "Inductive tasks on ", evaluation.corpus),
            sweep.name,
            "micro AUC × 100",
            least > 0 && most > 8 * least,
            {}};
  const auto series = [&](const std::string& name) -> Series& {
    const auto at =
        std::find_if(plot.series.begin(), plot.series.end(), [&](const Series& s) { return s.name == name; });
    return at != plot.series.end() ? *at : plot.series.emplace_back(Series{name, {}, {}, {}});
  };
  for (const Contestant& contestant : options.contestants) {
    const std::optional<double> x = swept_number(contestant, sweep);
    if (!x) continue;
    for (const Cell& cell : evaluation.cells) {
      if (cell.contestant != contestant.name || (cell.task == Task::Classification) != by_ratio) continue;
      if (!cell.failure.empty() || cell.values.empty()) continue;
      const std::string line =
          by_ratio ? fmt::format("{:g} % labelled", 100 * cell.ratio) : std::string(task_name(cell.task));
      Series& to = series(drawn.size() > 1 ? fmt::format("{}, {}", contestant.method->name(), line) : line);
      to.x.push_back(*x);
      to.mean.push_back(100 * cell.mean());
      to.half_width.push_back(100 * cell.interval());
    }
  }
  return plot;
}

std::string format_of(const Arguments& arguments) {
  if (!arguments.format.empty()) return arguments.format;
  const std::string ending = std::filesystem::path(arguments.out).extension().string();
  if (ending == ".json") return "json";
  if (ending == ".csv") return "csv";
  if (ending == ".md") return "markdown";
  if (ending == ".tex") return "latex";
  return "table";
}

std::string formatted(const Evaluation& evaluation, const std::string& format, bool to_terminal) {
  if (format == "json") return as_json(evaluation);
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

/// A corpus by its own name, without the folders that it lies in: what a caption wants.
std::string name_of(const std::string& corpus) {
  const std::filesystem::path path = std::filesystem::absolute(corpus).lexically_normal();
  return path.has_filename() ? path.filename().string() : path.parent_path().filename().string();
}

bool anything_done(const Evaluation& evaluation) {
  return std::any_of(evaluation.cells.begin(), evaluation.cells.end(),
                     [](const Cell& cell) { return !cell.values.empty(); });
}

void evaluate_verb(const Arguments& arguments) {
  const std::optional<Sweep> sweep = sweep_from(arguments.sweep);
  EvaluateOptions options;
  try {
    options.contestants = contestants_from(arguments, sweep);
    options.tasks = tasks_from(arguments.tasks);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
  options.ratios = ratios_from(arguments.ratios);
  options.repeats = arguments.repeats;
  options.seed = arguments.seed;
  options.words = vocabulary_rule(arguments.word_options);
  check_plot(arguments, sweep, options.contestants);
  for (const std::string& file : {arguments.out, arguments.plot}) {
    if (!file.empty() && file != "-") check_writable(file);
  }

  Evaluation evaluation;
  {
    const Session session(arguments.threads);
    const Collection collection = read_collection(arguments.corpus, arguments.read, session.run());
    evaluation = evaluate(collection, options, session.run());
    evaluation.corpus = name_of(arguments.corpus);
  }
  if (evaluation.interrupted && !anything_done(evaluation)) throw Interrupted();
  write_result(arguments.out, formatted(evaluation, format_of(arguments), arguments.out == "-"));
  if (!arguments.plot.empty()) write_result(arguments.plot, as_svg(plot_of(evaluation, options, *sweep)));
  if (evaluation.interrupted) throw Interrupted("the figures are of what was done");
}

}  // namespace

void add_evaluate(CLI::App& program) {
  auto* verb = program.add_subcommand("evaluate", "how well methods do on a corpus, by the paper's tasks");
  const auto a = std::make_shared<Arguments>();
  verb->add_option("CORPUS", a->corpus, "a corpus folder, or a JSONL file")->required();
  verb->add_option("--methods", a->methods, "methods, with commas between, or all")->capture_default_str();
  verb->add_option("--tasks", a->tasks, "classification, inductive-classification, inductive-links, or all")
      ->capture_default_str();
  verb->add_option("--ratios", a->ratios, "shares of labelled documents to learn from in classification")
      ->default_str("0.02,…,0.1; 0.1,…,0.5 if documents have several labels");
  verb->add_option("--repeats", a->repeats, "how often, each time with another split")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  verb->add_option(
          "--neighbours", a->neighbours,
          "hops over which IDNE's documents are joined with their neighbours in classification; 0 is text only")
      ->check(CLI::Range(0, 100))
      ->capture_default_str();
  verb->add_option("--set", a->settings,
                   "an option of all methods that have it, as `idne train --help` lists them; repeatable")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
  verb->add_option("--sweep", a->sweep, "an option of the methods that have it, once with each of the values")
      ->type_name("NAME=V1,V2…");
  verb->add_option("--plot", a->plot, "file for a picture (SVG) of the sweep")->type_name("FILE");
  verb->add_option("--seed", a->seed, "seed of the splits")->capture_default_str();
  verb->add_option("-o,--output", a->out, "file to write; - is standard output")->capture_default_str();
  verb->add_option("--format", a->format, "form of the output: table, json, csv, markdown or latex")
      ->check(CLI::IsMember({"table", "json", "csv", "markdown", "latex"}))
      ->default_str("by the ending of -o, else table");
  add_threads(*verb, a->threads);
  add_word_options(*verb, a->word_options, a->read);
  verb->footer(
      "Example:\n  idne evaluate corpus --methods idne,lsa --repeats 3\n"
      "  idne evaluate corpus --tasks classification --sweep topics=4,8,16,32 --plot topics.svg");
  verb->callback([a] { evaluate_verb(*a); });
}

}  // namespace idne::app
