#pragma once

#include "idne/model.h"
#include "idne/run.h"

namespace idne {

/// Finds what votes should weigh in the links that a model suggests, and stores it. Some documents are taken for new
/// ones: their links are looked for by words and by the votes of documents with similar words, which know nothing of
/// them, and the weight is taken with which the first right one comes earliest (mean reciprocal rank). The space is
/// left out of this, because it was learned from these very links and would look better than it is for a new text.
/// docs/suggest.md tells how near that is to the best weight. The result does not depend on run.threads.
void learn_link_weights(Model& model, const Run& run);

}  // namespace idne
