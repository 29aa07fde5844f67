#include "idne/train.h"

#include <chrono>
#include <utility>

#include "checkpointing.h"
#include "idne/output_file.h"
#include "json/texts.h"
#include "processes.h"
#include "terminal.h"
#include "verbs.h"

namespace idne::app {
namespace {

std::string named_method(const std::vector<std::string>& arguments) {
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (arguments[k] == "--method" && k + 1 < arguments.size()) return arguments[k + 1];
    if (arguments[k].starts_with("--method=")) return arguments[k].substr(std::string_view("--method=").size());
  }
  return "idne";
}

void print_summary(const Model& model, const TrainSummary& summary, const std::string& resumed) {
  const ModelInfo& info = model.info();
  if (!resumed.empty()) tell("resumed    with {}\n", resumed);
  tell("documents  {}\n", with_commas(model.documents_everywhere()));
  tell("links      {}{}\n", with_commas(info.links),
       info.groups ? fmt::format(" (those of {} counted in)", counted(info.groups, "group", "groups")) : "");
  tell("words      {}\n", with_commas(model.words().strings.size()));
  tell("dropped    {}\n", info.dropped);
  tell("{} in {}: {}\n", info.loss ? fmt::format("loss       {:.4f} per pair, trained", *info.loss) : "trained   ",
       duration(summary.read_seconds + summary.seconds.fit + summary.seconds.labels + summary.seconds.links +
                summary.write_seconds),
       summary.file.string());
}

void train_and_save(const MethodInfo& method, const Options& options, Checkpoint* checkpoint) {
  const std::string resumed = checkpoint ? checkpoint->how_far() : "";
  TrainSummary summary;
  summary.file = options.text("output");
  auto start = std::chrono::steady_clock::now();
  const auto lap = [&start] {
    const auto before = std::exchange(start, std::chrono::steady_clock::now());
    return std::chrono::duration<double>(start - before).count();
  };
  Model model;
  {
    const Session session(threads_of(options));
    const Run run = kept(session.run(), checkpoint);
    const Options own = part_of(options, method.options);
    ReadOptions reading = read_options(options);
    reading.spread_beyond = most_documents_kept(method.name, own);
    Collection collection = read_collection(options.text("CORPUS"), reading, run);
    summary.read_seconds = lap();
    model = idne::train(std::move(collection), method.name, own, vocabulary_rule(options), run, &summary.seconds);
    lap();
    model.save(summary.file, run);
    summary.write_seconds = lap();
    if (run.ranks) {
      summary.processes = run.ranks->size();
      for (const Traffic& sent : all_of(*run.ranks, run.ranks->traffic())) {
        if (sent.bytes > summary.sent.bytes) summary.sent = sent;
      }
    }
  }
  print_summary(model, summary, resumed);
  if (options.text("format") == "json") print_result(json_text(model, summary));
}

void train(const MethodInfo& method, const Options& options, const std::vector<std::string>& arguments) {
  if (!trains_together(method.name) && leaves_to_first()) return;
  first_does([&] { check_writable(options.text("output")); });
  const auto checkpoint = checkpoint_from(options, options.text("output"));
  try {
    train_and_save(method, options, checkpoint.get());
  } catch (const Interrupted&) {
    if (!checkpoint) throw;
    throw stopped_with(*checkpoint, arguments);
  }
}

}  // namespace

Verb train_verb(const std::vector<std::string>& arguments) {
  const std::vector<MethodInfo> methods = known_methods();
  MethodInfo method = methods.front();
  for (const MethodInfo& known : methods) {
    if (known.name == named_method(arguments)) method = known;
  }
  std::vector<OptionSpec> of_method(method.options.begin(), method.options.end());
  for (OptionSpec& spec : of_method) spec.heading = fmt::format("Options of the method {}", method.name);
  return {"train",
          "learn a model from a corpus",
          joined({{corpus_option(), OptionSpec::output("the model file to write").needed(), method_option(),
                   threads_option(), format_option({"text", "json"}), strict_option()},
                  checkpoint_options("the training"),
                  {every_option()},
                  of_method,
                  word_options()}),
          "Example:\n  idne train corpus -o my.idne --topics 6\n"
          "  idne train corpus -o my.idne --checkpoint my.ck\n"
          "  idne train corpus -o my.idne --resume my.ck         after Ctrl-C, a crash or a power cut",
          [method, arguments](const Options& options) { train(method, options, arguments); },
          {},
          true};
}

}  // namespace idne::app
