#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace idne {

/// Notices that files with certain endings change in a folder or below it: written, moved, removed, with folders that
/// come and go. Names that begin with a dot and node_modules are passed over, as imports pass them over. Links to
/// folders are not followed.
class FolderWatch {
 public:
  /// From now on nothing is missed. `endings` are in small letters, and mean capitals, too. `files` are watched beside
  /// the folder, wherever they are. Throws Error if the folder, or that of a file, cannot be watched.
  FolderWatch(std::filesystem::path folder, std::set<std::string> endings,
              const std::vector<std::filesystem::path>& files = {});
  ~FolderWatch();
  FolderWatch(const FolderWatch&) = delete;
  FolderWatch& operator=(const FolderWatch&) = delete;

  /// Waits until something has changed and then been left alone for `settle`, or for `longest` at most: editors write
  /// in several steps, and a large copy takes long. False if `stopped` says so before that. Throws Error if the folder
  /// is gone.
  bool wait(std::chrono::milliseconds settle, std::chrono::milliseconds longest, const std::function<bool()>& stopped);

 private:
  void add(const std::filesystem::path& folder);
  /// Whether any of the events that are there matters.
  bool read_events();
  bool matters(const std::filesystem::path& file) const;

  const std::filesystem::path root_;
  const std::set<std::string> endings_;
  int descriptor_;
  std::map<int, std::filesystem::path> folders_;
  std::map<int, std::set<std::string>> files_;  ///< names in the folders of single files
};

}  // namespace idne
