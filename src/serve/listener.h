#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "serve/poller.h"
#include "serve/sockets.h"

namespace idne {

/// Takes in clients. Where the system has no files left for another one it pauses: the client that waits would wake
/// the poller again and again.
class Listener {
 public:
  struct Client {
    Descriptor socket;
    std::string peer;
  };

  /// `poller` tells `number` when somebody waits. Throws Error.
  Listener(const std::string& host, int port, std::chrono::milliseconds pause, Poller& poller, std::uint64_t number);
  int port() const { return port_; }

  /// The next who waits. None if there is nobody, or from now on a pause.
  std::optional<Client> accept();
  /// Ends a pause early: there may be a file again.
  void resume();
  /// Ends a pause that has been long enough.
  void resume_if_due();
  void close();
  /// How many there were. From any thread.
  std::uint64_t pauses() const { return pauses_; }

 private:
  using Clock = std::chrono::steady_clock;

  Poller& poller_;
  const std::uint64_t number_;
  Descriptor socket_;
  const int port_;
  const std::chrono::milliseconds pause_;
  std::optional<Clock::time_point> paused_until_;
  std::atomic<std::uint64_t> pauses_{0};
};

}  // namespace idne
