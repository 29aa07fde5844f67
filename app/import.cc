#include "terminal.h"
#include "verbs.h"
#include "verbs/imports.h"

namespace idne::app {
namespace {

/// Tells what came and what did not.
void import_and_tell(const ImportKind& kind, const Options& options) {
  ImportOutcome outcome;
  {
    const Session session(hardware_threads());
    outcome = import_corpus(kind, options, session.run());
  }
  tell("{}: {}\n", counted(outcome.documents, "document", "documents"), options.text("output"));
  std::pair<std::string, std::uint64_t> most;
  for (const auto& [what, number] : outcome.counts.all()) {
    tell("  {}: {}\n", what, with_commas(number));
    if (what.find(" below --") != std::string::npos && number > most.second) most = {what, number};
  }
  constexpr std::uint64_t kNearlyAll = 20;  // so many are left out for each that is kept
  if (most.second > kNearlyAll * outcome.documents) {
    tell("idne: nearly everything was left out: {}: {}\n", most.first, with_commas(most.second));
  }
}

}  // namespace

Verb import_verb() {
  std::vector<Verb> kinds;
  for (const ImportKind& kind : import_kinds()) {
    kinds.push_back({kind.name, kind.summary, kind.options, "Example:\n  " + kind.example,
                     [kind](const Options& given) { import_and_tell(kind, given); }});
  }
  return {"import", "make a corpus of notes, a forum, papers, packages …",
          {},       "`idne import KIND --help` tells more.\n\nExample:\n  idne import markdown notes -o corpus",
          {},       std::move(kinds)};
}

}  // namespace idne::app
