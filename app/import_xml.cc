#include <memory>

#include "import.h"
#include "import/mediawiki.h"
#include "import/stackexchange.h"

namespace idne::app {

void add_import_stackexchange(CLI::App& import) {
  auto* kind = import.add_subcommand("stackexchange", "questions and answers of a Stack Exchange dump");
  struct Arguments {
    std::string from, code = "drop";
    StackExchangeOptions options;
  };
  const auto a = std::make_shared<Arguments>();
  StackExchangeOptions& o = a->options;
  kind->add_option("DIR|FILE", a->from, "folder with Posts.xml, or that file; also .gz, .zst, .bz2")->required();
  kind->add_option("--min-votes", o.min_votes,
                   "questions with so many votes that have an answer with so many, and such answers")
      ->capture_default_str();
  kind->add_option("--code", a->code, "what stands in <pre> and <code>")
      ->check(CLI::IsMember({"keep", "drop"}))
      ->capture_default_str();
  kind->add_flag("--answer-labels", o.answer_labels, "answers have their question's tags as labels");
  kind->add_option("--top-labels", o.top_labels, "keep so many labels, the most frequent ones; 0 keeps all")
      ->check(CLI::Range(0, 1000000000))
      ->capture_default_str();
  add_import_kind(*kind, "idne import stackexchange travel.stackexchange.com -o corpus",
                  [a](CorpusWriter& out, ImportCounts& counts, const Run& run) {
                    a->options.code = a->code == "keep" ? Code::Keep : Code::Drop;
                    import_stackexchange(a->from, a->options, out, counts, run);
                  });
}

void add_import_mediawiki(CLI::App& import) {
  auto* kind = import.add_subcommand("mediawiki", "pages of a wiki, as MediaWiki exports them");
  const auto file = std::make_shared<std::string>();
  kind->add_option("FILE", *file, "pages-articles.xml; also .gz, .zst, .bz2")->required();
  add_import_kind(
      *kind, "idne import mediawiki simplewiki-latest-pages-articles.xml.bz2 -o corpus",
      [file](CorpusWriter& out, ImportCounts& counts, const Run& run) { import_mediawiki(*file, out, counts, run); });
}

}  // namespace idne::app
