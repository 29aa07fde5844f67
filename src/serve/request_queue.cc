#include "serve/request_queue.h"

#include <unistd.h>

namespace idne {

bool RequestQueue::push(One& one, std::size_t most) {
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() >= most) return false;
    by_connection_.emplace(one.front().connection, one.begin());
    waiting_.splice(waiting_.end(), one);
  }
  ready_.notify_one();
  return true;
}

void RequestQueue::drop(std::uint64_t connection) {
  One dropped;  // freed after the lock
  const std::lock_guard lock(mutex_);
  const auto found = by_connection_.find(connection);
  if (found == by_connection_.end()) return;
  dropped.splice(dropped.end(), waiting_, found->second);
  by_connection_.erase(found);
}

RequestQueue::One RequestQueue::take_done() {
  const std::lock_guard lock(mutex_);
  One all;
  all.swap(done_);
  return all;
}

std::size_t RequestQueue::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_.size() + working_;
}

RequestQueue::One RequestQueue::pop() {
  One one;
  std::unique_lock lock(mutex_);
  ready_.wait(lock, [this] { return closed_ || !waiting_.empty(); });
  if (waiting_.empty()) return one;
  by_connection_.erase(waiting_.front().connection);
  one.splice(one.end(), waiting_, waiting_.begin());
  ++working_;
  return one;
}

void RequestQueue::finish(One one) noexcept {
  {
    const std::lock_guard lock(mutex_);
    --working_;
    done_.splice(done_.end(), one);
  }
  const std::uint64_t number = 1;
  [[maybe_unused]] const auto written = ::write(wake_up_, &number, sizeof number);  // only ever full, which wakes too
}

bool RequestQueue::close() {
  One dropped;
  bool idle = true;
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    by_connection_.clear();
    dropped.swap(waiting_);
    idle = working_ == 0;
  }
  ready_.notify_all();
  return idle;
}

}  // namespace idne
