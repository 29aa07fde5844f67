#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "serve/sockets.h"

namespace idne {

/// A thread that waits for what comes from outside: a signal, and files that are replaced or rewritten.
class Watcher {
 public:
  struct Handlers {
    std::function<void()> signalled;
    /// One of the files is another one, or was written and closed, and all of them have been left alone for a while.
    std::function<void()> changed;
    /// The folder of a file is gone: nothing is noticed there any more.
    std::function<void(const std::filesystem::path& folder)> lost;
  };
  /// How long files must be left alone: those that belong together come one after the other.
  static constexpr std::chrono::milliseconds kSettle{500};

  /// A link is watched itself, not what it leads to. Throws Error if a folder cannot be watched.
  Watcher(const std::vector<std::filesystem::path>& files, std::chrono::milliseconds settle, Handlers handlers);
  ~Watcher();
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  /// Has `signalled` called soon; once, if it comes again before that. From any thread, and from a signal handler.
  void signal() noexcept { wake(signals_); }

 private:
  struct Folder {
    std::filesystem::path path;
    std::set<std::string, std::less<>> names;
  };
  static void wake(const Descriptor& event) noexcept;
  void work();
  void read_events();
  void look_at(int folder, std::uint32_t what, const char* name);

  const std::chrono::milliseconds settle_;
  const Handlers handlers_;
  Descriptor signals_, ends_, events_;
  std::map<int, Folder> folders_;
  bool pending_ = false;                   ///< a file was moved there, or closed after it was written
  bool touched_ = false;                   ///< a file was, so that the wait begins anew
  std::set<std::filesystem::path> named_;  ///< files that are new and not written to since
  std::jthread thread_;                    // last: it uses the rest
};

}  // namespace idne
