#pragma once

#include <string>
#include <vector>

#include "command.h"

/// One file per verb.
namespace idne::app {

/// All of them, in the order of the help.
std::vector<Verb> all_verbs(const std::vector<std::string>& arguments);

/// `arguments` are the program's: its options depend on the method that they name.
Verb train_verb(const std::vector<std::string>& arguments);
Verb update_verb();
Verb watch_verb();
Verb info_verb();
Verb topics_verb();
Verb explain_verb();
Verb suggest_verb();
Verb similar_verb();
Verb embed_verb();
Verb export_verb();
Verb evaluate_verb(const std::vector<std::string>& arguments);
Verb generate_verb();
Verb import_verb();
Verb check_verb();
Verb index_verb();
Verb demo_verb();
Verb serve_verb();

}  // namespace idne::app
