#include "idne/output_file.h"
#include "idne/search_index.h"
#include "idne/serve.h"
#include "processes.h"
#include "terminal.h"
#include "verbs.h"

namespace idne::app {
namespace {

void make_index(const Options& options) {
  const std::string& path = options.text("MODEL");
  const std::string file = index_path(path).string();
  first_does([&] { check_writable(file); });
  const Model model = load_in_all(path);
  std::optional<SearchIndex> index;
  {
    const Session session(threads_of(options));
    index = open_search_index(model, path, session.run(), IndexWriting::Later);
    if (!speaks()) return;
    prepare_to_serve(model, path, *index, session.run());
  }
  if (!index->note.empty()) {
    if (!load_search_index(model, path, threads_of(options))) throw Error(index->note);
    tell("idne: {}\n", printable_line(index->note));
  }
  tell("{}, {}, recall {:.3f}: {}{}\n", counted(model.documents().size(), "document", "documents"),
       index->documents.exact() ? "exact" : "hnsw", index->documents.recall(), file,
       index->loaded ? " was there already" : "");
}

}  // namespace

Verb index_verb() {
  return {"index",
          "the search index and the map of a model, made before `serve` and batches need them",
          {model_option(), threads_option()},
          "Writes MODEL.index, which every verb takes up. An index that fits the model stays as it is. What is done "
          "when it "
          "is\ninterrupted is kept, and not done again.\n\n"
          "Example:\n  idne index my.idne",
          make_index,
          {},
          true};
}

}  // namespace idne::app
