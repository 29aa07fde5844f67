#include <fmt/format.h>

#include <memory>

#include "idne/search_index.h"
#include "serve/answers.h"
#include "terminal.h"
#include "verbs.h"

namespace idne::app {
namespace {

struct Arguments {
  std::string model, format;
};

void info_verb(const Arguments& arguments) {
  const Model model = Model::load(arguments.model);
  Json json = info_json(model);
  if (const auto index = load_search_index(model, arguments.model, hardware_threads())) {
    json["search"] = search_json(index->documents);
  }
  if (arguments.format == "json") return print_result(text_of(json, 1) + "\n");
  const Json options = json["options"];
  json.erase("options");
  if (json.contains("search")) {
    json["search"] = fmt::format("{}, recall {:.3f}", json["search"]["index"].get<std::string>(),
                                 json["search"]["recall"].get<double>());
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
