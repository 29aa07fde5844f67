#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "idne/output_file.h"
#include "idne/report.h"
#include "idne/suggest.h"
#include "terminal.h"
#include "verbs.h"

/// A tour: each step says which command it is, and is that command.
namespace idne::app {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kSuggested = 10;
constexpr std::size_t kHidden = 100;  // about so many documents are kept from training

struct Arguments {
  std::string folder = "demo", corpus = "any";
  bool serve = false;
};

/// A document that training does not see, and what is known of it.
struct Hidden {
  std::string id, title, text;
  std::set<std::string> labels, links;
};

std::string bold(const std::string& text) { return use_colour() ? "\x1b[1m" + text + "\x1b[0m" : text; }

void say(const std::string& text) { print_result("\n" + text + "\n"); }

void show(const std::vector<std::string>& arguments) {
  std::string line = "$ idne";
  for (const std::string& argument : arguments) {
    const bool plain = argument.find_first_of(" '\"") == std::string::npos;
    line += plain ? " " + argument : fmt::format(" '{}'", argument);
  }
  print_result("\n" + bold(line) + "\n");
  run_verb(arguments);
}

std::vector<Json> read_documents(const fs::path& corpus) {
  std::vector<Json> documents;
  std::ifstream file(corpus / "documents.jsonl");
  for (std::string line; std::getline(file, line);) documents.push_back(Json::parse(line));
  return documents;
}

/// The links of each document in both directions; those to unknown ids too.
std::map<std::string, std::set<std::string>> all_links(const std::vector<Json>& documents, const fs::path& corpus) {
  std::map<std::string, std::set<std::string>> links;
  const auto add = [&](const std::string& a, const std::string& b) {
    links[a].insert(b);
    links[b].insert(a);
  };
  for (const Json& document : documents) {
    for (const std::string& id : document.value("links", std::vector<std::string>{})) add(document["id"], id);
  }
  std::ifstream file(corpus / "links.tsv");
  for (std::string a, b; std::getline(file, a, '\t') && std::getline(file, b);) add(a, b);
  return links;
}

/// Writes the corpus without some documents to `to`, and gives those: first the one to show, then the others.
std::vector<Hidden> hide_some(const fs::path& corpus, const fs::path& to) {
  const std::vector<Json> documents = read_documents(corpus);
  const auto links = all_links(documents, corpus);
  constexpr std::size_t kLinked = 4;  // one with less shows little
  const auto linked = [&](const Json& document) {
    const auto found = links.find(document["id"]);
    return found != links.end() && found->second.size() >= kLinked;
  };
  const auto hidden_from = [&](const Json& document) {
    Hidden hidden{document["id"], document.value("title", ""), document["text"], {}, {}};
    for (const std::string& label : document.value("labels", std::vector<std::string>{})) hidden.labels.insert(label);
    if (const auto found = links.find(hidden.id); found != links.end()) hidden.links = found->second;
    return hidden;
  };
  static const std::set<std::string> kGood{"audacity", "nginx", "postgis", "scribus"};  // known to many
  auto shown = std::find_if(documents.begin(), documents.end(),
                            [&](const Json& d) { return kGood.contains(d["id"]) && linked(d); });
  if (shown == documents.end()) shown = std::find_if(documents.begin(), documents.end(), linked);
  if (shown == documents.end()) shown = documents.begin();

  const std::size_t step = std::max<std::size_t>(2, documents.size() / kHidden);
  std::vector<Hidden> hidden{hidden_from(*shown)};
  OutputFile file(to / "documents.jsonl");
  for (std::size_t i = 0; i < documents.size(); ++i) {
    if (documents.begin() + static_cast<std::ptrdiff_t>(i) == shown) continue;
    if (i % step == step / 2) {
      hidden.push_back(hidden_from(documents[i]));
      continue;
    }
    file.write(documents[i].dump() + "\n");
  }
  file.commit();
  if (fs::exists(corpus / "links.tsv")) fs::copy_file(corpus / "links.tsv", to / "links.tsv");
  return hidden;
}

ReportedText suggest_for(const Hidden& hidden, const Model& model, const TextEncoder& encoder, Tokenizer& tokenizer) {
  const Suggestions suggestions =
      suggest(model, encoder, encoder.words(hidden.text, tokenizer), {3, kSuggested, 3, 3}, hardware_threads());
  const StringsView names = model.strings("labels.names"), ids = model.strings("documents.ids");
  const StringsView titles = model.strings("documents.titles");
  ReportedText text{hidden.title.empty() ? hidden.id : hidden.title, {}, {}, {}, {}};
  for (const SuggestedLabel& label : suggestions.labels) {
    const std::string name(names[label.label]);
    text.labels.push_back({label.probability, name, "", hidden.labels.contains(name)});
  }
  for (const SuggestedLink& link : suggestions.links) {
    const std::string id(ids[link.document]);
    text.links.push_back({link.score, id, std::string(titles[link.document]), hidden.links.contains(id)});
  }
  return text;
}

bool any_true(const std::vector<ReportedSuggestion>& list, std::size_t first) {
  return std::any_of(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(std::min(first, list.size())),
                     [](const ReportedSuggestion& one) { return one.true_one; });
}

std::string some_of(const std::set<std::string>& names) {
  constexpr std::size_t kMany = 12;
  std::string text;
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (static_cast<std::size_t>(std::distance(names.begin(), name)) == kMany) return text + " …";
    text += (text.empty() ? "" : " ") + *name;
  }
  return text;
}

void print_suggestions(const ReportedText& text, const Hidden& hidden) {
  std::vector<std::vector<std::string>> rows;
  for (const ReportedSuggestion& label : text.labels) {
    rows.push_back({fmt::format("{:.1f} %", 100 * label.score), label.name, label.true_one ? "true" : ""});
  }
  if (!rows.empty()) print_table({">probability", "suggested label", ""}, rows);
  print_result(fmt::format("Its true labels: {}\n\n", some_of(hidden.labels)));
  rows.clear();
  for (const ReportedSuggestion& link : text.links) {
    rows.push_back({fmt::format("{:.3f}", link.score), link.name, link.true_one ? "true" : "", link.title});
  }
  print_table({">cosine", "suggested link", "", "title"}, rows);
  print_result(fmt::format("Its {} true links: {}\n", hidden.links.size(), some_of(hidden.links)));
}

/// How it went for all the hidden documents.
std::string summary(const std::vector<Hidden>& hidden, const Model& model, const TextEncoder& encoder) {
  std::size_t labelled = 0, first_label = 0, a_label = 0, linked = 0, a_link = 0;
  Tokenizer tokenizer;
  for (const Hidden& one : hidden) {
    const ReportedText text = suggest_for(one, model, encoder, tokenizer);
    labelled += !one.labels.empty();
    first_label += any_true(text.labels, 1);
    a_label += any_true(text.labels, 3);
    linked += !one.links.empty();
    a_link += any_true(text.links, kSuggested);
  }
  return fmt::format(
      "Of {} hidden documents with labels {} have a true one suggested first, {} among the first three. Of {} with "
      "links {} have a true one among the {} suggested, out of {}.",
      labelled, first_label, a_label, linked, a_link, kSuggested, with_commas(model.documents().rows));
}

void write_report(const Model& model, const std::string& title, ReportedText text, const std::string& file) {
  Report report{title, {}, describe_topics(model, {}, hardware_threads()), {}};
  report.figures = {{"documents", with_commas(model.documents().rows)},
                    {"links", with_commas(model.count("links"))},
                    {"words", with_commas(model.strings("words.strings").size())},
                    {"topics", with_commas(model.topics().rows)},
                    {"labels", with_commas(model.strings("labels.names").size())}};
  report.texts.push_back(std::move(text));
  OutputFile out(file);
  out.write(report_page(report));
  out.commit();
}

/// Makes the corpus "all"; true if it is of this machine's packages.
bool make_corpus(const std::string& wanted) {
  constexpr std::size_t kEnough = 1000;
  if (wanted != "generated") {
    try {
      say("The packages of this machine, described and linked by what they depend on:");
      show({"import", "debian", "-o", "all"});
      if (wanted == "debian" || read_documents("all").size() >= kEnough) return true;
      say("They are few. Instead, texts that are made up:");
    } catch (const Interrupted&) {
      throw;
    } catch (const Error& error) {
      if (wanted == "debian") throw;
      say(fmt::format("There are none ({}). Instead, texts that are made up:", error.what()));
    }
    fs::remove_all("all");
  }
  say("2,000 texts in six fields (astronomy, medicine, law, cooking, music, geology), linked mostly within a field:");
  show({"generate", "-o", "all"});
  return false;
}

void demo_verb(const Arguments& arguments) {
  std::error_code error;
  fs::create_directories(arguments.folder, error);
  if (!error) fs::current_path(arguments.folder, error);
  if (error) throw Error(fmt::format("{}: {}", arguments.folder, error.message()));
  for (const char* old : {"all", "corpus"}) fs::remove_all(old);

  const bool packages = make_corpus(arguments.corpus);
  fs::create_directory("corpus");
  const std::vector<Hidden> hidden = hide_some("all", "corpus");
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
  Tokenizer tokenizer;
  say(fmt::format("One of those kept aside: {}. From its text alone, beside what is true of it:",
                  bold(hidden[0].title.empty() ? hidden[0].id : printable_line(hidden[0].title))));
  ReportedText text = suggest_for(hidden[0], model, encoder, tokenizer);
  print_result("\n");
  print_suggestions(text, hidden[0]);
  text.remark = summary(hidden, model, encoder);
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
  if (arguments.serve) return run_verb({"serve", "demo.idne", "--corpus", "corpus"});
  say(fmt::format(
      "To wander about in it: `idne serve demo.idne --corpus corpus` in {}, then open its address in a browser.",
      folder));
}

}  // namespace

void add_demo(CLI::App& program) {
  auto* verb = program.add_subcommand("demo", "a tour, on this machine's Debian packages or a made-up corpus");
  const auto a = std::make_shared<Arguments>();
  verb->add_option("-o,--output", a->folder, "folder to write")->capture_default_str();
  verb->add_option("--corpus", a->corpus, "debian, generated, or any: debian where there are packages")
      ->check(CLI::IsMember({"any", "debian", "generated"}))
      ->capture_default_str();
  verb->add_flag("--serve", a->serve, "open the explorer at the end: as `idne serve`, until Ctrl-C");
  verb->footer("Example:\n  idne demo\n  idne demo --serve");
  verb->callback([a] { demo_verb(*a); });
}

}  // namespace idne::app
