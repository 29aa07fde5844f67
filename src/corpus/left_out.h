#pragma once

#include <filesystem>
#include <string_view>

#include "idne/string_table.h"

namespace idne {

/// Ids that a file names, one per line: the documents that somebody does not want. White space around an id may be part
/// of it, or not.
class LeftOut {
 public:
  /// None, if the path is empty. Throws Error if the file cannot be read.
  explicit LeftOut(const std::filesystem::path& file);
  bool contains(std::string_view id) const { return ids_.find(id).has_value() || trimmed_.find(id).has_value(); }
  /// How many different lines there are.
  std::size_t size() const { return ids_.size(); }

 private:
  StringTable ids_, trimmed_;
};

}  // namespace idne
