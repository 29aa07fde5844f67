#include "serve/request_queue.h"

#include <unistd.h>

namespace idne {

bool RequestQueue::push(One& one, std::size_t most) {
  {
    const std::lock_guard lock(mutex_);
    if (waiting_ >= most) return false;
    const std::string& client = one.front().client;
    by_connection_.emplace(one.front().connection, Place{client, one.begin()});
    const auto [line, fresh] = lines_.try_emplace(client);
    if (fresh) turns_.push_back(client);
    line->second.splice(line->second.end(), one);
    ++waiting_;
  }
  ready_.notify_one();
  return true;
}

/// Takes a request out of its client's line; an empty line is no more.
RequestQueue::One RequestQueue::take(const std::string& client, One::iterator one) {
  One taken;
  const auto line = lines_.find(client);
  by_connection_.erase(one->connection);
  taken.splice(taken.end(), line->second, one);
  if (line->second.empty()) lines_.erase(line);
  --waiting_;
  return taken;
}

void RequestQueue::drop(std::uint64_t connection) {
  One dropped;  // freed after the lock
  const std::lock_guard lock(mutex_);
  const auto found = by_connection_.find(connection);
  if (found == by_connection_.end()) return;
  const Place place = found->second;
  dropped = take(place.client, place.one);
  if (!lines_.contains(place.client)) turns_.remove(place.client);
}

RequestQueue::One RequestQueue::take_done() {
  const std::lock_guard lock(mutex_);
  One all;
  all.swap(done_);
  return all;
}

std::size_t RequestQueue::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_ + working_;
}

RequestQueue::One RequestQueue::pop() {
  One one;
  std::unique_lock lock(mutex_);
  ready_.wait(lock, [this] { return closed_ || waiting_ > 0; });
  if (waiting_ == 0) return one;
  const auto client = turns_.begin();
  one = take(*client, lines_.find(*client)->second.begin());
  if (lines_.contains(*client)) {
    turns_.splice(turns_.end(), turns_, client);
  } else {
    turns_.erase(client);
  }
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
  std::unordered_map<std::string, One> dropped;
  bool idle = true;
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    by_connection_.clear();
    dropped.swap(lines_);
    turns_.clear();
    waiting_ = 0;
    idle = working_ == 0;
  }
  ready_.notify_all();
  return idle;
}

}  // namespace idne
