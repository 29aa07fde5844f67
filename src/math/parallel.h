#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

namespace idne {

/// Calls work(i, worker) for i = 0 … n − 1, spread over up to `threads` threads, each with a worker number of its own
/// below `threads`; returns when all are done. The exception of the lowest index is thrown again here. Which thread
/// does what is not fixed: results go by index.
void parallel_for(int threads, std::size_t n, const std::function<void(std::size_t i, std::size_t worker)>& work);

/// The same for parts of `at_once` numbers in a row, of which the last may be shorter: work(begin, end).
void parallel_parts(int threads, std::size_t n, std::size_t at_once,
                    const std::function<void(std::size_t begin, std::size_t end)>& work);

/// Runs body(0) … body(threads − 1), each on a thread of its own (0 is the caller's).
void run_team(int threads, const std::function<void(int)>& body);

/// A reusable barrier for threads that meet thousands of times a second: it spins while there are cores for all,
/// and sleeps after a while or where there are not.
class Barrier {
 public:
  explicit Barrier(int threads);
  void wait();

 private:
  const int threads_;
  const int spins_;
  std::atomic<int> arrived_{0};
  std::atomic<unsigned> phase_{0};
};

}  // namespace idne
