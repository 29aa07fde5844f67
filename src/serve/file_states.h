#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <vector>

namespace idne {

/// By which a file can be told from another one of the same name, and from itself after it was written to.
struct FileState {
  dev_t device = 0;
  ino_t number = 0;
  off_t size = -1;                            ///< of a file that is not there
  std::int64_t seconds = 0, nanoseconds = 0;  ///< when it was written last

  bool operator==(const FileState&) const = default;
};
using FileStates = std::vector<FileState>;

inline FileState state_of(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return {};
  return {status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

inline FileStates states_of(const std::vector<std::filesystem::path>& files) {
  FileStates states;
  for (const std::filesystem::path& file : files) states.push_back(state_of(file));
  return states;
}

}  // namespace idne
