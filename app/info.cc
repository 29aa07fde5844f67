#include <fmt/format.h>

#include "idne/search_index.h"
#include "json/texts.h"
#include "terminal.h"
#include "verbs.h"

namespace idne::app {
namespace {

void show_info(const Options& options) {
  const std::string& file = options.text("MODEL");
  const Model model = Model::load(file);
  const auto index = load_search_index(model, file, hardware_threads());
  if (options.text("format") == "json") return print_result(json_text(model, index ? &index->documents : nullptr));
  const ModelInfo& info = model.info();
  std::vector<std::vector<std::string>> rows{
      {"method", info.method},
      {"documents", with_commas(model.documents().size())},
      {"links", with_commas(info.links)},
      {"groups", with_commas(info.groups)},
      {"words", with_commas(model.words().strings.size())},
      {"topics", with_commas(model.has_topics() ? model.topics().size() : 0)},
      {"dim", with_commas(model.documents().vectors.columns)},
      {"labels", with_commas(model.labels().names.size())},
      {"dropped", info.dropped},
  };
  if (const std::size_t late = model.documents().untrained.size(); late > 0) {
    rows.push_back({"untrained", fmt::format("{} came or changed since words were learned",
                                             counted(late, "document", "documents"))});
  }
  if (info.loss) rows.push_back({"loss", fmt::format("{}", *info.loss)});
  if (index) {
    rows.push_back({"search", fmt::format("{}, recall {:.3f}", index->documents.exact() ? "exact" : "hnsw",
                                          index->documents.recall())});
  }
  for (const auto& [name, value] : info.options)
    rows.push_back({(name.size() == 1 ? "-" : "--") + name, to_text(value)});
  print_table({"what", "value"}, rows);
}

}  // namespace

Verb info_verb() {
  return {"info",
          "what a model holds and how it was made",
          {model_option(), format_option({"text", "json"})},
          "Example:\n  idne info my.idne",
          show_info};
}

}  // namespace idne::app
