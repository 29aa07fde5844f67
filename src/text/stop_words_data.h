#pragma once

#include <string_view>

/// Words of grammar, per language: articles, pronouns, prepositions, conjunctions, auxiliaries, negations, common
/// adverbs, and the pieces that apostrophes leave behind ("l'eau", "dell'acqua", "doesn't"). No nouns, no verbs with a
/// meaning of their own. As people write them, white space between them.
namespace idne::stop_words {

extern const std::string_view kCatalan, kChinese, kCzech, kDanish, kDutch, kEnglish, kFinnish, kFrench, kGerman,
    kHungarian, kItalian, kJapanese, kNorwegian, kPolish, kPortuguese, kRomanian, kRussian, kSpanish, kSwedish,
    kTurkish;

}  // namespace idne::stop_words
