#pragma once

#include <cstdint>
#include <span>

#include "idne/text.h"

namespace idne {

/// Chooses the words among `tokens`, as counted in the rows `documents` of `counts`, and rewrites those rows over them.
struct KeptWords {
  Vocabulary vocabulary;
  CountMatrix counts;
};
KeptWords keep_words(const StringTable& tokens, const CountMatrix& counts, std::span<const std::uint32_t> documents,
                     const VocabularyRule& rule);

}  // namespace idne
