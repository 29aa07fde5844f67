#pragma once

#include "idne/update.h"
#include "network/network.h"
#include "update/merge.h"
#include "update/new_words.h"

namespace idne {

/// Trains the words of an updated model further, over all its documents and words that came with the changes, moves the
/// documents with them, and fits the topics again, each started from where it was. A topic that is still about the same
/// keeps its number, its name and, as far as they still fit, its words; what is new among the documents may become a
/// topic of its own, behind the others. Throws Error if the model's method does not train words in steps.
void train_further(const Model& former, const Collection& changes, const Merge& merge, TokenWords& tokens,
                   const Network& network, std::uint64_t steps, const Run& run, Updated& result);

}  // namespace idne
