#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <vector>

#include "math/parallel.h"
#include "math/ranks.h"

namespace idne {

/// Ranks that are threads of one process: the twin of MpiRanks, for tests. What is given is copied, never shared.
class TestRanks : public Ranks {
 public:
  /// What all of them have in common.
  class Meeting {
   public:
    explicit Meeting(std::size_t size) : given(size, std::vector<Bytes>(size)) {}
    /// Waits for all. Throws Error if one has left.
    void wait() {
      std::unique_lock lock(mutex_);
      const std::size_t round = round_;
      if (++came_ == given.size()) {
        came_ = 0;
        ++round_;
        all_came_.notify_all();
      }
      all_came_.wait(lock, [&] { return round_ != round || left_; });
      if (round_ == round) throw Error("another rank has left");
    }
    void leave() {
      const std::lock_guard lock(mutex_);
      left_ = true;
      all_came_.notify_all();
    }
    std::vector<std::vector<Bytes>> given;  ///< by sender, by receiver

   private:
    std::mutex mutex_;
    std::condition_variable all_came_;
    std::size_t came_ = 0, round_ = 0;
    bool left_ = false;
  };

  TestRanks(Meeting& meeting, std::size_t number) : meeting_(meeting), number_(number) {}
  std::size_t number() const override { return number_; }
  std::size_t size() const override { return meeting_.given.size(); }

 protected:
  std::vector<Bytes> do_exchange(const std::vector<Bytes>& to) override {
    meeting_.given[number_] = to;
    meeting_.wait();
    std::vector<Bytes> from;
    for (const auto& sender : meeting_.given) from.push_back(sender[number_]);
    meeting_.wait();
    return from;
  }
  std::vector<Bytes> do_all_gather(std::span<const std::byte> own) override {
    return do_exchange(std::vector<Bytes>(size(), Bytes(own.begin(), own.end())));
  }
  std::vector<Bytes> do_gather(std::span<const std::byte> own) override {
    std::vector<Bytes> all = do_all_gather(own);
    if (number_ != 0) all.clear();
    return all;
  }
  void do_broadcast(std::size_t root, std::span<std::byte> bytes) override {
    const std::vector<Bytes> all =
        do_all_gather(root == number_ ? std::span<const std::byte>(bytes) : std::span<const std::byte>{});
    std::copy(all[root].begin(), all[root].end(), bytes.begin());
  }
  void do_all_gather(std::span<const float> own, std::span<const std::size_t>, std::span<float> all) override {
    const std::vector<float> values = all_of_bytes<float>(do_all_gather(std::as_bytes(own)));
    std::copy(values.begin(), values.end(), all.begin());
  }
  void do_add_up(std::span<std::uint64_t> numbers) override {
    const std::vector<Bytes> all = do_all_gather(std::as_bytes(std::span<const std::uint64_t>(numbers)));
    std::fill(numbers.begin(), numbers.end(), 0);
    for (const Bytes& one : all) {
      const std::vector<std::uint64_t> values = all_of_bytes<std::uint64_t>({one});
      for (std::size_t n = 0; n < numbers.size(); ++n) numbers[n] += values[n];
    }
  }

 private:
  template <class T>
  static std::vector<T> all_of_bytes(const std::vector<Bytes>& parts) {
    std::vector<T> values;
    for (const Bytes& part : parts) {
      const std::size_t before = values.size();
      values.resize(before + part.size() / sizeof(T));
      if (!part.empty()) std::memcpy(values.data() + before, part.data(), part.size());
    }
    return values;
  }

  Meeting& meeting_;
  std::size_t number_;
};

/// Runs body on `size` ranks at once. What the first of them to leave throws is thrown again here.
inline void run_ranks(std::size_t size, const std::function<void(Ranks&)>& body) {
  TestRanks::Meeting meeting(size);
  std::mutex mutex;
  std::exception_ptr first;  // to leave: the others follow from it
  run_team(static_cast<int>(size), [&](int number) {
    TestRanks ranks(meeting, static_cast<std::size_t>(number));
    try {
      body(ranks);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!first) first = std::current_exception();
      meeting.leave();
    }
  });
  if (first) std::rethrow_exception(first);
}

}  // namespace idne
