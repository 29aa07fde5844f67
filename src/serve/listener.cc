#include "serve/listener.h"

#include <netinet/in.h>
#include <netinet/tcp.h>

#include <cerrno>

namespace idne {

Listener::Listener(const std::string& host, int port, std::chrono::milliseconds pause, Poller& poller,
                   std::uint64_t number)
    : poller_(poller), number_(number), socket_(listen_on(host, port)), port_(port_of(socket_)), pause_(pause) {
  poller_.add(socket_, number_, EPOLLIN);
}

std::optional<Listener::Client> Listener::accept() {
  for (;;) {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    auto* plain = reinterpret_cast<sockaddr*>(&address);
    Descriptor socket(::accept4(socket_.get(), plain, &size, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (socket.get() >= 0) {
      const int on = 1;
      ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      return Client{std::move(socket), address_text(plain, size)};
    }
    if (errno == EINTR || errno == ECONNABORTED) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) {
      ++pauses_;
      paused_until_ = Clock::now() + pause_;
      poller_.change(socket_, number_, 0);
    }
    return std::nullopt;
  }
}

void Listener::resume() {
  if (!paused_until_) return;
  paused_until_.reset();
  poller_.change(socket_, number_, EPOLLIN);
}

void Listener::resume_if_due() {
  if (paused_until_ && Clock::now() >= *paused_until_) resume();
}

void Listener::close() {
  paused_until_.reset();
  socket_ = Descriptor();
}

}  // namespace idne
