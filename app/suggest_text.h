#pragma once

#include "idne/model.h"
#include "idne/suggest.h"

namespace idne::app {

/// Tables of labels and links, with the reasons for each, for a person.
void print_suggestions(const Suggestions& suggestions, const Model& model);

}  // namespace idne::app
