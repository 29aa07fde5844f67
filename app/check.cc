#include "idne/check.h"

#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "terminal.h"
#include "text_options.h"
#include "verbs.h"

namespace idne::app {

namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<std::string>>;

constexpr std::size_t kColumns = 80;

struct Arguments {
  std::string corpus, format;
  OptionTexts word_options;
  ReadOptions read;
  int threads = 1;
};

std::uint64_t machine_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), bytes = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && bytes > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(bytes) : 0;
}

Json to_json(const Spread& spread) {
  return {{"mean", spread.mean},     {"deviation", spread.deviation},     {"least", spread.least},
          {"median", spread.median}, {"nine_tenths", spread.nine_tenths}, {"most", spread.most}};
}

Json to_json(const CorpusCheck& c, const std::vector<Finding>& found) {
  Json degrees = Json::array(), wrong = Json::array();
  for (const DegreeRange& range : c.degrees) {
    degrees.push_back({{"least", range.least}, {"most", range.most}, {"documents", range.documents}});
  }
  for (const Finding& finding : found) wrong.push_back({{"what", finding.what}, {"remedy", finding.remedy}});
  return {{"documents", c.documents},
          {"links", c.links},
          {"density", c.density},
          {"groups", {{"count", c.groups}, {"memberships", c.memberships}, {"largest", c.largest_group}}},
          {"words",
           {{"different", c.tokens},
            {"kept", c.vocabulary},
            {"too_rare", c.too_rare},
            {"too_frequent", c.too_frequent},
            {"a_document", to_json(c.words)},
            {"empty_documents", c.empty},
            {"documents_without_kept_words", c.wordless},
            {"repeated_documents", c.repeated},
            {"repeated_example", c.repeated ? Json{c.repeated_of, c.repeated_example} : Json()}}},
          {"labels",
           {{"count", c.labels},
            {"several_a_document", c.several_labels > 0},
            {"documents_with_several", c.several_labels},
            {"documents_without", c.unlabelled},
            {"a_document", to_json(c.labels_a_document)},
            {"with_few_documents", c.rare_labels},
            {"largest", c.largest_label}}},
          {"degree",
           {{"of_documents", to_json(c.degree)},
            {"isolated", c.isolated},
            {"best_connected", c.best_connected.empty() ? Json() : Json(c.best_connected)},
            {"ranges", degrees}}},
          {"components", {{"count", c.components}, {"largest", c.largest_component}}},
          {"dropped",
           {{"unknown_links", c.dropped.unknown_links},
            {"self_links", c.dropped.self_links},
            {"repeated_links", c.dropped.repeated_links},
            {"unknown_members", c.dropped.unknown_members},
            {"repeated_members", c.dropped.repeated_members}}},
          {"forecast", {{"bytes", c.forecast.bytes}, {"seconds", c.forecast.seconds}}},
          {"findings", wrong}};
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
Rows overview(const CorpusCheck& c) {
  Rows rows;
  const auto add = [&](const char* what, std::string value) { rows.push_back({what, cut(printable_line(value), 56)}); };
  add("documents", with_commas(c.documents));
  add("links", with_commas(c.links));
  add("labels", c.labels == 0 ? "none"
                              : fmt::format("{}, {}", with_commas(c.labels),
                                            c.several_labels ? "several a document" : "one a document"));
  add("words kept", with_commas(c.vocabulary));
  add("words a document", fmt::format("{:.0f} ± {:.0f}", c.words.mean, c.words.deviation));
  add("density", fmt::format("{:.2f} %", 100 * c.density));
  rows.push_back({"", ""});
  add("words left out",
      fmt::format("{} too rare, {} too frequent", with_commas(c.too_rare), with_commas(c.too_frequent)));
  add("empty documents", with_commas(c.empty));
  add("without kept words", with_commas(c.wordless));
  // Ids may be long; both are to be seen.
  add("repeated texts",
      c.repeated ? fmt::format("{}, as {} repeats {}", with_commas(c.repeated),
                               cut(printable_line(c.repeated_example), 17), cut(printable_line(c.repeated_of), 17))
                 : "0");
  if (c.labels > 0) {
    add("labels a document", fmt::format("{:.1f}, at most {}; {} documents have none", c.labels_a_document.mean,
                                         with_commas(c.labels_a_document.most), with_commas(c.unlabelled)));
    add("rare labels", fmt::format("{} with fewer than {} documents", with_commas(c.rare_labels), kFewDocuments));
  }
  if (c.groups > 0) {
    add("groups", fmt::format("{}, the largest of {} documents", with_commas(c.groups), with_commas(c.largest_group)));
  }
  add("connected parts", fmt::format("{}, the largest with {} of the documents", with_commas(c.components),
                                     percent(c.largest_component, c.documents)));
  add("dropped", c.dropped.text());
  add("training takes",
      fmt::format("about {} and {} on 2 cores", memory(c.forecast.bytes), duration(c.forecast.seconds)));
  add("links a document", fmt::format("median {}, 90 % have at most {}, largest {}", with_commas(c.degree.median),
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
    const double length = kBar * static_cast<double>(range.documents) / static_cast<double>(most);
    std::string bar;
    for (double k = 1; k <= length; ++k) bar += "█";
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
    const std::string word = cut(text.substr(0, end), kColumns - 4);  // an id may be longer than a line
    if (!line.empty() && columns_of(line) + 1 + columns_of(word) > kColumns) {
      result += line + "\n";
      line = "   ";
    }
    line.append(line.empty() ? "" : " ").append(word);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result + line + "\n";
}

void print_text(const CorpusCheck& check, const std::vector<Finding>& found) {
  print_table({"what", "value"}, overview(check));
  print_result("\n");
  print_table({">links", ">documents", ""}, degree_chart(check));
  std::string text = "\n";
  for (const Finding& finding : found) {
    text += wrapped(fmt::format("- {}: {}", printable_line(finding.what), finding.remedy));
  }
  print_result(found.empty() ? "\nnothing looks wrong\n" : text);
}

void check_verb(const Arguments& arguments) {
  const VocabularyRule rule = vocabulary_rule(arguments.word_options);
  CorpusCheck check;
  {
    const Session session(arguments.threads);
    check = check_corpus(read_collection(arguments.corpus, arguments.read, session.run()), rule, session.run());
  }
  const std::vector<Finding> found = findings(check, machine_memory());
  if (arguments.format == "json") return print_result(to_json(check, found).dump(1) + "\n");
  print_text(check, found);
}

}  // namespace

void add_check(CLI::App& program) {
  auto* verb = program.add_subcommand("check", "what a corpus is like, and what looks wrong, before training");
  const auto a = std::make_shared<Arguments>();
  verb->add_option("CORPUS", a->corpus, "a corpus folder, or a JSONL file")->required();
  add_format(*verb, a->format, {"text", "json"});
  add_threads(*verb, a->threads);
  add_word_options(*verb, a->word_options, a->read);
  verb->footer("Example:\n  idne check corpus");
  verb->callback([a] { check_verb(*a); });
}

}  // namespace idne::app
