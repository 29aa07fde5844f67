#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "corpus/document_line.h"
#include "idne/generate.h"
#include "idne/output_file.h"
#include "idne/report.h"
#include "idne/suggest.h"
#include "terminal.h"
#include "verbs.h"

/// A tour: each step says which command it is, and is that command.
namespace idne::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSuggested = 10;
constexpr std::size_t kHidden = 100;  // about so many documents are kept from training

/// In a folder that a demo has made, and may write again.
constexpr const char* kMarker = ".made-by-idne-demo";

struct Document {
  std::string line;  ///< as it stands in the corpus
  std::string id, title, text;
  std::set<std::string> labels, links;
};

std::string bold(const std::string& text) { return use_colour() ? "\x1b[1m" + text + "\x1b[0m" : text; }

void say(const std::string& text) { print_result(fmt::format("\n{}\n", text)); }

void show(const std::vector<std::string>& arguments) {
  std::string line = "$ idne";
  for (const std::string& argument : arguments) {
    const bool plain = argument.find_first_of(" '\"") == std::string::npos;
    line += plain ? " " + argument : fmt::format(" '{}'", argument);
  }
  print_result(fmt::format("\n{}\n", bold(line)));
  run_verb(arguments);
}

std::vector<Document> read_documents(const fs::path& corpus) {
  const fs::path name = corpus / "documents.jsonl";
  std::ifstream file(name);
  simdjson::dom::parser parser;
  std::vector<Document> documents;
  for (std::string text; std::getline(file, text);) {
    text.reserve(text.size() + simdjson::SIMDJSON_PADDING);
    const std::string file_name = name.string();
    const DocumentLine line(parser, text, file_name, documents.size() + 1);
    Document one{"",
                 std::string(line.string("id", true)),
                 std::string(line.string("title", false)),
                 std::string(line.string("text", true)),
                 {},
                 {}};
    line.strings("labels", [&](std::string_view label) { one.labels.emplace(label); });
    line.strings("links", [&](std::string_view id) { one.links.emplace(id); });
    one.line = std::move(text);
    documents.push_back(std::move(one));
  }
  return documents;
}

/// Gives each document its links in both directions; those to unknown ids too.
void add_links_back(std::vector<Document>& documents, const fs::path& corpus) {
  std::map<std::string, std::set<std::string>> links;
  const auto add = [&](const std::string& a, const std::string& b) {
    links[a].insert(b);
    links[b].insert(a);
  };
  for (const Document& document : documents) {
    for (const std::string& id : document.links) add(document.id, id);
  }
  std::ifstream file(corpus / "links.tsv");
  for (std::string a, b; std::getline(file, a, '\t') && std::getline(file, b);) add(a, b);
  for (Document& document : documents) document.links = links[document.id];
}

/// Writes the corpus without some documents to `to`, and gives those: first the one to show, then the others.
std::vector<Document> hide_some(const fs::path& corpus, const fs::path& to) {
  std::vector<Document> documents = read_documents(corpus);
  add_links_back(documents, corpus);
  constexpr std::size_t kLinked = 4;  // one with less shows little
  const auto linked = [&](const Document& document) { return document.links.size() >= kLinked; };
  static const std::set<std::string> kGood{"audacity", "nginx", "postgis", "scribus"};  // known to many
  auto shown = std::find_if(documents.begin(), documents.end(),
                            [&](const Document& d) { return kGood.contains(d.id) && linked(d); });
  if (shown == documents.end()) shown = std::find_if(documents.begin(), documents.end(), linked);
  if (shown == documents.end()) shown = documents.begin();

  const std::size_t step = std::max<std::size_t>(2, documents.size() / kHidden);
  std::vector<Document> hidden{*shown};
  OutputFile file(to / "documents.jsonl");
  for (std::size_t i = 0; i < documents.size(); ++i) {
    if (documents.begin() + static_cast<std::ptrdiff_t>(i) == shown) continue;
    if (i % step == step / 2) {
      hidden.push_back(std::move(documents[i]));
      continue;
    }
    file.write(documents[i].line + "\n");
  }
  file.commit();
  if (fs::exists(corpus / "links.tsv")) fs::copy_file(corpus / "links.tsv", to / "links.tsv");
  return hidden;
}

ReportedText suggest_for(const Document& hidden, const TextEncoder& encoder, const Suggester& suggester,
                         Tokenizer& tokenizer) {
  const Suggestions suggestions = suggester.suggest(suggester.words(hidden.text, tokenizer), {3, kSuggested, 0, 0});
  const Model& model = encoder.model();
  ReportedText text{hidden.title.empty() ? hidden.id : hidden.title, {}, {}, {}, {}};
  for (const SuggestedLabel& label : suggestions.labels) {
    const std::string name(model.labels().names[label.label]);
    text.labels.push_back({label.probability, name, "", hidden.labels.contains(name)});
  }
  for (const SuggestedLink& link : suggestions.links) {
    const std::string id(model.documents().ids[link.document]);
    text.links.push_back(
        {link.score, id, std::string(model.documents().titles[link.document]), hidden.links.contains(id)});
  }
  return text;
}

bool any_true(const std::vector<ReportedSuggestion>& list, std::size_t first) {
  return std::any_of(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(std::min(first, list.size())),
                     [](const ReportedSuggestion& one) { return one.is_correct; });
}

std::string some_of(const std::set<std::string>& names) {
  constexpr std::size_t kMostNamed = 12;
  std::string text;
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (static_cast<std::size_t>(std::distance(names.begin(), name)) == kMostNamed) return text + " …";
    text += (text.empty() ? "" : " ") + *name;
  }
  return text;
}

void print_suggestions(const ReportedText& text, const Document& hidden) {
  std::vector<std::vector<std::string>> rows;
  for (const ReportedSuggestion& label : text.labels) {
    rows.push_back({fmt::format("{:.1f} %", 100 * label.score), label.name, label.is_correct ? "true" : ""});
  }
  if (!rows.empty()) print_table({">probability", "suggested label", ""}, rows);
  print_result(fmt::format("Its true labels: {}\n\n", some_of(hidden.labels)));
  rows.clear();
  for (const ReportedSuggestion& link : text.links) {
    rows.push_back({fmt::format("{:.3f}", link.score), link.name, link.is_correct ? "true" : "", link.title});
  }
  print_table({">score", "suggested link", "", "title"}, rows);
  print_result(
      fmt::format("Its {}: {}\n", counted(hidden.links.size(), "true link", "true links"), some_of(hidden.links)));
}

/// How it went for all the hidden documents.
std::string summary(const std::vector<Document>& hidden, const TextEncoder& encoder, const Suggester& suggester) {
  std::size_t labelled = 0, first_label = 0, a_label = 0, linked = 0, a_link = 0;
  Tokenizer tokenizer;
  for (const Document& one : hidden) {
    const ReportedText text = suggest_for(one, encoder, suggester, tokenizer);
    labelled += !one.labels.empty();
    first_label += any_true(text.labels, 1);
    a_label += any_true(text.labels, 3);
    linked += !one.links.empty();
    a_link += any_true(text.links, kSuggested);
  }
  return fmt::format(
      "Of {} hidden documents with labels {} have a true one suggested first, {} among the first three. Of {} with "
      "links {} have a true one among the {} suggested, out of {}.",
      labelled, first_label, a_label, linked, a_link, kSuggested, with_commas(encoder.model().documents().size()));
}

void write_report(const Model& model, const std::string& title, ReportedText text, const std::string& file) {
  Run run;
  run.threads = hardware_threads();
  Report report{title, {}, describe_topics(model, {}, run), {}};
  report.figures = {{"documents", with_commas(model.documents().size())},
                    {"links", with_commas(model.info().links)},
                    {"words", with_commas(model.words().strings.size())},
                    {"topics", with_commas(model.topics().size())},
                    {"labels", with_commas(model.labels().names.size())}};
  report.texts.push_back(std::move(text));
  OutputFile out(file);
  out.write(report_page(report));
  out.commit();
}

/// The files of a corpus that a demo has made; whatever else is there stays.
void remove_corpus(const fs::path& folder) {
  std::error_code none;
  for (const char* file : {"documents.jsonl", "links.tsv", kGeneratedMarker}) fs::remove(folder / file, none);
}

/// Goes into the demo's folder, made or found. Throws Error if it holds what no demo has made.
void enter(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error && !fs::exists(fs::path(folder) / kMarker) && !fs::is_empty(folder, error)) {
    throw Error(fmt::format("{}: not empty, and not from an earlier demo; -o names another folder", folder));
  }
  if (!error) fs::current_path(folder, error);
  if (error) throw Error(fmt::format("{}: {}", folder, error.message()));
  std::ofstream marker(kMarker);
  for (const char* corpus : {"all", "corpus"}) remove_corpus(corpus);
}

/// Makes the corpus "all"; true if it is of this machine's packages.
bool make_corpus(const std::string& wanted) {
  constexpr std::size_t kEnoughPackages = 1000;
  if (wanted != "generated") {
    try {
      say("The packages of this machine, described and linked by what they depend on:");
      show({"import", "debian", "-o", "all"});
      if (wanted == "debian" || read_documents("all").size() >= kEnoughPackages) return true;
      say("They are few. Instead, texts that are made up:");
    } catch (const Interrupted&) {
      throw;
    } catch (const Error& error) {
      if (wanted == "debian") throw;
      say(fmt::format("There are none ({}). Instead, texts that are made up:", error.what()));
    }
    remove_corpus("all");
  }
  say("2,000 texts in six fields (astronomy, medicine, law, cooking, music, geology), linked mostly within a field:");
  show({"generate", "-o", "all"});
  return false;
}

void demo(const Options& options) {
  enter(options.text("output"));
  const bool packages = make_corpus(options.text("corpus"));
  fs::create_directory("corpus");
  const std::vector<Document> hidden = hide_some("all", "corpus");
  say(fmt::format(
      "{} of them are kept aside, to see what a model that has never met them says. It learns from the rest:",
      hidden.size()));
  show({"train", "corpus", "-o", "demo.idne", "--topics", packages ? "32" : "12"});
  say("What are they about? Each line is a topic: its share, how well its words go together, its words.");
  show({"topics", "demo.idne", "--top", "8", "--examples", "0"});

  say("A new text, with each word in the colour of its topic where the terminal has colours:");
  std::ofstream("new.txt") << (packages ? "A small game for children: drag letters on the screen to learn to spell,\n"
                                          "with sounds and pictures, written in Python.\n"
                                        : "A planet was seen through the telescope at the observatory, close to its "
                                          "moon; the singer and the\norchestra had rehearsed the opera, and the "
                                          "composer was in the concert hall for the melody.\n");
  show({"explain", "demo.idne", "new.txt"});
  show({"suggest", "demo.idne", "new.txt", "-k", "4"});

  const Model model = Model::load("demo.idne");
  const TextEncoder encoder(model);
  const Suggester suggester(encoder, hardware_threads());
  Tokenizer tokenizer;
  say(fmt::format("One of those kept aside: {}. From its text alone, beside what is true of it:",
                  bold(hidden[0].title.empty() ? hidden[0].id : printable_line(hidden[0].title))));
  ReportedText text = suggest_for(hidden[0], encoder, suggester, tokenizer);
  print_result("\n");
  print_suggestions(text, hidden[0]);
  text.remark = summary(hidden, encoder, suggester);
  say(text.remark);

  std::ofstream("hidden.txt") << hidden[0].text << "\n";
  const KnownText known = known_text(encoder, hidden[0].text);
  text.explanation = explain(model, known);
  write_report(model, packages ? "The Debian packages of this machine" : "A generated corpus", std::move(text),
               "report.html");

  const std::string folder = fs::current_path().string();
  say(fmt::format("Written: {0}/report.html (open it in a browser), {0}/demo.idne (the model).", folder));
  say("Next, with your own documents:\n"
      "  idne import markdown ~/notes -o notes     or html, stackexchange, mediawiki, openalex, csv\n"
      "  idne check notes                          is it fit to learn from?\n"
      "  idne train notes -o notes.idne\n"
      "  idne suggest notes.idne draft.txt         tags and links for a new one\n"
      "  idne --help                               all verbs");
  if (options.flag("serve")) return run_verb({"serve", "demo.idne", "--corpus", "corpus"});
  say(fmt::format(
      "To wander about in it: `idne serve demo.idne --corpus corpus` in {}, then open its address in a browser.",
      folder));
}

}  // namespace

Verb demo_verb() {
  return {"demo",
          "a tour, on this machine's Debian packages or a made-up corpus",
          {OptionSpec::output("folder to write").called("FOLDER").by_default("demo"),
           OptionSpec::choice("corpus", {"any", "debian", "generated"},
                              "debian, generated, or any: debian where there are packages"),
           OptionSpec::flag("serve", "open the explorer at the end: as `idne serve`, until Ctrl-C")},
          "Example:\n  idne demo\n  idne demo --serve",
          demo};
}

}  // namespace idne::app
