#pragma once

#include <cstdint>
#include <span>

#include "idne/text.h"
#include "math/ranks.h"
#include "text/joins.h"

namespace idne {

/// Chooses the words among `tokens`, as counted in the rows `documents` of `counts`, and rewrites those rows over them.
/// Where documents are spread over ranks, which have the same tokens, those of all count: a meeting of all.
struct KeptWords {
  Vocabulary vocabulary;
  CountMatrix counts;
};
KeptWords keep_words(const StringTable& tokens, const CountMatrix& counts, std::span<const std::uint32_t> documents,
                     const VocabularyRule& rule, Ranks* ranks = nullptr);

/// Documents whose runs of words are joined, and the words that there are then.
struct JoinedWords {
  StringTable tokens;
  CountMatrix counts;
};
/// The rows `documents` of `counts`, with what is joined in their runs counted as one word instead of several.
JoinedWords join_words(const StringTable& tokens, const CountMatrix& counts, const Runs& runs,
                       std::span<const std::uint32_t> documents, const Joins& joins);

}  // namespace idne
