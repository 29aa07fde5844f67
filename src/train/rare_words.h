#pragma once

#include "corpus/corpus.h"
#include "model/words_beside.h"

namespace idne {

/// The words that the rule leaves out because they are too rare, by spelling. A model keeps them because documents that
/// come later may make them frequent enough.
WordsBeside rare_words(const Collection& collection, const Joins& joins, const VocabularyRule& rule);

}  // namespace idne
