#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "serve/connections.h"
#include "serve/sockets.h"

/// A server and its clients in one process, for tests. Whatever waits here gives up after a minute, which only a test
/// that fails ever sees.
namespace idne {

inline constexpr std::chrono::seconds kTooLong{60};

/// Whether something comes true.
template <class Condition>
bool eventually(const Condition& condition) {
  const auto end = std::chrono::steady_clock::now() + kTooLong;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

/// Keeps threads waiting until it is opened.
class Gate {
 public:
  void wait() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    changed_.wait_for(lock, kTooLong, [this] { return open_; });
    --waiting_;
  }
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  int waiting() const {
    const std::lock_guard lock(mutex_);
    return waiting_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool open_ = false;
  int waiting_ = 0;
};

class TestClient {
 public:
  /// `before` is called when it has its socket and is about to connect.
  explicit TestClient(
      int port, const std::function<void()>& before = [] {})
      : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const timeval limit{kTooLong.count(), 0};
    const int on = 1;
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    ::setsockopt(socket_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    before();
    if (::connect(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
      throw std::runtime_error("cannot connect");
    }
  }

  /// False if the server has closed.
  bool send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t size = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (size <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(size));
    }
    return true;
  }
  void end_sending() const { ::shutdown(socket_.get(), SHUT_WR); }
  /// Reads as far as that text, or to the end.
  std::string read_to(std::string_view text) {
    while (got_.find(text) == std::string::npos && read_some()) {
    }
    const std::size_t found = got_.find(text);
    const std::size_t size = found == std::string::npos ? got_.size() : found + text.size();
    const std::string front = got_.substr(0, size);
    got_.erase(0, size);
    return front;
  }
  /// Reads until the server closes.
  std::string read_all() {
    while (read_some()) {
    }
    return std::exchange(got_, {});
  }
  /// Goes without a goodbye: the server's system is told that nobody is there any more.
  void reset() {
    const linger now{1, 0};
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close();
  }
  void close() { socket_ = Descriptor(); }

 private:
  bool read_some() {
    std::string piece(std::size_t{1} << 16, '\0');
    const ssize_t size = ::recv(socket_.get(), piece.data(), piece.size(), 0);
    if (size <= 0) return false;
    got_.append(piece, 0, static_cast<std::size_t>(size));
    return true;
  }

  Descriptor socket_;
  std::string got_;
};

/// Connections on a thread of their own, which answer a request with its body in brackets unless told otherwise.
class TestServer {
 public:
  explicit TestServer(const ConnectionLimits& limits = {}) : connections_("127.0.0.1", 0, limits) {
    handlers.answer = [](const std::string& request, const std::string&) { return Reply{echo(request), false}; };
    handlers.refuse = [](int status, const std::string& what, int, const std::string&) {
      return std::to_string(status) + " " + what + "\n";
    };
  }
  ~TestServer() { (void)stop(); }
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;

  static std::string echo(const std::string& request) {
    return "[" + request.substr(request.find("\r\n\r\n") + 4) + "]";
  }

  void start(int threads = 1) {
    thread_.emplace([this, threads] {
      Run run;
      run.stopped = [this] { return stopped_.load(); };
      in_time_ = connections_.run(threads, handlers, run);
    });
  }
  void ask_to_stop() { stopped_ = true; }
  /// What Connections::run() gave back.
  bool stop() {
    ask_to_stop();
    if (thread_) thread_->join();
    thread_.reset();
    return in_time_;
  }

  int port() const { return connections_.port(); }
  TestClient connect() const { return TestClient(port()); }
  ConnectionCounts counts() const { return connections_.counts(); }

  ConnectionHandlers handlers;  ///< to be changed before start()

 private:
  std::atomic<bool> stopped_ = false, in_time_ = false;
  Connections connections_;
  std::optional<std::thread> thread_;
};

inline std::string post(std::string_view body, std::string_view headers = "") {
  return "POST / HTTP/1.1\r\n" + std::string(headers) + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         std::string(body);
}

}  // namespace idne
