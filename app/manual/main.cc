#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "idne/output_file.h"
#include "idne/train.h"
#include "manual/manual.h"
#include "verbs.h"

namespace idne::app {
namespace {

void add(std::vector<Command>& commands, std::vector<std::string> words, const Verb& verb) {
  words.push_back(verb.name);
  auto known = std::ranges::find(commands, words, &Command::words);
  if (known == commands.end()) known = commands.insert(known, {words, verb.summary, verb.footer, {}, {}});
  for (const OptionSpec& spec : verb.options) {
    if (std::ranges::find(known->options, spec.name, &OptionSpec::name) == known->options.end()) {
      known->options.push_back(spec);
    }
  }
  const bool first = known->kinds.empty();
  for (const Verb& kind : verb.kinds) {
    if (first) known->kinds.emplace_back(kind.name, kind.summary);
  }
  for (const Verb& kind : verb.kinds) add(commands, words, kind);  // from here on `known` may have moved
}

}  // namespace

std::vector<Command> all_commands() {
  std::vector<Command> commands;
  for (const MethodInfo& method : known_methods()) {
    for (const Verb& verb : all_verbs({"", "--method", std::string(method.name)})) add(commands, {}, verb);
  }
  return commands;
}

bool takes_value(const OptionSpec& spec) { return !std::holds_alternative<bool>(spec.fallback); }

bool takes_file(const OptionSpec& spec) {
  return spec.file != OptionSpec::File::None || spec.shown == "FILE" || spec.shown == "FOLDER" ||
         spec.shown == "CORPUS";
}

namespace {

void write(const std::filesystem::path& folder, const ManualFile& file) {
  const std::filesystem::path path = folder / file.name;
  std::filesystem::create_directories(path.parent_path());
  OutputFile out(path);
  out.write(file.text);
  out.commit();
}

}  // namespace
}  // namespace idne::app

/// idne-manual FOLDER: writes them all below it.
int main(int argc, char** argv) {
  using namespace idne::app;
  if (argc != 2) {
    fmt::print(stderr, "usage: idne-manual FOLDER\n");
    return 2;
  }
  try {
    const std::vector<Command> commands = all_commands();
    for (const ManualFile& page : man_pages(commands, IDNE_VERSION)) write(argv[1], page);
    for (const auto& make : {bash_completion, zsh_completion, fish_completion}) write(argv[1], make(commands));
  } catch (const std::exception& error) {
    fmt::print(stderr, "idne-manual: error: {}\n", error.what());
    return 1;
  }
  return 0;
}
