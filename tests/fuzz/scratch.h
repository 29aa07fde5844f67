#pragma once

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

namespace idne::fuzz {

namespace fs = std::filesystem;

/// Bytes as a file that needs no disk.
class BytesAsFile {
 public:
  explicit BytesAsFile(std::string_view bytes) : descriptor_(::memfd_create("fuzz", 0)) {
    for (std::size_t at = 0; at < bytes.size();) {
      const ssize_t size = ::write(descriptor_, bytes.data() + at, bytes.size() - at);
      if (size <= 0) break;
      at += static_cast<std::size_t>(size);
    }
    ::lseek(descriptor_, 0, SEEK_SET);
  }
  ~BytesAsFile() { ::close(descriptor_); }
  BytesAsFile(const BytesAsFile&) = delete;
  BytesAsFile& operator=(const BytesAsFile&) = delete;
  fs::path path() const { return fmt::format("/proc/self/fd/{}", descriptor_); }

 private:
  int descriptor_;
};

inline std::string contents_of(const fs::path& file) {
  std::ostringstream bytes;
  bytes << std::ifstream(file, std::ios::binary).rdbuf();
  return bytes.str();
}

/// A folder for what an import writes, which is looked at no further.
class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "idne-fuzz-XXXXXX").string();
    if (::mkdtemp(name.data())) folder_ = name;
  }
  ~Scratch() {
    std::error_code none;
    fs::remove_all(folder_, none);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const fs::path& folder() const { return folder_; }

 private:
  fs::path folder_;
};

}  // namespace idne::fuzz
