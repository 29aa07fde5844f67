#include "verbs/options.h"

#include <fmt/format.h>

#include <algorithm>

#include "idne/run.h"
#include "text/languages.h"

namespace idne {

OptionSpec threads_option() {
  return OptionSpec::whole("threads", hardware_threads(), "number of threads; no result depends on it").within(1, 1024);
}

int threads_of(const Options& options) { return static_cast<int>(options.integer("threads")); }

OptionSpec method_option() {
  std::vector<std::string> names;
  for (const MethodInfo& known : known_methods()) names.emplace_back(known.name);
  return OptionSpec::choice("method", names, "what to learn");
}

MethodInfo method_named(std::string_view name) {
  const std::vector<MethodInfo> known = known_methods();
  const auto found = std::ranges::find(known, name, &MethodInfo::name);
  if (found != known.end()) return *found;
  const std::vector<OptionSpec> table{method_option()};
  Options(table).set("method", name);  // says which there are
  throw UsageError(fmt::format("no method '{}'", name));
}

OptionSpec strict_option() { return OptionSpec::flag("strict", "what would be dropped from the corpus is an error"); }

OptionSpec read_as_file(OptionSpec spec, std::vector<std::string> no_files) {
  spec.file = OptionSpec::File::Input;
  spec.no_files = std::move(no_files);
  return spec;
}

OptionSpec written_as_file(OptionSpec spec, std::vector<std::string> no_files) {
  spec.file = OptionSpec::File::Output;
  spec.no_files = std::move(no_files);
  return spec;
}

OptionSpec written_as_folder(OptionSpec spec, std::vector<std::string> files) {
  spec.file = OptionSpec::File::Output;
  spec.inside = std::move(files);
  return spec;
}

namespace {

/// Values of --stop-words that name no files.
std::vector<std::string> no_stop_files() {
  std::vector<std::string> names{"none", "auto"};
  for (const Language& language : languages()) names.emplace_back(language.name);
  return names;
}

}  // namespace

std::vector<OptionSpec> word_options() {
  constexpr const char* kHeading = "Choosing words";
  return {
      OptionSpec::whole("min-count", 5, "a word is kept if it occurs so often in the corpus")
          .within(1, 1e12)
          .under(kHeading),
      OptionSpec::real("max-share", 0.25, "and in at most this share of the documents").within(0, 1).under(kHeading),
      OptionSpec::text(
          "language", "auto",
          "of the texts, whose function words are left out: auto tells it from each text; none, or languages "
          "such as english,german")
          .under(kHeading),
      read_as_file(OptionSpec::list("stop-words",
                                    "words to leave out instead: languages, files with one word per line, none; joined "
                                    "by commas")
                       .separated_by(',')
                       .by_default(std::vector<std::string>{"auto"})
                       .by_default_shown("those of the language")
                       .under(kHeading),
                   no_stop_files()),
      OptionSpec::flag("stem", "join inflections: network and networks are one word").under(kHeading),
      OptionSpec::choice("numbers", {"keep", "drop"}, "whether numbers are words").under(kHeading),
      OptionSpec::flag("phrases", "join words that belong together: machine learning is one word").under(kHeading),
      OptionSpec::input("leave-out",
                        "a file with ids of documents to pass over, one per line: `idne check -o` writes it")
          .called("FILE")};
}

ReadOptions read_options(const Options& options) {
  ReadOptions read;
  read.stop_words = to_text(options.value("stop-words"));
  read.leave_out = options.text("leave-out");
  read.strict = options.has("strict") && options.flag("strict");
  read.language = options.text("language");
  read.stem = options.flag("stem");
  read.drop_numbers = options.text("numbers") == "drop";
  read.phrases = options.flag("phrases");
  if (read.language != "auto" && read.language != "none") {
    try {
      parse_languages(read.language);
    } catch (const Error& error) {
      throw UsageError(fmt::format("--language: {}; auto and none are known, too", error.what()));
    }
  }
  return read;
}

VocabularyRule vocabulary_rule(const Options& options) {
  return {static_cast<std::uint64_t>(options.integer("min-count")), options.real("max-share")};
}

std::vector<OptionSpec> joined(std::vector<std::vector<OptionSpec>> tables) {
  std::vector<OptionSpec> all;
  for (auto& table : tables) {
    for (OptionSpec& spec : table) all.push_back(std::move(spec));
  }
  return all;
}

Options part_of(const Options& given, std::span<const OptionSpec> table) {
  Options part(table);
  for (const OptionSpec& spec : table) {
    if (given.given(spec.name)) part.set(spec.name, spec.text_of(given.value(spec.name)));
  }
  return part;
}

}  // namespace idne
