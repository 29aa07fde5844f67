#pragma once

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "serve/connections.h"

namespace idne {

/// A whole request that waits for an answer.
struct Job {
  std::uint64_t connection;
  std::string request, peer;
  std::chrono::steady_clock::time_point since;
};
struct Done {
  std::uint64_t connection;
  Reply reply;
};

/// Requests on their way to the threads, and answers on their way back.
class RequestQueue {
 public:
  explicit RequestQueue(int wake_up) : wake_up_(wake_up) {}
  bool push(Job job, std::size_t most) {
    {
      const std::lock_guard lock(mutex_);
      if (jobs_.size() >= most) return false;
      jobs_.push_back(std::move(job));
    }
    ready_.notify_one();
    return true;
  }
  /// The next job; false when the queue is closed and empty.
  bool pop(Job& job) {
    std::unique_lock lock(mutex_);
    ready_.wait(lock, [this] { return closed_ || !jobs_.empty(); });
    if (jobs_.empty()) return false;
    job = std::move(jobs_.front());
    jobs_.pop_front();
    return true;
  }
  void finish(Done done) {
    {
      const std::lock_guard lock(mutex_);
      done_.push_back(std::move(done));
    }
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(wake_up_, &one, sizeof one);  // only ever full, which wakes as well
  }
  std::vector<Done> take_done() {
    const std::lock_guard lock(mutex_);
    return std::exchange(done_, {});
  }
  void close() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    ready_.notify_all();
  }

 private:
  int wake_up_;
  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<Job> jobs_;
  std::vector<Done> done_;
  bool closed_ = false;
};

}  // namespace idne
