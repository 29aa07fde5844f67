#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <string_view>

namespace idne {

struct Run;

/// Calls work(i, worker) for i = 0 … n − 1, spread over up to `threads` threads, each with a worker number of its own
/// below `threads`; worker 0 is the caller's thread. Returns when all are done. If one throws, no further ones are
/// begun, and the exception of the lowest index is thrown again here. Which thread does what is not fixed: results go
/// by index.
void parallel_for(int threads, std::size_t n, const std::function<void(std::size_t i, std::size_t worker)>& work);

/// The same for parts of `at_once` numbers in a row, of which the last may be shorter: work(begin, end).
void parallel_parts(int threads, std::size_t n, std::size_t at_once,
                    const std::function<void(std::size_t begin, std::size_t end)>& work);

/// The same, asking run.stopped before each part, and reporting from the caller's thread how many of the n are done.
void parallel_parts(const Run& run, std::string_view stage, std::size_t n, std::size_t at_once,
                    const std::function<void(std::size_t begin, std::size_t end)>& work);

/// Thrown to those who wait at a barrier, or come to it, after it was broken.
class BarrierBroken : public std::exception {
 public:
  const char* what() const noexcept override { return "somebody who is waited for has left"; }
};

/// A reusable barrier for threads that meet thousands of times a second: it spins while there are cores for all,
/// and sleeps after a while or where there are not.
class Barrier {
 public:
  explicit Barrier(int threads);
  /// Returns when all have come. Throws BarrierBroken if it is broken before that.
  void wait();
  /// Somebody leaves: nobody waits any more.
  void break_up();
  /// Makes it whole again. REQUIRES: nobody is at it.
  void mend();

 private:
  const int threads_;
  const int spins_;
  std::atomic<int> arrived_{0};
  std::atomic<unsigned> phase_{0};  ///< two more each time that all have come; odd if broken
};

/// Runs body(0) … body(threads − 1), each on a thread of its own (0 is the caller's). If one of them throws, or cannot
/// be started, `barrier` is broken for the others to leave; when all have ended, the exception of the lowest number is
/// thrown again here, those of the broken barrier aside.
void run_team(int threads, const std::function<void(int)>& body, Barrier* barrier = nullptr);

}  // namespace idne
