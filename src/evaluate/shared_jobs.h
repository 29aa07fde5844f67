#pragma once

#include <functional>
#include <span>

#include "idne/run.h"
#include "math/ranks.h"

namespace idne {

/// Does jobs 0 … n − 1, each once, on the threads of all run.ranks: whoever is free gets the next. What a job gives is
/// given to `take` on all ranks, in the same order, by the thread that called. `alone` is how a job is to run. When
/// run.stopped says so to one of the ranks, or `take` or a job throws, no more are begun on any of them, and those
/// under way are stopped; what was thrown is then thrown on all. A meeting of all.
void share_jobs(const Run& run, std::size_t n, const std::function<Bytes(std::size_t job, const Run& alone)>& work,
                const std::function<void(std::size_t job, std::span<const std::byte> given)>& take);

}  // namespace idne
