#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "idne/run.h"

/// HTTP connections without what is said over them: many clients, slow and broken ones too, on one thread; a few
/// threads that only ever see whole requests.
namespace idne {

struct ConnectionLimits {
  std::size_t header_bytes = std::size_t{16} << 10;
  std::size_t body_bytes = std::size_t{8} << 20;
  /// Of all connections together: requests as they come in, while they wait, and answers until they are taken.
  std::size_t buffered_bytes = std::size_t{128} << 20;
  std::size_t connections = 8192;
  std::size_t waiting_requests = 4096;
  std::chrono::milliseconds request_time{30'000};  ///< for a client to send a request, and to take the answer
  std::chrono::milliseconds idle_time{75'000};     ///< between requests
  std::chrono::milliseconds queue_time{10'000};    ///< until a thread takes a request up
  std::chrono::milliseconds accept_pause{100};     ///< when the system has no files left for more connections
  std::chrono::milliseconds grace{10'000};         ///< to end what has begun
  double client_rate = 0;                          ///< requests per second of one client; 0 is any number
  std::size_t client_work = 0;                     ///< and how many at once
  /// After which a client that asks more hears so. One that asks again at each answer would else take a core.
  std::chrono::milliseconds limited_pause{200};
};

/// A whole answer, as bytes.
struct Reply {
  std::string bytes;
  bool close = false;
};

/// What is done with requests. Whatever it throws ends one connection at most.
struct ConnectionHandlers {
  /// Answers a whole request: head and body as they came. Called by several threads.
  std::function<Reply(const std::string& request, const std::string& peer)> answer;
  /// Makes the answer to a request that is not given to answer(): its status, what is wrong, if it may help, after how
  /// many seconds to come again, and whom this is said to.
  std::function<std::string(int status, const std::string& what, int retry_after, const std::string& client)> refuse;
  /// Who a request comes from, for limits and turns: the peer, or whom a proxy names.
  std::function<std::string(std::string_view request, const std::string& peer)> client =
      [](std::string_view, const std::string& peer) { return peer; };
  /// Whether a request takes next to no time: quick_answer() is then called at once, by the thread of the connections,
  /// however many others wait.
  std::function<bool(std::string_view request)> is_quick = [](std::string_view) { return false; };
  std::function<Reply(const std::string& request, const std::string& peer)> quick_answer{};
};

/// Counts for those who watch the server.
struct ConnectionCounts {
  std::uint64_t open = 0, accepted = 0, refused = 0, timed_out = 0, broken = 0, waiting = 0;
  std::uint64_t not_accepted = 0;  ///< how often the system had no files left for a connection
  std::uint64_t failed = 0;        ///< what ended with an exception, such as for want of memory
  std::uint64_t buffered = 0;      ///< bytes
  std::uint64_t limited = 0;       ///< requests refused because one client had too many
};

class Connections {
 public:
  /// Listens; clients wait until run(). Port 0 is any. Throws Error.
  Connections(const std::string& host, int port, const ConnectionLimits& limits);
  /// Waits for threads that still answer.
  ~Connections();

  int port() const;
  /// Answers until run.stopped(), then ends what has begun, within limits.grace. False if a thread is still at work on
  /// an answer that nobody will get. Once only.
  bool run(int threads, ConnectionHandlers handlers, const Run& run);
  /// From any thread.
  ConnectionCounts counts() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace idne
