#include "math/parallel.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "idne/run.h"

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace idne {

int hardware_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

void parallel_parts(int threads, std::size_t n, std::size_t at_once,
                    const std::function<void(std::size_t begin, std::size_t end)>& work) {
  parallel_for(threads, (n + at_once - 1) / at_once,
               [&](std::size_t part, std::size_t) { work(part * at_once, std::min(n, (part + 1) * at_once)); });
}

void run_team(int threads, const std::function<void(int)>& body) {
  std::vector<std::jthread> team;
  for (int t = 1; t < threads; ++t) team.emplace_back([&body, t] { body(t); });
  body(0);
}

void parallel_for(int threads, std::size_t n, const std::function<void(std::size_t, std::size_t)>& work) {
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::size_t failed_at = n;
  std::exception_ptr failure;
  const auto body = [&](int worker) {
    for (std::size_t i; (i = next.fetch_add(1)) < n;) {
      try {
        work(i, static_cast<std::size_t>(worker));
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (i < failed_at) failed_at = i, failure = std::current_exception();
      }
    }
  };
  run_team(static_cast<int>(std::min<std::size_t>(n, static_cast<std::size_t>(std::max(1, threads)))), body);
  if (failure) std::rethrow_exception(failure);
}

Barrier::Barrier(int threads) : threads_(threads), spins_(threads > hardware_threads() ? 0 : 20000) {}

void Barrier::wait() {
  if (threads_ == 1) return;
  const unsigned phase = phase_.load(std::memory_order_acquire);
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
    arrived_.store(0, std::memory_order_relaxed);
    phase_.store(phase + 1, std::memory_order_release);
    phase_.notify_all();
    return;
  }
  for (int spin = 0; spin < spins_; ++spin) {
    if (phase_.load(std::memory_order_acquire) != phase) return;
#if defined(__x86_64__) || defined(__i386__)
    _mm_pause();
#endif
  }
  phase_.wait(phase, std::memory_order_acquire);
}

}  // namespace idne
