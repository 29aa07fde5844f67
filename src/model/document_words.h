#pragma once

#include <vector>

#include "idne/model.h"
#include "idne/text.h"

/// The documents' bags of words as tensors of a model, for what looks at documents again: topics that are fitted anew,
/// and explanations.
namespace idne {

void store_document_words(Model& model, const CountMatrix& counts);
/// Models of before they were kept have none.
bool has_document_words(const Model& model);
/// The words of one document, sorted by number; of all of them. Throw Error if the model has none.
std::vector<WordCount> document_words(const Model& model, std::size_t document);
CountMatrix document_words(const Model& model);

}  // namespace idne
