#include <filesystem>
#include <memory>

#include "import.h"
#include "import/csv.h"
#include "import/html_site.h"
#include "import/markdown.h"
#include "terminal.h"

namespace idne::app {

namespace {

struct CsvArguments {
  std::string file, separator;
  CsvOptions options;
};

/// What --separator says, or else the file's name: a .tsv has tabs.
char separator_of(const CsvArguments& arguments) {
  const std::string& separator = arguments.separator;
  if (separator == "tab") return '\t';
  if (separator.size() == 1 && separator != "\"" && separator != "\n") return separator[0];
  if (!separator.empty()) throw UsageError("--separator: one character, or the word tab, is needed");
  std::filesystem::path name = arguments.file;
  if (name.extension() == ".gz" || name.extension() == ".zst") name = name.stem();
  return name.extension() == ".tsv" ? '\t' : ',';
}

}  // namespace

void add_import_markdown(CLI::App& import) {
  auto* kind = import.add_subcommand("markdown", "a folder of notes or docs in Markdown, such as an Obsidian vault");
  const auto folder = std::make_shared<std::string>();
  kind->add_option("folder", *folder, "folder with .md, .markdown and .mdx files")->required()->type_name("DIR");
  add_import_kind(*kind, "idne import markdown notes -o corpus",
                  [folder](CorpusWriter& out, ImportCounts& counts, const Run& run) {
                    import_markdown(*folder, out, counts, run);
                  });
}

void add_import_html(CLI::App& import) {
  auto* kind = import.add_subcommand("html", "a static site: documentation, a blog, a crawl");
  const auto folder = std::make_shared<std::string>();
  kind->add_option("folder", *folder, "folder with .html, .htm and .xhtml files, the root of the site")
      ->required()
      ->type_name("DIR");
  add_import_kind(
      *kind, "idne import html site -o corpus",
      [folder](CorpusWriter& out, ImportCounts& counts, const Run& run) { import_html(*folder, out, counts, run); });
}

void add_import_csv(CLI::App& import) {
  auto* kind = import.add_subcommand("csv", "a table, a document a row; the first line names the columns");
  const auto a = std::make_shared<CsvArguments>();
  CsvOptions& o = a->options;
  kind->add_option("file", a->file, "CSV file, also .gz or .zst")->required()->type_name("FILE");
  const auto column = [&](const char* name, std::string& value, const char* what) {
    kind->add_option(name, value, what)->type_name("COLUMN");
  };
  kind->add_option("--text", o.text, "columns of the text, by name or by number from 1")
      ->required()
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("COLUMN,…");
  column("--id", o.id, "column of the id (default: the number of the row)");
  column("--title", o.title, "column of the title; its words are not learned from unless --text names it too");
  column("--labels", o.labels, "column of the labels");
  column("--links", o.links, "column of the ids that a row is linked with");
  column("--groups", o.groups, "column of the groups: all members of one are linked with each other");
  kind->add_option("--separator", a->separator, "between columns: a character or tab (default: tab for .tsv, else ,)")
      ->type_name("CHARACTER");
  kind->add_option("--list-separator", o.list_separator, "between several labels, links or groups in a column")
      ->capture_default_str();
  add_import_kind(*kind, "idne import csv papers.csv --id doi --text title,abstract --labels field -o corpus",
                  [a](CorpusWriter& out, ImportCounts& counts, const Run& run) {
                    a->options.separator = separator_of(*a);
                    import_csv(a->file, a->options, out, counts, run);
                  });
}

}  // namespace idne::app
