#include "verbs/evaluate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <sstream>

#include "idne/train.h"
#include "text/nearest_name.h"

namespace idne {
namespace {

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

/// A plain ranker has no options.
Contestant ranker_contestant(const RankerInfo& ranker) {
  return {std::string(ranker.name), std::string(ranker.name), Options(std::span<const OptionSpec>{})};
}

/// Without --neighbours each method is joined as it usually is; with it all are joined alike.
Contestant method_contestant(const MethodInfo& method, const Options& options) {
  Contestant one{std::string(method.name), std::string(method.name), Options(method.options)};
  const std::size_t hops = options.given("neighbours") ? options.size("neighbours") : method.usual_neighbours;
  one.options.set("neighbours", std::to_string(hops));
  return one;
}

std::vector<Contestant> named_contestants(const Options& options, const std::vector<Task>& tasks) {
  std::vector<Contestant> contestants;
  const std::vector<MethodInfo> known = known_methods();
  const std::span<const RankerInfo> rankers = known_rankers();
  const std::string& names = options.text("methods");
  if (names == "all") {
    for (const MethodInfo& method : known) contestants.push_back(method_contestant(method, options));
    if (std::ranges::none_of(tasks, is_suggesting)) return contestants;
    for (const RankerInfo& ranker : rankers) contestants.push_back(ranker_contestant(ranker));
    return contestants;
  }
  for (const std::string& name : comma_separated("methods", names)) {
    const auto method = std::ranges::find(known, name, &MethodInfo::name);
    const auto ranker = std::ranges::find(rankers, name, &RankerInfo::name);
    if (method != known.end()) {
      contestants.push_back(method_contestant(*method, options));
    } else if (ranker != rankers.end()) {
      contestants.push_back(ranker_contestant(*ranker));
    } else {
      std::vector<std::string> all;
      for (const MethodInfo& one : known) all.emplace_back(one.name);
      for (const RankerInfo& one : rankers) all.emplace_back(one.name);
      throw UsageError(fmt::format("no method '{}'; there are: {}{}", name, fmt::join(all, ", "), hint_at(name, all)));
    }
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

/// Each contestant that has the option, once per value.
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

std::vector<Contestant> contestants_from(const Options& options, const std::vector<Task>& tasks,
                                         const std::optional<Sweep>& sweep) {
  std::vector<Contestant> contestants = named_contestants(options, tasks);
  for (const std::string& setting : options.list("set")) {
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
  if (text == "all") return {known_tasks().begin(), known_tasks().end()};
  std::vector<Task> tasks;
  for (const std::string& name : comma_separated("tasks", text)) tasks.push_back(find_task(name));
  return tasks;
}

std::vector<double> ratios_from(const std::string& text) {
  if (text.empty()) return {};
  std::vector<double> ratios;
  for (const std::string& part : comma_separated("ratios", text)) {
    double ratio = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), ratio);
    if (error != std::errc() || end != part.data() + part.size() || !(ratio > 0 && ratio < 1)) {
      throw UsageError(fmt::format("--ratios: '{}' is not a share between 0 and 1", part));
    }
    if (std::find(ratios.begin(), ratios.end(), ratio) != ratios.end()) {
      throw UsageError(fmt::format("--ratios: '{}' is there twice", part));
    }
    ratios.push_back(ratio);
  }
  return ratios;
}

/// The methods and rankers that there are.
std::string methods_help() {
  std::vector<std::string_view> methods, rankers;
  for (const MethodInfo& method : known_methods()) methods.push_back(method.name);
  for (const RankerInfo& ranker : known_rankers()) rankers.push_back(ranker.name);
  return fmt::format("methods, with commas between, or all: {}; for suggestions also the plain rankers {}",
                     fmt::join(methods, ", "), fmt::join(rankers, ", "));
}

}  // namespace

std::vector<OptionSpec> evaluation_options() {
  return {
      OptionSpec::text("methods", "idne", methods_help()),
      OptionSpec::text("tasks", "classification,inductive-classification,inductive-links",
                       "what to judge by, with commas between: also suggest-links, suggest-labels, or all"),
      OptionSpec::text("ratios", "", "shares of labelled documents to learn from in classification")
          .by_default_shown("0.02,…,0.1; 0.1,…,0.5 if documents have several labels"),
      OptionSpec::whole("repeats", 10, "how often, each time with another split").within(1, 10000),
      OptionSpec::whole("neighbours", 0,
                        "hops over which documents are joined with their neighbours in classification; 0 is "
                        "text only")
          .within(0, 100)
          .by_default_shown("2 for idne, else 0"),
      OptionSpec::list("set", "an option of all methods that have it, as `idne train --help` lists them; repeatable")
          .called("NAME=VALUE"),
      OptionSpec::text("sweep", "", "an option of the methods that have it, once with each of the values")
          .called("NAME=V1,V2…"),
      OptionSpec::whole("seed", 1, "seed of the splits").within(0, 9e15)};
}

std::optional<Sweep> sweep_from(const Options& options) {
  const std::string& text = options.text("sweep");
  if (text.empty()) return {};
  const auto [name, values] = assignment("sweep", text);
  return Sweep{name, comma_separated("sweep", values)};
}

EvaluateOptions evaluation_from(const Options& options, const std::optional<Sweep>& sweep) {
  EvaluateOptions wanted;
  try {
    wanted.tasks = tasks_from(options.text("tasks"));
    wanted.contestants = contestants_from(options, wanted.tasks, sweep);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
  wanted.ratios = ratios_from(options.text("ratios"));
  wanted.repeats = options.size("repeats");
  wanted.seed = static_cast<std::uint64_t>(options.integer("seed"));
  wanted.words = vocabulary_rule(options);
  return wanted;
}

std::string corpus_name(const std::string& corpus) {
  const std::filesystem::path path = std::filesystem::absolute(corpus).lexically_normal();
  return path.has_filename() ? path.filename().string() : path.parent_path().filename().string();
}

}  // namespace idne
