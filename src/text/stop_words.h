#pragma once

#include <string>

#include "idne/string_table.h"

namespace idne {

/// Words that are left out of every document.
struct StopWords {
  StringTable words;
  std::string name;  ///< "english,german", "none", or a fingerprint of the words if a file is among the sources

  /// `source` has languages (languages.h), text files with one word per line, or "none", commas between them: their
  /// lists are joined. Throws Error if a file cannot be read.
  static StopWords from(const std::string& source);
};

}  // namespace idne
