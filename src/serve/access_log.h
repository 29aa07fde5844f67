#pragma once

#include <cstdint>
#include <mutex>
#include <string>

namespace idne {

/// One JSON object per line. Never makes the server wait: lines that a full pipe or a stuck disk would not take are
/// left out, and the next line that is written says how many.
class AccessLog {
 public:
  /// A file to append to, "-" for stderr, "none". Throws Error.
  explicit AccessLog(const std::string& where);
  ~AccessLog();
  AccessLog(const AccessLog&) = delete;
  AccessLog& operator=(const AccessLog&) = delete;

  struct Entry {
    std::string peer, method, path;
    int status = 0;
    std::size_t bytes = 0;
    double seconds = 0;
  };
  void write(const Entry& entry);

 private:
  int descriptor_ = -1;
  bool own_ = false;
  std::mutex mutex_;
  std::uint64_t left_out_ = 0;
};

}  // namespace idne
