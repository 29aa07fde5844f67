#pragma once

#include <string>

#include "idne/string_table.h"

namespace idne {

/// Words that are left out of every document.
struct StopWords {
  StringTable words;
  std::string name;  ///< "english", "none", or a fingerprint of the file's words; kept in the model

  /// `source` is "english" (the project's own list), "none", or a text file, one word per line.
  static StopWords from(const std::string& source);
};

}  // namespace idne
