#pragma once

#include <sys/epoll.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "idne/error.h"
#include "serve/sockets.h"

namespace idne {

/// Tells which of many sockets have something to do. Sockets have numbers, and are told as long as that is so.
class Poller {
 public:
  /// Throws Error.
  Poller() : events_(::epoll_create1(EPOLL_CLOEXEC)) {
    if (events_.get() < 0) throw Error(std::string("cannot serve: ") + std::strerror(errno));
  }

  /// These return false if the system has no memory for it.
  bool add(const Descriptor& socket, std::uint64_t number, std::uint32_t what) const {
    return control(EPOLL_CTL_ADD, socket, number, what);
  }
  bool change(const Descriptor& socket, std::uint64_t number, std::uint32_t what) const {
    return control(EPOLL_CTL_MOD, socket, number, what);
  }
  /// Valid until the next call.
  std::span<const epoll_event> wait(int milliseconds) {
    const int count = ::epoll_wait(events_.get(), found_.data(), static_cast<int>(found_.size()), milliseconds);
    return std::span(found_).first(count > 0 ? static_cast<std::size_t>(count) : 0);
  }

 private:
  bool control(int operation, const Descriptor& socket, std::uint64_t number, std::uint32_t what) const {
    epoll_event event{};
    event.events = what;
    event.data.u64 = number;
    return ::epoll_ctl(events_.get(), operation, socket.get(), &event) == 0;
  }

  Descriptor events_;
  std::array<epoll_event, 256> found_{};
};

}  // namespace idne
