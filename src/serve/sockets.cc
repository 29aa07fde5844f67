#include "serve/sockets.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include "idne/error.h"

namespace idne {

std::string address_text(const sockaddr* address, socklen_t size) {
  std::array<char, NI_MAXHOST> host{};
  if (::getnameinfo(address, size, host.data(), host.size(), nullptr, 0, NI_NUMERICHOST) != 0) return "?";
  return host.data();
}

Descriptor listen_on(const std::string& host, int port) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  const int failure = ::getaddrinfo(host.c_str(), fmt::format("{}", port).c_str(), &hints, &found);
  if (failure != 0) throw Error(fmt::format("--host {}: {}", host, ::gai_strerror(failure)));
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owner(found, &::freeaddrinfo);
  int error = 0;
  for (const addrinfo* a = found; a; a = a->ai_next) {
    Descriptor socket(::socket(a->ai_family, a->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, a->ai_protocol));
    const int on = 1;
    constexpr int kBacklog = 1024;
    if (socket.get() >= 0) ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (socket.get() >= 0 && ::bind(socket.get(), a->ai_addr, a->ai_addrlen) == 0 &&
        ::listen(socket.get(), kBacklog) == 0) {
      return socket;
    }
    error = errno;
  }
  throw Error(fmt::format("{}:{}: cannot listen: {}", host, port, std::strerror(error)));
}

int port_of(const Descriptor& socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size);
  if (address.ss_family == AF_INET6) return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
  return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

bool discard(const Descriptor& socket, std::size_t most) {
  std::array<char, std::size_t{1} << 16> piece;
  while (most > 0) {
    const ssize_t size = ::recv(socket.get(), piece.data(), std::min(most, piece.size()), 0);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
    most -= static_cast<std::size_t>(size);
  }
  return true;
}

std::size_t allow_files(std::size_t wanted) {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return wanted;
  files.rlim_cur = std::min<rlim_t>(files.rlim_max, wanted);
  ::setrlimit(RLIMIT_NOFILE, &files);
  return files.rlim_cur;
}

}  // namespace idne
