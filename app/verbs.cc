#include "verbs.h"

namespace idne::app {

std::vector<Verb> all_verbs(const std::vector<std::string>& arguments) {
  return {train_verb(arguments),
          update_verb(),
          watch_verb(),
          info_verb(),
          topics_verb(),
          explain_verb(),
          suggest_verb(),
          similar_verb(),
          embed_verb(),
          export_verb(),
          evaluate_verb(arguments),
          index_verb(),
          generate_verb(),
          import_verb(),
          check_verb(),
          demo_verb(),
          serve_verb()};
}

}  // namespace idne::app
