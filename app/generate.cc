#include "verbs/generate.h"

#include "terminal.h"
#include "verbs.h"

namespace idne::app {
namespace {

void generate(const Options& options) {
  const GenerateOptions wanted = generation_from(options);
  {
    const Session session(1);
    generate_corpus(wanted, options.text("output"), session.run());
  }
  tell("{} in {}: {}\n", counted(wanted.documents, "document", "documents"), counted(wanted.fields, "field", "fields"),
       options.text("output"));
}

}  // namespace

Verb generate_verb() {
  return {"generate", "make a corpus with known fields, of any size, to try things on", generate_options(),
          "Example:\n  idne generate --documents 10000 --fields 12 -o corpus", generate};
}

}  // namespace idne::app
