#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "idne/run.h"

/// Other people's formats, turned into a corpus folder (docs/corpus-format.md, docs/import.md): each import_… function
/// adds its documents to a CorpusWriter, which the caller commits, and counts what it passed over. They throw Error for
/// a source that cannot be read, and Interrupted.
///
/// Files may be compressed, as their names say: .gz, .zst, .bz2, .xz, .lzma, .lz4, and .7z with one file inside.
namespace idne {

struct ImportedDocument {
  std::string id;
  std::string title;                ///< may be empty
  std::string text;                 ///< plain: no markup
  std::vector<std::string> labels;  ///< repeated ones are written once
  std::vector<std::string> links;   ///< ids, also of documents that come later or never
  std::vector<std::string> groups;
  std::string date{};  ///< as the source has it; what iso_date() makes of it is written
};

/// Writes a corpus folder of one file, documents.jsonl, which appears when all of it is there. Throws Error if the
/// folder holds anything else: it would be read as a part of the corpus, or is none of ours. What an import that was
/// killed left there is removed.
class CorpusWriter {
 public:
  explicit CorpusWriter(std::filesystem::path folder);
  ~CorpusWriter();
  /// A text that is no UTF-8 gets U+FFFD where it is not.
  void add(const ImportedDocument& document) { add({&document, 1}, 1); }
  void add(std::span<const ImportedDocument> documents, int threads);
  std::uint64_t documents() const { return documents_; }
  /// Throws Error if there are no documents.
  void commit();

 private:
  struct File;
  std::filesystem::path folder_;
  std::unique_ptr<File> file_;
  bool made_folder_ = false;
  std::uint64_t documents_ = 0;
};

/// What an import passed over, and other counts worth telling, in the order in which they were first counted.
class ImportCounts {
 public:
  /// `what` reads well before a number: "answers below --min-votes: 3".
  void add(std::string_view what, std::uint64_t number = 1);
  const std::vector<std::pair<std::string, std::uint64_t>>& all() const { return counts_; }

 private:
  std::vector<std::pair<std::string, std::uint64_t>> counts_;
};

/// What stands in <pre> and <code>.
enum class CodeText { Keep, Drop };

struct FolderOptions {
  /// Patterns as shells have them, over paths below the folder ("*" is "/" too); what one of them fits, and all below a
  /// folder that it fits, is left out.
  std::vector<std::string> exclude{};
  bool folder_labels = false;  ///< the outermost folder that a file lies in labels it
};

/// A folder of notes or docs: each .md, .markdown and .mdx file below it is a document, its path without the extension
/// is its id. Its title is the front matter's, or the heading of the first level, or the file's name.
void import_markdown(const std::filesystem::path& folder, CorpusWriter& out, ImportCounts& counts, const Run& run,
                     const FolderOptions& options = {});

/// A static site: each .html, .htm and .xhtml file below the folder is a document, its path is its id. What all titles
/// end in, such as the name of the site, is left out of them. `code` is about <pre> alone.
void import_html(const std::filesystem::path& folder, CorpusWriter& out, ImportCounts& counts, const Run& run,
                 const FolderOptions& options = {}, CodeText code = CodeText::Drop);

/// Columns by their names, or by their numbers from 1; empty where there is none.
struct CsvOptions {
  std::string id{};  ///< without one the rows are numbered from 1
  std::vector<std::string> text{};
  std::string title{}, labels{}, links{}, groups{};
  std::string date{};                ///< without one a column named "date", if there is one
  std::optional<char> separator{};   ///< without one: a tab in a .tsv, else a comma
  std::string list_separator = "|";  ///< within labels, links and groups
  bool skip_bad = false;             ///< rows with an error are counted and passed over
};

/// A table, the first line of which names the columns: each row is a document. Rows that have more or fewer fields than
/// that line, and ids that are empty or were there before, are errors. A row that is no UTF-8 is taken for
/// Windows-1252.
void import_csv(const std::filesystem::path& file, const CsvOptions& options, CorpusWriter& out, ImportCounts& counts,
                const Run& run);

struct StackExchangeOptions {
  std::int64_t min_votes = 10;  ///< of a question, of an answer, and of at least one answer of a question
  CodeText code = CodeText::Drop;
  bool answer_labels = false;  ///< answers have their question's tags
  bool unanswered = false;     ///< questions of which no answer has the votes, too
  std::size_t top_labels = 0;  ///< the most frequent tags only; 0: all
};

/// The questions and answers of a Stack Exchange dump: `from` is its Posts.xml (or a pipe, or a .7z that holds it among
/// others), or a folder with that. The file is read once; posts with enough votes wait in a temporary file until it is
/// known which of them have an answer, or a question, with enough votes. Memory grows with these posts by some hundred
/// bytes each.
void import_stackexchange(const std::filesystem::path& from, const StackExchangeOptions& options, CorpusWriter& out,
                          ImportCounts& counts, const Run& run);

/// The pages of a MediaWiki export (pages-articles.xml): those of the main namespace, with the links between them and
/// their categories as labels. The file is read once; the pages wait in a temporary file until all titles and redirects
/// are known. Memory grows with the number of titles.
void import_mediawiki(const std::filesystem::path& file, CorpusWriter& out, ImportCounts& counts, const Run& run);

enum class WorkLabels { Topics, Concepts, Keywords, Fields };

/// Works of OpenAlex, one JSON object per line (or one answer of its API, a list of works under "results").
void import_openalex(const std::vector<std::filesystem::path>& files, WorkLabels labels, CorpusWriter& out,
                     ImportCounts& counts, const Run& run);

enum class PackageLabels { Section, Tags };

struct DebianOptions {
  std::filesystem::path lists = "/var/lib/apt/lists";     ///< apt's folder; empty: do not look there
  std::filesystem::path status = "/var/lib/dpkg/status";  ///< dpkg's file, read if no list is there; empty: do not
  PackageLabels labels = PackageLabels::Section;
  std::size_t top = 0;  ///< only so many packages, those with the most links; 0: all
  bool depends = true;  ///< which relations become links
  bool recommends = true;
  bool suggests = true;
};

/// The packages that this machine knows, linked by what they depend on.
void import_debian(const DebianOptions& options, CorpusWriter& out, ImportCounts& counts, const Run& run);

}  // namespace idne
