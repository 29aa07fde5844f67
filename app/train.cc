#include <fmt/format.h>

#include <chrono>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "idne/method.h"
#include "idne/output_file.h"
#include "terminal.h"
#include "verbs.h"

namespace idne::app {
namespace {

struct Arguments {
  std::string corpus, out, method = "idne", format;
  std::map<std::string, std::string> method_options;
  std::map<std::string, std::string> text_options;
  ReadOptions read;
  int threads = 1;
};

/// How words are chosen; not the method's business.
const std::vector<OptionSpec>& text_table() {
  static const std::vector<OptionSpec> table{
      {"min-count", std::int64_t{5}, "a word is kept if it occurs so often in the corpus", 1, 1e12, {}},
      {"max-share", 0.25, "and in at most this share of the documents", 0, 1, {}},
  };
  return table;
}

void add_options(CLI::App& verb, std::span<const OptionSpec> table, std::map<std::string, std::string>& values,
                 const std::string& group) {
  for (const OptionSpec& spec : table) {
    verb.add_option_function<std::string>(
            "--" + spec.name, [&values, name = spec.name](const std::string& text) { values[name] = text; },
            fmt::format("{} ({})", spec.help, spec.range()))
        ->default_str(to_text(spec.fallback))
        ->type_name("")
        ->group(group);
  }
}

Options checked(std::span<const OptionSpec> table, const std::map<std::string, std::string>& values) {
  Options options(table);
  try {
    for (const auto& [name, text] : values) options.set(name, text);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
  return options;
}

std::string named_method(const std::vector<std::string>& arguments) {
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (arguments[k] == "--method" && k + 1 < arguments.size()) return arguments[k + 1];
    if (arguments[k].starts_with("--method=")) return arguments[k].substr(std::string_view("--method=").size());
  }
  return "idne";
}

const Method* known_method(const std::string& name) {
  for (const Method* method : methods()) {
    if (method->name() == name) return method;
  }
  return nullptr;
}

struct Seconds {
  double read = 0, train = 0, write = 0;
};

void print_summary(const Model& model, const std::string& out, const Seconds& seconds) {
  const std::uint64_t groups = model.count("groups");
  const std::string_view loss = model.text("loss");
  fmt::print(stderr, "documents  {}\n", with_commas(model.documents().rows));
  fmt::print(stderr, "links      {}{}\n", with_commas(model.count("links")),
             groups ? fmt::format(" ({} of {} groups counted in)", "those", with_commas(groups)) : "");
  fmt::print(stderr, "words      {}\n", with_commas(model.strings("words.strings").size()));
  fmt::print(stderr, "dropped    {}\n", model.text("dropped"));
  fmt::print(stderr, "{}{} in {}: {}\n", loss.empty() ? "" : "loss       ",
             loss.empty() ? std::string("trained   ") : std::string(loss.substr(0, 6)) + " a pair, trained",
             duration(seconds.read + seconds.train + seconds.write), out);
}

void print_json(const Model& model, const std::string& out, const Seconds& seconds) {
  nlohmann::ordered_json json{
      {"model", out},
      {"documents", model.documents().rows},
      {"links", model.count("links")},
      {"words", model.strings("words.strings").size()},
      {"dropped", model.text("dropped")},
      {"seconds", {{"read", seconds.read}, {"train", seconds.train}, {"write", seconds.write}}}};
  if (!model.text("loss").empty()) json["loss"] = std::stod(std::string(model.text("loss")));
  print_result(json.dump(1) + "\n");
}

void train_verb(const Arguments& arguments, const Method& method) {
  const Options options = checked(method.options(), arguments.method_options);
  const Options text = checked(text_table(), arguments.text_options);
  const VocabularyRule rule{static_cast<std::uint64_t>(text.integer("min-count")), text.real("max-share")};
  check_writable(arguments.out);

  Seconds seconds;
  auto start = std::chrono::steady_clock::now();
  const auto lap = [&start] {
    const auto before = std::exchange(start, std::chrono::steady_clock::now());
    return std::chrono::duration<double>(start - before).count();
  };
  Model model;
  {
    const Session session(arguments.threads);
    const Collection collection = read_collection(arguments.corpus, arguments.read, session.run());
    seconds.read = lap();
    model = train(collection, method, options, rule, session.run());
    seconds.train = lap();
    model.save(arguments.out, session.run());
    seconds.write = lap();
  }
  print_summary(model, arguments.out, seconds);
  if (arguments.format == "json") print_json(model, arguments.out, seconds);
}

}  // namespace

void add_train(CLI::App& program, const std::vector<std::string>& arguments) {
  auto* verb = program.add_subcommand("train", "learn a model from a corpus");
  const auto a = std::make_shared<Arguments>();
  std::vector<std::string> names;
  for (const Method* method : methods()) names.emplace_back(method->name());
  const Method* method = known_method(named_method(arguments));

  verb->add_option("CORPUS", a->corpus, "a corpus folder, or a JSONL file")->required();
  verb->add_option("-o,--output", a->out, "the model file to write")->required();
  verb->add_option("--method", a->method, "what to learn")->check(CLI::IsMember(names))->capture_default_str();
  add_threads(*verb, a->threads);
  add_format(*verb, a->format, {"text", "json"});
  if (method) {
    add_options(*verb, method->options(), a->method_options, fmt::format("Options of the method {}", method->name()));
  }
  add_options(*verb, text_table(), a->text_options, "Choosing words");
  verb->add_option("--stop-words", a->read.stop_words, "words to leave out: a file, 'english' or 'none'")
      ->capture_default_str()
      ->group("Choosing words");
  verb->add_flag("--strict", a->read.strict, "what would be dropped from the corpus is an error");
  verb->footer("Example:\n  idne train corpus -o my.idne --topics 6");
  verb->callback([a, method] { train_verb(*a, *method); });
}

}  // namespace idne::app
