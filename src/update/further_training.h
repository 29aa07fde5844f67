#pragma once

#include "idne/update.h"
#include "model/words_beside.h"
#include "network/network.h"
#include "update/merge.h"

namespace idne {

/// Trains the words of an updated model further, over all its documents and the words that are frequent enough by now,
/// moves the documents with them, and fits the topics again, each started from where it was. A topic that is still
/// about the same keeps its number, its name and, as far as they still fit, its words; what is new among the documents
/// may become a topic of its own, behind the others. Throws Error if the model's method does not train words in steps.
void train_further(const Model& former, const Merge& merge, const WordsBeside& late, const Network& network,
                   std::uint64_t steps, const Run& run, Updated& result);

}  // namespace idne
