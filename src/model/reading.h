#pragma once

#include "idne/corpus.h"
#include "model/tensors.h"
#include "text/stop_words.h"
#include "text/text_rules.h"

/// How a model's texts became words, so that new ones do in the same way.
namespace idne {

void store_reading(const Collection& collection, const Joins& joins, ModelMaker& maker);

/// The languages that texts were read by; none where nobody looked.
LanguageSet languages_of(const Model& model);

/// What was stored; for models of before, words as they are cut.
TextRules reading_of(const Model& model);
Joins joins_of(const Model& model);
/// The same for keywords, which are looked up one by one, whatever else the text has: function words stay, and nothing
/// is joined.
TextRules keyword_reading_of(const Model& model);
/// The function words of the model's languages; English ones where none are known.
StopWords stop_words_of(const Model& model);

/// Whether a program that only cuts texts would read them wrong.
bool needs_reading(const ModelTensors& tensors, const ModelInfo& info);

}  // namespace idne
