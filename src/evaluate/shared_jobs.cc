#include "evaluate/shared_jobs.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "math/parallel.h"

namespace idne {
namespace {

using Clock = std::chrono::steady_clock;
/// Ranks meet this often to tell each other what is done. Longest: too short to matter to trainings of seconds, too
/// long for the meetings to take time from them.
constexpr std::chrono::milliseconds kShortestNap{1}, kLongestNap{50};

using Work = std::function<Bytes(std::size_t, const Run&)>;
using Take = std::function<void(std::size_t, std::span<const std::byte>)>;

/// All ranks are told the same in each meeting, and so come to the same about who does what next without anybody who
/// leads them.
class Sharing {
 public:
  Sharing(const Run& run, std::size_t n, const Work& work, const Take& take)
      : run_(run), ranks_(*run.ranks), work_(work), take_(take), jobs_(n) {
    const std::uint64_t share = (n + ranks_.size() - 1) / ranks_.size();
    const auto threads = static_cast<std::uint64_t>(run.threads);
    at_once_ = all_of(ranks_, std::clamp<std::uint64_t>(share, 1, threads));
    free_ = at_once_;
    alone_.threads = static_cast<int>(threads / at_once_[ranks_.number()]);
    alone_.stopped = [this] { return ending_ || (run_.stopped && run_.stopped()); };
  }

  void run() {
    run_team(static_cast<int>(at_once_[ranks_.number()]) + 1, [&](int member) { member == 0 ? meet() : toil(); });
    all_or_none(&ranks_, [&] {
      if (failure_) std::rethrow_exception(failure_);
    });
  }

 private:
  struct Done {
    std::uint64_t job;
    Bytes given;
  };

  void toil() {
    while (const auto job = next_own()) {
      Done done{*job, {}};
      try {
        done.given = work_(*job, alone_);
      } catch (...) {
        fail();
      }
      const std::lock_guard lock(mutex_);
      done_.push_back(std::move(done));
    }
  }

  /// Waits for a job; nothing when there will be no more.
  std::optional<std::size_t> next_own() {
    std::unique_lock lock(mutex_);
    handed_.wait(lock, [&] { return closed_ || !own_.empty(); });
    if (own_.empty()) return std::nullopt;
    const std::size_t job = own_.front();
    own_.pop_front();
    return job;
  }

  void fail() {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
    ending_ = true;
  }

  void meet() {
    try {
      for (const auto begin = Clock::now(); !met_for_the_last_time();) {
        std::this_thread::sleep_for(
            std::clamp<Clock::duration>((Clock::now() - begin) / 16, kShortestNap, kLongestNap));
      }
    } catch (...) {  // the others are gone
      fail();
    }
    const std::lock_guard lock(mutex_);
    closed_ = true;
    handed_.notify_all();
  }

  bool met_for_the_last_time() {
    const std::vector<Bytes> said = ranks_.all_gather(news());
    for (std::size_t rank = 0; rank < said.size(); ++rank) hear(rank, Unpacker(said[rank]));
    hand_out();
    return (ending_heard_ || next_ == jobs_) && free_ == at_once_;
  }

  Bytes news() {
    Packer packer;
    packer.add(alone_.stopped());
    const std::lock_guard lock(mutex_);
    for (const Done& done : std::exchange(done_, {})) {
      packer.add(done.job);
      packer.add_all(done.given);
    }
    return packer.take();
  }

  void hear(std::size_t rank, Unpacker said) {
    if (said.next<std::uint8_t>() != 0) ending_heard_ = true;
    while (!said.done()) {
      const auto job = said.next<std::uint64_t>();
      const Bytes given = said.next_all<std::byte>();
      ++free_[rank];
      try {
        if (!given.empty()) take_(job, given);
      } catch (...) {
        fail();
      }
    }
  }

  /// To whom has most hands free.
  void hand_out() {
    if (ending_heard_) {
      ending_ = true;
      return;
    }
    const std::lock_guard lock(mutex_);
    for (; next_ < jobs_; ++next_) {
      const auto most = std::ranges::max_element(free_);
      if (*most == 0) break;
      --*most;
      if (static_cast<std::size_t>(most - free_.begin()) == ranks_.number()) own_.push_back(next_);
    }
    handed_.notify_all();
  }

  const Run& run_;
  Ranks& ranks_;
  const Work& work_;
  const Take& take_;
  const std::size_t jobs_;
  Run alone_;
  std::vector<std::uint64_t> at_once_, free_;  ///< by rank: jobs that it does at once, and could do more
  std::size_t next_ = 0;
  bool ending_heard_ = false;        ///< as all know
  std::atomic<bool> ending_{false};  ///< here

  std::mutex mutex_;  ///< of what follows
  std::condition_variable handed_;
  std::deque<std::size_t> own_;
  std::vector<Done> done_;
  bool closed_ = false;
  std::exception_ptr failure_;
};

}  // namespace

void share_jobs(const Run& run, std::size_t n, const Work& work, const Take& take) {
  Sharing(run, n, work, take).run();
}

}  // namespace idne
