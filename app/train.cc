#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "idne/method.h"
#include "idne/output_file.h"
#include "idne/suggest.h"
#include "terminal.h"
#include "text_options.h"
#include "verbs.h"

namespace idne::app {
namespace {

struct Arguments {
  std::string corpus, out, method = "idne", format;
  OptionTexts method_options, word_options;
  ReadOptions read;
  int threads = 1;
};

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
  double read = 0, train = 0, labels = 0, write = 0;
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
             duration(seconds.read + seconds.train + seconds.labels + seconds.write), out);
}

void print_json(const Model& model, const std::string& out, const Seconds& seconds) {
  nlohmann::ordered_json json{
      {"model", out},
      {"documents", model.documents().rows},
      {"links", model.count("links")},
      {"words", model.strings("words.strings").size()},
      {"dropped", model.text("dropped")},
      {"seconds",
       {{"read", seconds.read}, {"train", seconds.train}, {"labels", seconds.labels}, {"write", seconds.write}}}};
  if (!model.text("loss").empty()) json["loss"] = std::stod(std::string(model.text("loss")));
  print_result(json.dump(1) + "\n");
}

void train_verb(const Arguments& arguments, const Method& method) {
  const Options options = checked(method.options(), arguments.method_options);
  const VocabularyRule rule = vocabulary_rule(arguments.word_options);
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
    add_label_head(model, collection, session.run());
    seconds.labels = lap();
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
  add_word_options(*verb, a->word_options, a->read);
  verb->add_flag("--strict", a->read.strict, "what would be dropped from the corpus is an error");
  verb->footer("Example:\n  idne train corpus -o my.idne --topics 6");
  verb->callback([a, method] { train_verb(*a, *method); });
}

}  // namespace idne::app
