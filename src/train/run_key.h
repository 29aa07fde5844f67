#pragma once

#include "idne/checkpoint.h"
#include "idne/corpus.h"
#include "idne/options.h"

/// What the result of a training, or of an evaluation, depends on, as a checkpoint keeps it.
namespace idne {

/// Adds the values of a table of options, by their names on the command line. `whose`: in front of the names.
void add_options(const Options& options, const std::string& whose, RunKey& key);

/// Adds how texts were read, which words are kept, and digests of what learning depends on: which documents there are,
/// their words, labels, links and groups. Titles, dates and how words are written are left out: nothing is learned from
/// them, and a run takes them from the corpus as it finds it.
void add_corpus(const Collection& collection, const VocabularyRule& rule, RunKey& key);

}  // namespace idne
