#pragma once

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "command.h"
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

/// Throws UsageError if -o has an ending that is none of these, and --format does not tell the format either.
inline void check_ending(const Options& options, const std::vector<std::string>& known) {
  const std::string ending = std::filesystem::path(options.text("output")).extension().string();
  if (ending.empty() || options.given("format") || std::ranges::find(known, ending) != known.end()) return;
  throw UsageError(
      fmt::format("-o: the file must end in one of {}, or --format must tell which it is", fmt::join(known, ", ")));
}

}  // namespace idne::app
