#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "idne/run.h"

/// HTTP connections without what is said over them: many clients, slow and broken ones too, on one thread; a few
/// threads that only ever see whole requests.
namespace idne {

struct ConnectionLimits {
  std::size_t header_bytes = std::size_t{16} << 10;
  std::size_t body_bytes = std::size_t{8} << 20;
  std::size_t buffered_bytes = std::size_t{128} << 20;  ///< of all connections together
  std::size_t connections = 8192;
  std::size_t waiting_requests = 4096;
  std::chrono::milliseconds request_time{30'000};  ///< for a client to send a request, and to take the answer
  std::chrono::milliseconds idle_time{75'000};     ///< between requests
  std::chrono::milliseconds queue_time{10'000};    ///< until a thread takes a request up
};

/// A whole answer, as bytes.
struct Reply {
  std::string bytes;
  bool close = false;
};

/// Counts for those who watch the server.
struct ConnectionCounts {
  std::uint64_t open = 0, accepted = 0, refused = 0, timed_out = 0, broken = 0, waiting = 0;
};

class Connections {
 public:
  /// Answers a whole request: head and body as they came. Called by several threads.
  using Answer = std::function<Reply(const std::string& request, const std::string& peer)>;
  /// Makes the answer to a request that is not given to Answer: its status and what is wrong.
  using Refusal = std::function<std::string(int status, const std::string& what)>;

  /// Listens; clients wait until run(). Port 0 is any. Throws Error.
  Connections(const std::string& host, int port, const ConnectionLimits& limits);
  ~Connections();

  int port() const;
  /// Answers until run.stopped(), then ends what has begun.
  void run(int threads, const Answer& answer, const Refusal& refuse, const Run& run);
  /// From any thread.
  ConnectionCounts counts() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace idne
