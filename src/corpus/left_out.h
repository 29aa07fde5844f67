#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_set>

namespace idne {

/// Ids that a file names, one per line: the documents that somebody does not want.
class LeftOut {
 public:
  /// None, if the path is empty. Throws Error if the file cannot be read.
  explicit LeftOut(const std::filesystem::path& file);
  bool contains(std::string_view id) const { return !ids_.empty() && ids_.contains(id); }

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_set<std::string, Hash, std::equal_to<>> ids_;
};

}  // namespace idne
