#pragma once

#include <atomic>
#include <coroutine>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace idne {

/// What a member of a Crew does, or a part of it: a coroutine, which goes on where it is awaited. It begins when it is
/// awaited, or when the crew begins; what it throws comes out where it is awaited.
class [[nodiscard]] Work {
 public:
  struct promise_type;
  using Handle = std::coroutine_handle<promise_type>;
  struct promise_type {
    std::coroutine_handle<> waits = std::noop_coroutine();  ///< for this to end
    std::exception_ptr failure;

    Work get_return_object() { return Work(Handle::from_promise(*this)); }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    struct GoBack {
      bool await_ready() const noexcept { return false; }
      std::coroutine_handle<> await_suspend(Handle ended) const noexcept { return ended.promise().waits; }
      void await_resume() const noexcept {}
    };
    GoBack final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    void unhandled_exception() noexcept { failure = std::current_exception(); }
  };

  Work(Work&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Work& operator=(Work&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Work() {
    if (handle_) handle_.destroy();
  }

  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> caller) noexcept {
    handle_.promise().waits = caller;
    return handle_;
  }
  void await_resume() const {
    if (handle_.promise().failure) std::rethrow_exception(handle_.promise().failure);
  }

 private:
  friend class Crew;
  explicit Work(Handle handle) : handle_(handle) {}
  Handle handle_;
};

/// Members that work side by side and meet thousands of times a second. Each has a thread that works for it as a rule,
/// so that what it needs is near; but where that thread is late, because the machine has other work for its core,
/// whoever has time goes on with the member instead: nobody waits for a thread that has not begun. For one that was
/// interrupted in the middle the others wait, first spinning, then asleep, which leaves the core to it.
///
/// Beside other busy processes two threads are then about as fast as their share of the cores (docs/benchmarks.md).
class Crew {
 public:
  class Meeting {
   public:
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> at) const noexcept { crew_.members_[member_].at = at; }
    void await_resume() const noexcept {}

   private:
    friend class Crew;
    Meeting(Crew& crew, std::size_t member) : crew_(crew), member_(member) {}
    Crew& crew_;
    std::size_t member_;
  };

  /// `between`, if given, is called each time that all have come to a meeting, before any of them goes on.
  explicit Crew(std::size_t members, std::function<void()> between = {});

  std::size_t size() const { return size_; }

  /// `co_await crew.meet(i)`, in the work of member i: goes on when all members have come to a meeting, or to their
  /// end.
  Meeting meet(std::size_t member) { return {*this, member}; }

  /// Runs the works body(0) … body(size() − 1) on up to `threads` threads, of which one is the caller's, but on no more
  /// than there are cores. If one of them throws, the others leave where they next meet, and the exception of the
  /// lowest member is thrown again here. Can be called again afterwards.
  void run(int threads, const std::function<Work(std::size_t member)>& body);

 private:
  /// On cache lines of its own, because threads look at the others' members all the time.
  struct alignas(64) Member {
    std::atomic<unsigned> begun{0};  ///< how many stretches between two meetings somebody has begun
    std::coroutine_handle<> at;      ///< where it goes on
  };

  void work_as(std::size_t thread, std::size_t threads);
  bool go_on(std::size_t member, unsigned stretch);
  bool help_with_others(std::size_t thread, std::size_t threads, unsigned stretch);
  void end_stretch(unsigned stretch);

  const std::size_t size_;
  const std::function<void()> between_;
  std::exception_ptr failure_;  ///< of that
  std::unique_ptr<Member[]> members_;
  std::vector<Work> works_;
  std::atomic<unsigned> stretch_{0};  ///< which one is under way, between two meetings
  std::atomic<std::size_t> left_{0};  ///< members that have not come to its end
  std::atomic<bool> over_{false};     ///< read after stretch_
};

}  // namespace idne
