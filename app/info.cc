#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "idne/model.h"
#include "terminal.h"
#include "verbs.h"

namespace idne::app {
namespace {

struct Arguments {
  std::string model, format;
};

void info_verb(const Arguments& arguments) {
  const Model model = Model::load(arguments.model);
  const std::size_t topics = model.has("topics.vectors") ? model.topics().rows : 0;
  const auto options = nlohmann::ordered_json::parse(model.text("options"), nullptr, false);
  nlohmann::ordered_json json{{"method", model.text("method")},
                              {"documents", model.documents().rows},
                              {"links", model.count("links")},
                              {"groups", model.count("groups")},
                              {"words", model.strings("words.strings").size()},
                              {"topics", topics},
                              {"dim", model.documents().columns},
                              {"labels", model.strings("labels.names").size()},
                              {"dropped", model.text("dropped")}};
  if (!model.text("loss").empty()) json["loss"] = std::stod(std::string(model.text("loss")));
  if (arguments.format == "json") {
    json["options"] = options;
    print_result(json.dump(1) + "\n");
    return;
  }
  std::vector<std::vector<std::string>> rows;
  for (const auto& [key, value] : json.items()) {
    rows.push_back({key, value.is_number_unsigned() ? with_commas(value.get<std::uint64_t>())
                         : value.is_string()        ? value.get<std::string>()
                                                    : value.dump()});
  }
  if (options.is_object()) {
    for (const auto& [key, value] : options.items()) {
      rows.push_back({"--" + key, value.is_string() ? value.get<std::string>() : value.dump()});
    }
  }
  print_table({"what", "value"}, rows);
}

}  // namespace

void add_info(CLI::App& program) {
  auto* verb = program.add_subcommand("info", "what a model holds and how it was made");
  const auto a = std::make_shared<Arguments>();
  add_model(*verb, a->model);
  add_format(*verb, a->format, {"text", "json"});
  verb->footer("Example:\n  idne info my.idne");
  verb->callback([a] { info_verb(*a); });
}

}  // namespace idne::app
