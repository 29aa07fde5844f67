#include "idne/generate.h"

#include <fmt/format.h>

#include <memory>

#include "terminal.h"
#include "verbs.h"

namespace idne::app {

void add_generate(CLI::App& program) {
  auto* verb = program.add_subcommand("generate", "make a corpus with known fields, of any size, to try things on");
  struct Arguments {
    std::string out;
    GenerateOptions options;
  };
  const auto a = std::make_shared<Arguments>();
  GenerateOptions& o = a->options;
  verb->add_option("-o,--output", a->out, "folder to write")->required();
  verb->add_option("--documents", o.documents, "number of documents")
      ->check(CLI::Range(1u, 1000000000u))
      ->capture_default_str();
  verb->add_option("--fields", o.fields, "number of fields; the first twelve have real words")
      ->check(CLI::Range(1u, 4000u))
      ->capture_default_str();
  verb->add_option("--words", o.words, "words a document")->check(CLI::Range(1u, 1000000u))->capture_default_str();
  verb->add_option("--links", o.links, "links from each document")->check(CLI::Range(0u, 1000u))->capture_default_str();
  verb->add_option("--seed", o.seed, "seed of all random numbers")->capture_default_str();
  verb->footer("Example:\n  idne generate --documents 10000 --fields 12 -o corpus");
  verb->callback([a] {
    {
      const Session session(1);
      generate_corpus(a->options, a->out, session.run());
    }
    fmt::print(stderr, "{} documents in {} fields: {}\n", with_commas(a->options.documents), a->options.fields, a->out);
  });
}

}  // namespace idne::app
