#pragma once

#include <cstddef>
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

/// Runs body(0) … body(threads − 1), each on a thread of its own (0 is the caller's). When all have ended, the
/// exception of the lowest number is thrown again here. If a thread cannot be started, body(0) is not run, and that is
/// thrown.
void run_team(int threads, const std::function<void(int)>& body);

}  // namespace idne
