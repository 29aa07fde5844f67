#include "idne/check.h"

#include <fmt/ranges.h>
#include <unistd.h>

#include "idne/output_file.h"
#include "idne/train.h"
#include "json/texts.h"
#include "terminal.h"
#include "verbs.h"

namespace idne::app {

namespace {

using Rows = std::vector<std::vector<std::string>>;

constexpr std::size_t kColumns = 80;

std::uint64_t machine_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), bytes = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && bytes > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(bytes) : 0;
}

std::string percent(std::uint64_t part, std::uint64_t all) {
  return fmt::format("{:.1f} %", all ? 100 * static_cast<double>(part) / static_cast<double>(all) : 0.0);
}

std::string memory(std::uint64_t bytes) {
  constexpr double kMiB = 1024.0 * 1024;
  const double size = static_cast<double>(bytes) / kMiB;
  return size < 1000 ? fmt::format("{:.0f} MiB", size) : fmt::format("{:.1f} GiB", size / 1024);
}

/// Rows of what is there, the paper's Table 1 first.
Rows overview(const CorpusCheck& c, const Forecast& forecast, int threads) {
  Rows rows;
  const auto add = [&](const char* what, std::string value) {
    rows.push_back({what, cut_to_columns(printable_line(value), 56)});
  };
  add("documents", with_commas(c.documents));
  add("links", with_commas(c.links));
  add("labels", c.labels == 0 ? "none"
                              : fmt::format("{}, {}", with_commas(c.labels),
                                            c.several_labels ? "several per document" : "one per document"));
  add("words kept", with_commas(c.vocabulary));
  add("words per document", fmt::format("{:.0f} ± {:.0f}", c.words.mean, c.words.deviation));
  add("density", fmt::format("{:.2f} %", 100 * c.density));
  rows.push_back({"", ""});
  add("words left out",
      fmt::format("{} too rare, {} too frequent", with_commas(c.too_rare), with_commas(c.too_frequent)));
  if (c.languages.told) {
    constexpr std::size_t kPerRow = 3;
    std::vector<std::string> told;
    for (const auto& [name, documents] : c.languages.found) {
      told.push_back(fmt::format("{} {}", name, percent(documents, c.documents)));
    }
    if (told.empty())
      told.emplace_back("none found, so English");
    else if (c.languages.unclear > 0)
      told.push_back(fmt::format("unclear {}", percent(c.languages.unclear, c.documents)));
    for (std::size_t k = 0; k < told.size(); k += kPerRow) {
      const std::span row = std::span(told).subspan(k, std::min(kPerRow, told.size() - k));
      add(k == 0 ? "languages" : "", fmt::format("{}", fmt::join(row, ", ")));
    }
  }
  add("empty documents", with_commas(c.empty));
  add("without kept words", with_commas(c.wordless));
  // Ids may be long; both are to be seen.
  add("repeated texts", c.repeated ? fmt::format("{}, as {} repeats {}", with_commas(c.repeated),
                                                 cut_to_columns(printable_line(c.repeated_example), 17),
                                                 cut_to_columns(printable_line(c.repeated_of), 17))
                                   : "0");
  if (c.labels > 0) {
    add("labels per document",
        fmt::format("{:.1f}, at most {}; {} none", c.labels_per_document.mean, with_commas(c.labels_per_document.most),
                    counted(c.unlabelled, "document has", "documents have")));
    add("rare labels", fmt::format("{} with fewer than {} documents", with_commas(c.rare_labels), kFewDocuments));
  }
  if (c.groups > 0) {
    add("groups",
        fmt::format("{}, the largest of {}", with_commas(c.groups), counted(c.largest_group, "document", "documents")));
  }
  add("connected parts", fmt::format("{}, the largest with {} of the documents", with_commas(c.components),
                                     percent(c.largest_component, c.documents)));
  add("dropped", c.dropped.text());
  add("training takes", fmt::format("about {} and {} with {} thread{}", memory(forecast.bytes),
                                    duration(forecast.seconds), threads, threads == 1 ? "" : "s"));
  add("links per document", fmt::format("median {}, 90 % have at most {}, largest {}", with_commas(c.degree.median),
                                        with_commas(c.degree.nine_tenths), with_commas(c.degree.most)));
  return rows;
}

Rows degree_chart(const CorpusCheck& c) {
  constexpr double kBar = 40;
  std::uint64_t most = 1;
  for (const DegreeRange& range : c.degrees) most = std::max(most, range.documents);
  Rows rows;
  for (const DegreeRange& range : c.degrees) {
    // An eighth of a column is the least that shows: no range with documents looks empty.
    const auto length =
        static_cast<std::size_t>(kBar * static_cast<double>(range.documents) / static_cast<double>(most));
    std::string bar;
    for (std::size_t k = 0; k < length; ++k) bar += "█";
    if (bar.empty() && range.documents > 0) bar = "▏";
    rows.push_back({range.least == range.most
                        ? with_commas(range.least)
                        : fmt::format("{} … {}", with_commas(range.least), with_commas(range.most)),
                    with_commas(range.documents), bar});
  }
  return rows;
}

/// The text in lines of at most kColumns, the later ones set in.
std::string wrapped(std::string_view text) {
  std::string result, line;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string word = cut_to_columns(text.substr(0, end), kColumns - 4);  // an id may be longer than a line
    if (!line.empty() && columns_of(line) + 1 + columns_of(word) > kColumns) {
      result += line + "\n";
      line = "   ";
    }
    line.append(line.empty() ? "" : " ").append(word);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result + line + "\n";
}

void print_text(const CorpusCheck& check, const Forecast& forecast, int threads, const std::vector<Finding>& found) {
  print_table({"what", "value"}, overview(check, forecast, threads));
  print_result("\n");
  print_table({">links", ">documents", ""}, degree_chart(check));
  std::string text = "\n";
  for (const Finding& finding : found) {
    text += wrapped(fmt::format("- {}: {}", printable_line(finding.what), finding.remedy));
  }
  print_result(found.empty() ? "\nnothing looks wrong\n" : text);
}

/// What looks wrong, the gravest first.
std::vector<Finding> all_findings(const CorpusCheck& check, const Forecast& forecast) {
  std::vector<Finding> found = findings(check);
  const std::uint64_t memory = machine_memory();
  if (memory == 0 || forecast.bytes < memory) return found;
  constexpr double kGiB = 1024.0 * 1024 * 1024;
  found.insert(found.begin(),
               {fmt::format("training takes about {:.1f} GiB and this machine has {:.1f}",
                            static_cast<double>(forecast.bytes) / kGiB, static_cast<double>(memory) / kGiB),
                "try a smaller --dim, or a larger --min-count"});
  return found;
}

void check_asked(const Options& options) {
  CorpusCheck check;
  {
    const Session session(threads_of(options));
    check = check_corpus(read_collection(options.text("CORPUS"), read_options(options), session.run()),
                         vocabulary_rule(options), session.run());
  }
  if (options.given("output")) {
    OutputFile file(options.text("output"));
    const std::vector<std::string> ids = leave_out(check);
    for (const std::string& id : ids) file.write(id + "\n");
    file.commit();
    tell("{} to be left out with --leave-out {}\n", counted(ids.size(), "document", "documents"),
         options.text("output"));
  }
  const Forecast forecast =
      forecast_training({check.documents, check.vocabulary, check.all_words, check.labels}, threads_of(options));
  const std::vector<Finding> found = all_findings(check, forecast);
  if (options.text("format") == "json") return print_result(json_text(check, forecast, found));
  print_text(check, forecast, threads_of(options), found);
}

}  // namespace

Verb check_verb() {
  return {
      "check", "what a corpus is like, and what looks wrong, before training",
      joined({{corpus_option(),
               OptionSpec::output("a file for the ids of documents that had better be left out: --leave-out reads it"),
               format_option({"text", "json"}), threads_option()},
              word_options()}),
      "Example:\n  idne check corpus\n  idne check corpus -o bad.txt && idne train corpus --leave-out bad.txt -o "
      "my.idne",
      check_asked};
}

}  // namespace idne::app
