#pragma once

#include <functional>
#include <memory>
#include <numeric>
#include <vector>

#include "math/parallel.h"
#include "math/ranks.h"

namespace idne {

/// Ranks that are threads of one process: the twin of MpiRanks, for tests. What is given is copied, never shared.
class TestRanks : public Ranks {
 public:
  /// What all of them have in common.
  struct Meeting {
    explicit Meeting(std::size_t size) : given(size, std::vector<Bytes>(size)), barrier(static_cast<int>(size)) {}
    std::vector<std::vector<Bytes>> given;  ///< by sender, by receiver
    Barrier barrier;
  };

  TestRanks(Meeting& meeting, std::size_t number) : meeting_(meeting), number_(number) {}
  std::size_t number() const override { return number_; }
  std::size_t size() const override { return meeting_.given.size(); }

 protected:
  std::vector<Bytes> do_exchange(const std::vector<Bytes>& to) override {
    meeting_.given[number_] = to;
    meeting_.barrier.wait();
    std::vector<Bytes> from;
    for (const auto& sender : meeting_.given) from.push_back(sender[number_]);
    meeting_.barrier.wait();
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

/// Runs body on `size` ranks at once. The exception of the lowest is thrown again here.
inline void run_ranks(std::size_t size, const std::function<void(Ranks&)>& body) {
  TestRanks::Meeting meeting(size);
  run_team(
      static_cast<int>(size),
      [&](int number) {
        TestRanks ranks(meeting, static_cast<std::size_t>(number));
        body(ranks);
      },
      &meeting.barrier);
}

}  // namespace idne
