#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <string>
#include <unordered_map>

#include "serve/budget.h"
#include "serve/connections.h"

namespace idne {

/// A whole request, and then its answer.
struct Exchange {
  std::uint64_t connection = 0;
  std::string request, peer;
  std::string client;  ///< whose turn it is
  Charge request_charge;
  std::chrono::steady_clock::time_point since;
  Reply reply;
  Charge reply_charge;
};

/// Requests on their way to the threads, and answers on their way back. A connection has at most one under way. Clients
/// take turns, so that one with many requests keeps nobody else waiting for all of them. Lists of one move through it,
/// so that nothing on the way back needs memory.
class RequestQueue {
 public:
  using One = std::list<Exchange>;

  /// Writes to the eventfd `wake_up` when there is an answer.
  explicit RequestQueue(int wake_up) : wake_up_(wake_up) {}
  RequestQueue(const RequestQueue&) = delete;
  RequestQueue& operator=(const RequestQueue&) = delete;

  /// False, and `one` stays, if `most` are waiting.
  bool push(One& one, std::size_t most);
  /// Forgets the request of a connection that has gone, unless somebody works on it.
  void drop(std::uint64_t connection);
  /// All answers that are there.
  One take_done();
  /// Requests that wait or are worked on.
  std::size_t waiting() const;

  /// For a thread that answers: the next request, until there is none because the queue is closed.
  One pop();
  /// And its answer.
  void finish(One one) noexcept;

  /// Forgets what waits. Returns whether nobody works on a request.
  bool close();

 private:
  const int wake_up_;
  mutable std::mutex mutex_;
  std::condition_variable ready_;
  One take(const std::string& client, One::iterator one);

  std::unordered_map<std::string, One> lines_;  ///< of each client that waits, in the order they came
  std::list<std::string> turns_;                ///< these clients, the next one first
  std::size_t waiting_ = 0;
  One done_;
  struct Place {
    std::string client;
    One::iterator one;
  };
  std::unordered_map<std::uint64_t, Place> by_connection_;  ///< of those that wait
  std::size_t working_ = 0;
  bool closed_ = false;
};

}  // namespace idne
