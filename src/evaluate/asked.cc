#include "evaluate/asked.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "idne/error.h"
#include "train/run_key.h"

namespace idne {

bool wants(const EvaluateOptions& options, Task task) {
  return std::find(options.tasks.begin(), options.tasks.end(), task) != options.tasks.end();
}

void check_possible(const Collection& collection, const EvaluateOptions& options, std::size_t labelled) {
  const bool classes = wants(options, Task::Classification) || wants(options, Task::InductiveClassification);
  if ((classes || wants(options, Task::SuggestLabels)) && (labelled < 10 || collection.labels.size() < 2)) {
    throw Error(
        fmt::format("{}: {} needs labels: at least 10 documents with a label, and two labels; "
                    "{} documents have one, and there are {} labels",
                    collection.name, classes ? "classification" : task_name(Task::SuggestLabels), labelled,
                    collection.labels.size()));
  }
  for (const Task task : {Task::InductiveLinks, Task::SuggestLinks}) {
    if (wants(options, task) && collection.links.empty() && collection.memberships.empty()) {
      throw Error(fmt::format("{}: {} needs links, and the corpus has none", collection.name, task_name(task)));
    }
  }
}

Options seeded(const Options& options, std::size_t repeat) {
  Options result = options;
  if (result.has("seed")) {
    result.set("seed", std::to_string(options.integer("seed") + static_cast<std::int64_t>(repeat)));
  }
  return result;
}

RunKey evaluation_key(const Collection& collection, const EvaluateOptions& options, std::span<const double> ratios) {
  std::vector<std::string_view> contestants, tasks;
  for (const Contestant& contestant : options.contestants) contestants.push_back(contestant.name);
  for (const Task task : options.tasks) tasks.push_back(task_name(task));
  RunKey key{{"the verb", "evaluate"},
             {"--methods", fmt::format("{}", fmt::join(contestants, ", "))},
             {"--tasks", fmt::format("{}", fmt::join(tasks, ","))},
             {"--ratios", fmt::format("{}", fmt::join(ratios, ","))},
             {"--repeats", fmt::format("{}", options.repeats)},
             {"--seed", fmt::format("{}", options.seed)},
             {"a hidden share of", fmt::format("{}", options.hidden)}};
  for (const Contestant& contestant : options.contestants) {
    add_options(contestant.options, contestant.name + "'s ", key);
  }
  add_corpus(collection, options.words, key);
  return key;
}

}  // namespace idne
