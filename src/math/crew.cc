#include "math/crew.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "idne/run.h"
#include "math/parallel.h"
#include "math/short_slice.h"

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace idne {
namespace {

using Clock = std::chrono::steady_clock;

/// A thread that runs begins its member within a microsecond after a meeting: one that has not begun by then sleeps, or
/// its core does something else.
constexpr auto kLate = std::chrono::microseconds(5);
/// Longer than a sleeping thread takes to come back, and short beside the milliseconds for which a system takes a core.
constexpr auto kSpin = std::chrono::microseconds(100);
/// Where the machine is seen to have other work, a thread gives its core away by itself after so long, between two
/// stretches: it would soon be taken from it in the middle of one, and the others could not go on. Beside two and four
/// busy processes that saves a sixth of the time; half as long, or two and a half times as long, saves less or nothing.
constexpr auto kTurn = std::chrono::milliseconds(1);
constexpr auto kRemember = std::chrono::milliseconds(50);
constexpr int kPausesPerLook = 8;

void pause_briefly() {
#if defined(__x86_64__) || defined(__i386__)
  for (int k = 0; k < kPausesPerLook; ++k) _mm_pause();
#endif
}

}  // namespace

Crew::Crew(std::size_t members, std::function<void()> between)
    : size_(std::max<std::size_t>(1, members)),
      between_(std::move(between)),
      members_(std::make_unique<Member[]>(size_)) {}

void Crew::run(int threads, const std::function<Work(std::size_t)>& body) {
  works_.clear();
  for (std::size_t i = 0; i < size_; ++i) {
    works_.push_back(body(i));
    members_[i].at = works_.back().handle_;
    members_[i].begun = 0;
  }
  stretch_ = 0;
  left_ = size_;
  over_ = false;
  failure_ = nullptr;
  const auto most = static_cast<std::size_t>(std::clamp(threads, 1, hardware_threads()));
  const std::size_t hands = std::min(most, size_);
  run_team(static_cast<int>(hands), [&](int t) {
    const ShortSlice slice;
    work_as(static_cast<std::size_t>(t), hands);
  });
  std::vector<Work> ended;
  ended.swap(works_);
  for (const Work& work : ended) work.await_resume();  // throws again what it threw
  if (failure_) std::rethrow_exception(failure_);
}

void Crew::work_as(std::size_t thread, std::size_t threads) {
  auto on_core = Clock::now(), busy_until = on_core;
  for (unsigned stretch = 0;; ++stretch) {
    for (std::size_t i = thread; i < size_; i += threads) go_on(i, stretch);
    auto since = Clock::now();
    if (since < busy_until && since - on_core > kTurn) {
      std::this_thread::yield();
      since = on_core = Clock::now();
    }
    while (stretch_.load(std::memory_order_acquire) == stretch) {
      pause_briefly();
      const auto waited = Clock::now() - since;
      if (waited > kLate && help_with_others(thread, threads, stretch)) {
        since = Clock::now();
        busy_until = since + kRemember;
      } else if (waited > kSpin) {
        stretch_.wait(stretch, std::memory_order_acquire);
        on_core = Clock::now();
        busy_until = on_core + kRemember;
      }
    }
    stretch = stretch_.load(std::memory_order_acquire) - 1;  // others may have gone on without this thread
    if (over_) return;
  }
}

/// Does a member's work up to its next meeting, unless somebody has begun with it.
bool Crew::go_on(std::size_t member, unsigned stretch) {
  unsigned before = stretch;
  if (!members_[member].begun.compare_exchange_strong(before, stretch + 1, std::memory_order_relaxed)) return false;
  if (!works_[member].handle_.done()) members_[member].at.resume();
  if (left_.fetch_sub(1, std::memory_order_acq_rel) == 1) end_stretch(stretch);
  return true;
}

bool Crew::help_with_others(std::size_t thread, std::size_t threads, unsigned stretch) {
  for (std::size_t i = 0; i < size_; ++i) {
    if (i % threads != thread && go_on(i, stretch)) return true;
  }
  return false;
}

/// All have come. Nobody but the one who came last does anything now.
void Crew::end_stretch(unsigned stretch) {
  const auto ended = [](const Work& work) { return work.handle_.done(); };
  const auto failed = [](const Work& work) { return work.handle_.promise().failure != nullptr; };
  over_ = std::ranges::all_of(works_, ended) || std::ranges::any_of(works_, failed);
  if (between_ && !over_) {
    try {
      between_();
    } catch (...) {
      failure_ = std::current_exception();
      over_ = true;
    }
  }
  left_.store(size_, std::memory_order_relaxed);
  stretch_.store(stretch + 1, std::memory_order_release);
  stretch_.notify_all();
}

}  // namespace idne
