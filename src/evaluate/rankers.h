#pragma once

#include <memory>
#include <string_view>

#include "corpus/corpus.h"
#include "evaluate/adviser.h"

namespace idne {

/// The ranker of that name, or null.
const RankerInfo* find_ranker(std::string_view name);

/// A ranker over the documents of a corpus, which must live as long:
///
/// - tfidf: the cosine of TF-IDF vectors (text/tfidf.h), and one-vs-rest logistic regression on them, at unit length,
///   C = 10, for labels, which are learned if `labels` are given: rows for the corpus's documents.
/// - bm25: Σ over the text's words, repeats included, of idf · f (k1 + 1) / (f + k1 (1 − b + b · length / mean
/// length)),
///   with idf = ln(1 + (N − n + ½) / (n + ½)), k1 = 1.2 and b = 0.75. It has no labels.
///
/// Documents that share no word with the text are not ranked.
std::unique_ptr<Adviser> make_ranker(const RankerInfo& ranker, const Corpus& corpus, const Lists* labels,
                                     std::size_t label_count, const Run& run);

}  // namespace idne
