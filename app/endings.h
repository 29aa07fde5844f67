#pragma once

#include <map>
#include <string>

#include "terminal.h"

namespace idne::app {

/// The format that a file's ending asks for.
template <class Format>
Format by_ending(const std::string& file, const std::map<std::string, Format>& formats) {
  std::string known;
  for (const auto& [ending, format] : formats) {
    if (file.ends_with(ending)) return format;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", ending);
  }
  throw UsageError(
      fmt::format("-o: {} must end in one of {}", file.empty() ? "a file is needed, which" : "the file", known));
}

}  // namespace idne::app
