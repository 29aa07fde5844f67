#include "batch.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "corpus/document_line.h"
#include "corpus/lines.h"
#include "endings.h"
#include "export/shared_documents.h"
#include "idne/output_file.h"
#include "idne/search_index.h"
#include "processes.h"
#include "terminal.h"

namespace idne::app {
namespace {

/// Some dozens of documents: small beside what is worked on until a person wants to see progress.
constexpr std::size_t kBytesAtOnce = std::size_t{1} << 14;

/// An index of 63,620 documents is made in the time that some 1,500 questions take without one; both grow with the
/// model.
constexpr std::size_t kFewQuestions = 1000;

/// Whether a batch has more documents. What can be read once alone, such as a pipe, counts as more.
bool has_more_than(std::size_t count, const std::filesystem::path& path) {
  const std::filesystem::path file = documents_file(path);
  if (!std::filesystem::is_regular_file(file)) return true;
  BlockReader reader(file);
  std::size_t found = 0;
  for (Block block; found <= count && reader.next(block);) {
    for_each_line(block, [&](std::string_view, std::uint64_t) { ++found; });
  }
  return found > count;
}

bool to_stdout(const Options& options) {
  const std::string& out = options.text("output");
  return out.empty() || out == "-";
}

bool is_choice(const Options& options, std::string_view format) {
  for (const OptionSpec& spec : options.table()) {
    if (spec.name != "format") continue;
    return std::find(spec.choices.begin(), spec.choices.end(), format) != spec.choices.end();
  }
  return false;
}

/// Those of the formats that answers can have.
std::vector<std::string> endings_of(const Options& options, bool batch) {
  std::vector<std::string> endings{".json", ".jsonl"};
  if (is_choice(options, "tsv")) endings.emplace_back(".tsv");
  if (!batch && is_choice(options, "html")) endings.emplace_back(".html");
  return endings;
}

}  // namespace

bool is_batch(const std::string& file) {
  constexpr std::array<std::string_view, 3> kEndings{".jsonl", ".jsonl.gz", ".jsonl.zst"};
  return std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view end) { return file.ends_with(end); }) ||
         std::filesystem::is_directory(file);
}

bool can_be_shared(const std::string& documents) {
  if (!ranks()) return false;
  return first_says([&] {
    return documents != "-" &&
           (std::filesystem::is_directory(documents) || std::filesystem::is_regular_file(documents));
  });
}

OptionSpec text_or_documents_option() {
  return OptionSpec::input("FILE",
                           "a text file, - is standard input; or many documents: a .jsonl file (.gz, .zst) with a "
                           "\"text\" on each line, or a corpus folder")
      .by_default("-");
}

OptionSpec answers_option() {
  return OptionSpec::output("the file to write, else standard output; its name tells the format");
}

std::string answer_format(const Options& options, bool batch) {
  std::string format = options.text("format");
  const std::string& out = options.text("output");
  if (!options.given("format") && (batch || !to_stdout(options))) {
    format = "json";
    for (const char* other : {"tsv", "html"}) {
      if (is_choice(options, other) && out.ends_with(fmt::format(".{}", other))) format = other;
    }
  }
  if (batch && (format == "text" || format == "html")) {
    throw UsageError(fmt::format("--format {}: that is for one text; many are answered as JSON lines{}", format,
                                 is_choice(options, "tsv") ? " or tsv" : ""));
  }
  if (!batch && format == "tsv" && !options.given("document")) {
    throw UsageError(
        "--format tsv: its first column is an id; documents (.jsonl, --document) have one, a text has none");
  }
  if (!to_stdout(options)) {
    check_ending(options, endings_of(options, batch));
    if (format == "text") throw UsageError("-o: text is for the terminal; use json");
    first_does([&] { check_writable(out); });
  }
  return format;
}

std::uint64_t answer_batch(const Options& options, std::string_view stage, const Run& run, const Answer& answer) {
  const std::string &documents = options.text("FILE"), &out = options.text("output");
  std::optional<OutputFile> file;
  first_does([&] {
    if (!to_stdout(options)) file.emplace(out);
  });
  Run own = run;
  if (!file && is_terminal(stdout)) own.progress = nullptr;  // the answers show how far it is
  std::uint64_t count = 0;
  for_each_shared_document(documents, own, answer,
                           [&](std::string_view bytes, std::size_t more) {
                             count += more;
                             return file ? file->write(bytes) : print_result(bytes);
                           },
                           {stage, kBytesAtOnce});
  first_does([&] {
    if (file) file->commit();
  });
  return count;
}

void write_answer(const Options& options, std::string_view text) {
  if (to_stdout(options)) return print_result(text);
  OutputFile file(options.text("output"));
  file.write(text);
  file.commit();
}

void tell_answered(const Options& options, std::uint64_t documents, std::uint64_t wordless) {
  wordless = sum_of(ranks(), wordless);
  if (documents == 0) tell("idne: {}: no documents\n", options.text("FILE"));
  if (wordless > 0) {
    tell("idne: {} no word that the model knows\n", counted(wordless, "document has", "documents have"));
  }
  if (!to_stdout(options)) tell("{}: {}\n", counted(documents, "document", "documents"), options.text("output"));
}

NearestSearch indexed_search(const Model& model, const std::string& model_path, const Run& run) {
  auto kept = load_search_index(model, model_path, run.threads);
  // One without it needs the others to make it.
  if (run.ranks && any_of(*run.ranks, !kept)) kept.reset();
  return [index = kept ? kept->documents : DocumentIndex::build(model, run)](
             std::span<const float> query, std::size_t count) { return index.search(query, count); };
}

NearestSearch batch_search(const Options& options, const Model& model, const Run& run) {
  if (has_more_than(kFewQuestions, options.text("FILE"))) return indexed_search(model, options.text("MODEL"), run);
  return [rows = model.documents().vectors](std::span<const float> query, std::size_t count) {
    return nearest(rows, query, count, 1);
  };
}

}  // namespace idne::app
