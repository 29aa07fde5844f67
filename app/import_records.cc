#include <algorithm>
#include <map>
#include <memory>

#include "import.h"
#include "import/debian.h"
#include "import/openalex.h"

namespace idne::app {

void add_import_debian(CLI::App& import) {
  auto* kind = import.add_subcommand("debian", "the package index of this machine, linked by dependencies");
  struct Arguments {
    std::string lists, status, labels = "section";
    std::vector<std::string> relations{"depends", "recommends", "suggests"};
    std::size_t top = 0;
  };
  const auto a = std::make_shared<Arguments>();
  auto* lists = kind->add_option("--lists", a->lists, "apt's package lists (default: /var/lib/apt/lists)");
  lists->type_name("FOLDER");
  kind->add_option("--status", a->status, "dpkg's list of installed packages (default, without lists: dpkg's own)")
      ->type_name("FILE")
      ->excludes(lists);
  kind->add_option("--labels", a->labels, "label packages by section or by debtags")
      ->check(CLI::IsMember({"section", "tags"}))
      ->capture_default_str();
  kind->add_option("--top", a->top, "only so many packages, those with the most links; 0 is all")
      ->check(CLI::Range(0u, 1000000000u))
      ->capture_default_str();
  kind->add_option("--depends", a->relations, "which relations become links")
      ->check(CLI::IsMember({"depends", "recommends", "suggests"}))
      ->delimiter(',')
      ->default_str("depends,recommends,suggests");
  add_import_kind(*kind, "idne import debian --top 20000 -o packages",
                  [a](CorpusWriter& out, ImportCounts& counts, const Run& run) {
                    DebianOptions options;
                    if (!a->lists.empty()) options.lists = a->lists, options.status.clear();
                    if (!a->status.empty()) options.status = a->status, options.lists.clear();
                    options.labels = a->labels == "tags" ? PackageLabels::Tags : PackageLabels::Section;
                    options.top = a->top;
                    const auto has = [&](const char* name) {
                      return std::find(a->relations.begin(), a->relations.end(), name) != a->relations.end();
                    };
                    options.depends = has("depends");
                    options.recommends = has("recommends");
                    options.suggests = has("suggests");
                    import_debian(options, out, counts, run);
                  });
}

void add_import_openalex(CLI::App& import) {
  auto* kind = import.add_subcommand("openalex", "works of OpenAlex, linked by their references");
  struct Arguments {
    std::vector<std::string> files;
    std::string labels = "topics";
  };
  const auto a = std::make_shared<Arguments>();
  static const std::map<std::string, WorkLabels> kLabels{{"topics", WorkLabels::Topics},
                                                         {"concepts", WorkLabels::Concepts},
                                                         {"keywords", WorkLabels::Keywords},
                                                         {"fields", WorkLabels::Fields}};
  kind->add_option("FILE", a->files, "works as JSON lines; .gz and .zst too")->required();
  kind->add_option("--labels", a->labels, "what labels a work")
      ->check(CLI::IsMember({"topics", "concepts", "keywords", "fields"}))
      ->capture_default_str();
  add_import_kind(*kind, "idne import openalex works.jsonl.gz more.jsonl -o papers",
                  [a](CorpusWriter& out, ImportCounts& counts, const Run& run) {
                    import_openalex({a->files.begin(), a->files.end()}, kLabels.at(a->labels), out, counts, run);
                  });
}

}  // namespace idne::app
