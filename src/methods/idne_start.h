#pragma once

#include <vector>

#include "corpus/corpus.h"
#include "idne/options.h"
#include "idne/run.h"
#include "methods/idne_trainer.h"

/// Where the word vectors of IDNE begin.
namespace idne {

/// As --start says: from text and links, from text, or random.
std::vector<float> start_words(const Corpus& corpus, const IdneSettings& settings, const Options& options,
                               const Run& run);

/// Moves trained words by what their start would be today, as if training had begun there: what training has added
/// stays. `learned_from` has the documents that they were learned from, over the same words but for those that `corpus`
/// has behind them: these are moved to their start, if it does not speak against where they are. Without it, a few
/// further steps would hardly tell words what new documents and links say: it is the start that holds most of it
/// (docs/living.md). A random start stays.
void move_with_start(const Corpus& corpus, const Corpus& learned_from, const IdneSettings& settings,
                     const Options& options, const Run& run, std::vector<float>& words);

}  // namespace idne
