#pragma once

#include "corpus/corpus.h"
#include "idne/update.h"
#include "update/merge.h"

namespace idne {

/// Fits the topics of a model whose documents moved, each started from the documents that it had: `before` are the
/// documents' vectors as the former model has them. Stores topics that follow the former ones, and says what they are.
std::vector<TopicMoved> fit_topics_again(const Model& former, const Corpus& corpus, MatrixView before,
                                         const Merge& merge, const Run& run, Model& model);

}  // namespace idne
