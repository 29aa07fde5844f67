#include "math/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "idne/run.h"
#include "math/pace.h"

namespace idne {

int hardware_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

void run_team(int threads, const std::function<void(int)>& body) {
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(std::max(1, threads)));
  const auto member = [&](int t) {
    try {
      body(t);
    } catch (...) {
      failures[static_cast<std::size_t>(t)] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> team;
    try {
      for (int t = 1; t < threads; ++t) team.emplace_back(member, t);
    } catch (...) {
      failures[0] = std::current_exception();
    }
    if (!failures[0]) member(0);
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
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
        next = n;  // those below i have begun, and their failures count before this one
        const std::lock_guard lock(mutex);
        if (i < failed_at) failed_at = i, failure = std::current_exception();
      }
    }
  };
  run_team(static_cast<int>(std::min<std::size_t>(n, static_cast<std::size_t>(std::max(1, threads)))), body);
  if (failure) std::rethrow_exception(failure);
}

void parallel_parts(int threads, std::size_t n, std::size_t at_once,
                    const std::function<void(std::size_t begin, std::size_t end)>& work) {
  parallel_for(threads, (n + at_once - 1) / at_once,
               [&](std::size_t part, std::size_t) { work(part * at_once, std::min(n, (part + 1) * at_once)); });
}

void parallel_parts(const Run& run, std::string_view stage, std::size_t n, std::size_t at_once,
                    const std::function<void(std::size_t begin, std::size_t end)>& work) {
  std::atomic<std::size_t> done{0};
  Pace pace;
  parallel_for(run.threads, (n + at_once - 1) / at_once, [&](std::size_t part, std::size_t worker) {
    run.check();
    const std::size_t begin = part * at_once, end = std::min(n, begin + at_once);
    work(begin, end);
    done += end - begin;
    if (worker == 0 && pace.due()) run.report({stage, done, n});
  });
  run.report({stage, n, n});
}

}  // namespace idne
