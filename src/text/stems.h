#pragma once

#include <string>
#include <string_view>

namespace idne {

/// The stem of a word, as Tokenizer gives it, in the language of that number (languages.h): what its inflections have
/// in common, by libstemmer. The word itself in a language without a stemmer.
std::string stem_of(std::string_view word, std::size_t language);

}  // namespace idne
