#include "verbs/imports.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "text/numbers.h"

namespace idne {
namespace {

ImportKind kind(std::string name, std::string summary, std::vector<OptionSpec> options, const std::string& example,
                ImportKind::Work work) {
  options.push_back(
      written_as_folder(OptionSpec::output("corpus folder to write").called("FOLDER").needed(), {"documents.jsonl"}));
  return {std::move(name), std::move(summary), std::move(options), example, std::move(work)};
}

OptionSpec exclude_option() {
  return OptionSpec::list("exclude", "leave out files and folders whose path fits: 'drafts', '*/old/*', '*.en.md'")
      .called("PATTERN");
}

OptionSpec code_option(const char* help) { return OptionSpec::choice("code", {"drop", "keep"}, help); }

CodeText code_of(const Options& options) { return options.text("code") == "keep" ? CodeText::Keep : CodeText::Drop; }

ImportKind markdown() {
  return kind("markdown", "a folder of notes or docs in Markdown, such as an Obsidian vault",
              {OptionSpec::input("DIR", "folder with .md, .markdown and .mdx files").needed(), exclude_option(),
               OptionSpec::flag("folder-labels", "the outermost folder of a note is a label, too")},
              "idne import markdown notes -o corpus",
              [](const Options& options, CorpusWriter& out, ImportCounts& counts, const Run& run) {
                import_markdown(options.text("DIR"), out, counts, run,
                                {options.list("exclude"), options.flag("folder-labels")});
              });
}

ImportKind html() {
  return kind("html", "a static site: documentation, a blog, a crawl",
              {OptionSpec::input("DIR", "folder with .html, .htm and .xhtml files, the root of the site").needed(),
               exclude_option(),
               OptionSpec::choice("labels", {"keywords", "folders"},
                                  "what labels a page: its <meta> keywords, or the outermost folder that it lies in"),
               code_option("what stands in <pre>")},
              "idne import html site --exclude 'search*' -o corpus",
              [](const Options& options, CorpusWriter& out, ImportCounts& counts, const Run& run) {
                import_html(options.text("DIR"), out, counts, run,
                            {options.list("exclude"), options.text("labels") == "folders"}, code_of(options));
              });
}

ImportKind stackexchange() {
  const StackExchangeOptions usual;
  return kind(
      "stackexchange", "questions and answers of a Stack Exchange dump",
      {OptionSpec::input("SOURCE", "folder with Posts.xml, or that file; also compressed: .7z, .gz, .zst, .bz2, .xz …")
           .needed(),
       OptionSpec::whole("min-votes", usual.min_votes,
                         "questions with so many votes that have an answer with so many, and such answers")
           .within(-1e9, 1e9),
       OptionSpec::flag("unanswered", "questions of which no answer has the votes, too"),
       code_option("what stands in <pre> and <code>"),
       OptionSpec::flag("answer-labels", "answers have their question's tags as labels"),
       OptionSpec::whole("top-labels", static_cast<std::int64_t>(usual.top_labels),
                         "keep so many labels, the most frequent ones; 0 keeps all")
           .within(0, 1e9)},
      "idne import stackexchange travel.stackexchange.com -o corpus",
      [](const Options& options, CorpusWriter& out, ImportCounts& counts, const Run& run) {
        StackExchangeOptions wanted;
        wanted.min_votes = static_cast<decltype(wanted.min_votes)>(options.integer("min-votes"));
        wanted.unanswered = options.flag("unanswered");
        wanted.code = code_of(options);
        wanted.answer_labels = options.flag("answer-labels");
        wanted.top_labels = options.size("top-labels");
        import_stackexchange(options.text("SOURCE"), wanted, out, counts, run);
      });
}

ImportKind mediawiki() {
  return kind("mediawiki", "pages of a wiki, as MediaWiki exports them",
              {OptionSpec::input("FILE", "pages-articles.xml; also compressed: .bz2, .7z, .gz, .zst, .xz …").needed()},
              "idne import mediawiki simplewiki-latest-pages-articles.xml.bz2 -o corpus",
              [](const Options& options, CorpusWriter& out, ImportCounts& counts, const Run& run) {
                import_mediawiki(options.text("FILE"), out, counts, run);
              });
}

ImportKind openalex() {
  static const std::map<std::string, WorkLabels> kLabels{{"topics", WorkLabels::Topics},
                                                         {"concepts", WorkLabels::Concepts},
                                                         {"keywords", WorkLabels::Keywords},
                                                         {"fields", WorkLabels::Fields}};
  return kind(
      "openalex", "works of OpenAlex, linked by their references",
      {read_as_file(OptionSpec::list("FILE", "works as JSON lines; also compressed: .gz, .zst, .bz2, .xz …").needed()),
       OptionSpec::choice("labels", {"topics", "concepts", "keywords", "fields"}, "what labels a work")},
      "idne import openalex works.jsonl.gz more.jsonl -o papers",
      [](const Options& options, CorpusWriter& out, ImportCounts& counts, const Run& run) {
        const auto& files = options.list("FILE");
        import_openalex({files.begin(), files.end()}, kLabels.at(options.text("labels")), out, counts, run);
      });
}

ImportKind debian() {
  return kind(
      "debian", "the package index of this machine, linked by dependencies",
      {OptionSpec::input("lists", "apt's package lists").by_default_shown("/var/lib/apt/lists").called("FOLDER"),
       OptionSpec::input("status", "dpkg's list of installed packages")
           .by_default_shown("without lists: dpkg's own")
           .called("FILE")
           .without({"lists"}),
       OptionSpec::choice("labels", {"section", "tags"}, "label packages by section or by debtags"),
       OptionSpec::whole("top", 0, "only so many packages, those with the most links; 0 is all").within(0, 1e9),
       OptionSpec::list("depends", "which relations become links")
           .one_of({"depends", "recommends", "suggests"})
           .by_default(std::vector<std::string>{"depends", "recommends", "suggests"})
           .separated_by(',')},
      "idne import debian --top 20000 -o packages",
      [](const Options& options, CorpusWriter& out, ImportCounts& counts, const Run& run) {
        DebianOptions wanted;
        if (options.given("lists")) wanted.lists = options.text("lists"), wanted.status.clear();
        if (options.given("status")) wanted.status = options.text("status"), wanted.lists.clear();
        wanted.labels = options.text("labels") == "tags" ? PackageLabels::Tags : PackageLabels::Section;
        wanted.top = options.size("top");
        const auto has = [&](const char* name) {
          const auto& relations = options.list("depends");
          return std::find(relations.begin(), relations.end(), name) != relations.end();
        };
        wanted.depends = has("depends");
        wanted.recommends = has("recommends");
        wanted.suggests = has("suggests");
        import_debian(wanted, out, counts, run);
      });
}

/// What --separator says; nothing if the file's name is to tell.
std::optional<char> separator_of(const std::string& separator) {
  if (separator.empty()) return {};
  if (separator == "tab") return '\t';
  if (separator.size() == 1 && separator != "\"" && separator != "\n") return separator[0];
  throw UsageError("--separator: one character, or the word tab, is needed");
}

ImportKind csv() {
  const auto column = [](const char* name, const char* help) {
    return OptionSpec::text(name, "", help).called("COLUMN");
  };
  return kind("csv", "a table, one document per row; the first line names the columns",
              {OptionSpec::input("FILE", "CSV file; also compressed: .gz, .zst, .bz2, .xz …").needed(),
               OptionSpec::list("text", "columns of the text, by name or by number from 1")
                   .separated_by(',')
                   .called("COLUMN,…")
                   .needed(),
               column("id", "column of the id (default: the number of the row)"),
               column("title", "column of the title; its words are not learned from unless --text names it too"),
               column("labels", "column of the labels"), column("links", "column of the ids that a row is linked with"),
               column("groups", "column of the groups: all members of one are linked with each other"),
               column("date", "column of the date: YYYY, YYYY-MM or YYYY-MM-DD (default: the one named date)"),
               OptionSpec::text("separator", "", "between columns: a character or tab")
                   .by_default_shown("tab for .tsv, else ,")
                   .called("CHARACTER"),
               OptionSpec::text("list-separator", CsvOptions().list_separator,
                                "between several labels, links or groups in a column"),
               OptionSpec::flag("skip-bad", "rows with an error are counted and passed over")},
              "idne import csv papers.csv --id doi --text title,abstract --labels field -o corpus",
              [](const Options& options, CorpusWriter& out, ImportCounts& counts, const Run& run) {
                CsvOptions wanted;
                wanted.text = options.list("text");
                wanted.id = options.text("id");
                wanted.title = options.text("title");
                wanted.labels = options.text("labels");
                wanted.links = options.text("links");
                wanted.groups = options.text("groups");
                wanted.date = options.text("date");
                wanted.list_separator = options.text("list-separator");
                wanted.separator = separator_of(options.text("separator"));
                wanted.skip_bad = options.flag("skip-bad");
                import_csv(options.text("FILE"), wanted, out, counts, run);
              });
}

/// "nothing to import …", with what was read and all that was passed over.
Error nothing_found(const Options& options, const ImportCounts& counts) {
  std::string what;
  for (const OptionSpec& spec : options.table()) {
    if (spec.by_place()) what += to_text(options.value(spec.name)) + ": ";
  }
  what += "nothing to import: no document was found";
  for (const auto& [reason, number] : counts.all()) what += fmt::format("; {}: {}", reason, with_commas(number));
  return Error(what);
}

}  // namespace

std::vector<ImportKind> import_kinds() {
  return {markdown(), html(), stackexchange(), mediawiki(), openalex(), debian(), csv()};
}

ImportOutcome import_corpus(const ImportKind& kind, const Options& options, const Run& run) {
  ImportOutcome outcome;
  CorpusWriter out(options.text("output"));
  kind.work(options, out, outcome.counts, run);
  run.check();
  if (out.documents() == 0) throw nothing_found(options, outcome.counts);
  out.commit();
  outcome.documents = out.documents();
  return outcome;
}

}  // namespace idne
