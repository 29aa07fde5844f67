#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "serve/connections.h"
#include "serve/request_queue.h"

namespace idne {

/// The threads that answer requests.
class Workers {
 public:
  /// Writes to the eventfd `wake_up` when there is an answer. All these must outlive it.
  Workers(const ConnectionHandlers& handlers, const ConnectionLimits& limits, Budget& budget, int wake_up)
      : handlers_(handlers), limits_(limits), budget_(budget), queue_(wake_up) {}
  /// Waits for what is being answered.
  ~Workers();

  void start(int threads);
  RequestQueue& queue() { return queue_; }
  const RequestQueue& queue() const { return queue_; }
  /// Forgets what waits, and lets the threads end. False if one of them still works on an answer.
  bool stop() { return queue_.close(); }

  /// Makes the answer of one request, whatever happens on the way.
  using Answer = std::function<Reply(const std::string& request, const std::string& peer)>;
  void answer(Exchange& exchange, const Answer& how) noexcept;
  /// How many times something was thrown.
  std::uint64_t failed() const { return failed_; }

 private:
  void work();
  Reply refusal(int status, const char* why, const Exchange& exchange) noexcept;

  const ConnectionHandlers& handlers_;
  const ConnectionLimits& limits_;
  Budget& budget_;
  RequestQueue queue_;
  std::atomic<std::uint64_t> failed_{0};
  std::vector<std::jthread> threads_;  // last: they use the rest
};

}  // namespace idne
