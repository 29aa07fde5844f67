#pragma once

#include <functional>
#include <string_view>

#include "idne/run.h"
#include "idne/text.h"
#include "text/joins.h"
#include "text/languages.h"

namespace idne {

/// How a text becomes words, beyond cutting it (Tokenizer) and before words are chosen (vocabulary.h). What is decided
/// for a whole corpus is here; what is decided for a text is decided by the text alone, so that a text is read the same
/// way whoever reads it.
struct TextRules {
  LanguageSet languages = 0;   ///< of the corpus
  bool drops_by_text = false;  ///< a text's function words are those of its own languages
  bool stems = false;          ///< inflections are joined
  bool drops_numbers = false;  ///< is_number_or_key
  bool phrases = false;        ///< see follows()
  StringTable stop_words;      ///< left out before stems are taken; other stop words are in no vocabulary
  Joins joins;

  /// Whether a text's languages matter.
  bool tells_languages() const { return stems || drops_by_text; }
};

/// A word of a text: its bytes begin … end, and what it counts as.
using WordVisit = std::function<void(std::string_view word, std::size_t begin, std::size_t end)>;

/// Calls visit for the words of a text in their order. Stop words that are left out of all texts alike are not told
/// apart: no vocabulary has them. Throws Interrupted.
void for_each_word(std::string_view text, Tokenizer& tokenizer, const TextRules& rules, const WordVisit& visit,
                   const Run& run = {});

}  // namespace idne
