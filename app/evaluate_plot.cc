#include "evaluate_plot.h"

#include <fmt/format.h>

#include <algorithm>

namespace idne::app {

std::optional<double> swept_number(const Contestant& contestant, const Sweep& sweep) {
  if (!contestant.options.has(sweep.name)) return {};
  const OptionValue& value = contestant.options.value(sweep.name);
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return {};
}

Plot plot_of(const Evaluation& evaluation, const EvaluateOptions& options, const Sweep& sweep) {
  const bool by_ratio =
      std::find(options.tasks.begin(), options.tasks.end(), Task::Classification) != options.tasks.end();
  std::vector<std::string> drawn;
  double least = 0, most = 0;
  for (const Contestant& contestant : options.contestants) {
    const std::optional<double> x = swept_number(contestant, sweep);
    if (!x) continue;
    least = drawn.empty() ? *x : std::min(least, *x);
    most = drawn.empty() ? *x : std::max(most, *x);
    if (std::find(drawn.begin(), drawn.end(), contestant.method) == drawn.end()) drawn.push_back(contestant.method);
  }
  const bool suggestions = !by_ratio && std::ranges::any_of(options.tasks, is_suggesting);
  const bool nothing_else = std::ranges::all_of(options.tasks, is_suggesting);
  const std::string_view title = by_ratio       ? "Classification"
                                 : nothing_else ? "Suggestions"
                                 : suggestions  ? "Hidden documents"
                                                : "Inductive tasks";
  Plot plot{fmt::format("{} on {}", title, evaluation.corpus),
            sweep.name,
            suggestions ? "× 100" : "micro AUC × 100",
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
      const std::string line = by_ratio                   ? fmt::format("{:g} % labelled", 100 * cell.ratio)
                               : is_suggesting(cell.task) ? fmt::format("{}, {}", task_name(cell.task), cell.metric)
                                                          : std::string(task_name(cell.task));
      Series& to = series(drawn.size() > 1 ? fmt::format("{}, {}", contestant.method, line) : line);
      to.x.push_back(*x);
      to.mean.push_back(100 * cell.mean());
      to.half_width.push_back(100 * cell.interval());
    }
  }
  return plot;
}

}  // namespace idne::app
