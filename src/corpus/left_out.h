#pragma once

#include <filesystem>
#include <string_view>

#include "idne/string_table.h"

namespace idne {

/// Ids that a file names, one per line: the documents that somebody does not want.
class LeftOut {
 public:
  /// None, if the path is empty. Throws Error if the file cannot be read.
  explicit LeftOut(const std::filesystem::path& file);
  bool contains(std::string_view id) const { return ids_.find(id).has_value(); }

 private:
  StringTable ids_;
};

}  // namespace idne
