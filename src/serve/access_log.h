#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace idne {

/// One JSON object per line: per request, and for what befalls the server. Never makes the server wait: lines that a
/// full pipe or a stuck disk would not take are left out, and the next line that is written says how many.
class AccessLog {
 public:
  /// A file to append to, "-" for stderr, "none". Throws Error.
  explicit AccessLog(const std::string& where);
  ~AccessLog();
  AccessLog(const AccessLog&) = delete;
  AccessLog& operator=(const AccessLog&) = delete;

  struct Entry {
    std::string peer, user, method, path;  ///< the user may be empty: nobody that is known by name
    int status = 0;
    std::size_t bytes = 0;
    double seconds = 0;
  };
  void write(const Entry& entry);
  /// What befell the server: {"time":…,"event":…} and these fields.
  using Fields = std::vector<std::pair<std::string_view, std::string>>;
  void write_event(std::string_view event, const Fields& fields);

  /// Opens the file anew, such as after it was moved away. Throws Error, and goes on with the one that it has.
  void reopen();

 private:
  void write_line(std::string line);

  const std::string where_;
  int descriptor_ = -1;
  bool own_ = false;
  std::mutex mutex_;
  std::uint64_t left_out_ = 0;
};

}  // namespace idne
