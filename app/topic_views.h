#pragma once

#include "idne/model.h"
#include "idne/options.h"
#include "idne/run.h"

/// What `idne topics` shows beside the list of topics: how they are related, and how they came and went.
namespace idne::app {

void print_similar_topics(const Model& model, const Options& options, const Run& run);
/// As text or JSON; with -o as a picture or JSON into a file.
void show_topic_tree(const Model& model, const Options& options, const Run& run);
/// As text or JSON; with -o as a picture, a table or JSON into a file.
void show_topic_times(const Model& model, const Options& options, const Run& run);

}  // namespace idne::app
