#include "import.h"

#include <fmt/format.h>

#include <memory>

#include "terminal.h"
#include "verbs.h"

namespace idne::app {

void add_import_kind(CLI::App& kind, const std::string& example,
                     std::function<void(CorpusWriter& out, ImportCounts& counts, const Run& run)> work) {
  const auto folder = std::make_shared<std::string>();
  kind.add_option("-o,--output", *folder, "corpus folder to write")->required();
  kind.footer("Example:\n  " + example);
  kind.callback([folder, work = std::move(work)] {
    ImportCounts counts;
    std::uint64_t documents = 0;
    {
      const Session session(hardware_threads());
      CorpusWriter out(*folder);
      work(out, counts, session.run());
      session.run().check();
      out.commit();
      documents = out.documents();
    }
    fmt::print(stderr, "{} documents: {}\n", with_commas(documents), *folder);
    for (const auto& [what, number] : counts.all()) fmt::print(stderr, "  {} {}\n", with_commas(number), what);
  });
}

void add_import(CLI::App& program) {
  auto* verb = program.add_subcommand("import", "make a corpus of notes, a forum, papers, packages …");
  verb->require_subcommand(1);
  verb->footer("`idne import KIND --help` tells more.\n\nExample:\n  idne import markdown notes -o corpus");
  add_import_markdown(*verb);
  add_import_html(*verb);
  add_import_stackexchange(*verb);
  add_import_mediawiki(*verb);
  add_import_openalex(*verb);
  add_import_debian(*verb);
  add_import_csv(*verb);
}

}  // namespace idne::app
