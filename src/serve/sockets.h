#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <cstddef>
#include <string>
#include <utility>

namespace idne {

/// A file descriptor that is closed at the end.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int get() const { return number_; }

 private:
  int number_;
};

/// "127.0.0.1"
std::string address_text(const sockaddr* address, socklen_t size);

/// A socket that listens and never waits. Throws Error.
Descriptor listen_on(const std::string& host, int port);
/// The port that a socket listens on.
int port_of(const Descriptor& socket);

/// Reads and forgets what has come in, at most so many bytes: a client that sends for ever must not keep its reader.
/// False if the connection has ended.
bool discard(const Descriptor& socket, std::size_t most);

/// Lets the process open so many files, or as many as the system allows, and returns their number.
std::size_t allow_files(std::size_t wanted);

}  // namespace idne
