#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <string_view>

#include "idne/error.h"

namespace idne {

/// How far a long task has come. `total` is 0 where it is not known; `loss` is NaN where there is none; `documents` are
/// told where `done` counts something else.
struct Progress {
  std::string_view stage;
  std::uint64_t done = 0;
  std::uint64_t total = 0;
  double loss = std::nan("");
  std::uint64_t documents = 0;
};

class Checkpoint;  // idne/checkpoint.h
class Ranks;       // src/math/ranks.h

/// How a task runs, as opposed to what it computes: nothing in here changes a result.
struct Run {
  /// Number of threads, at least 1.
  int threads = 1;
  /// Called from one thread, several times a second at most.
  std::function<void(const Progress&)> progress;
  /// Asked often; when it answers true the task throws Interrupted. Must be safe to call from any thread.
  std::function<bool()> stopped;
  /// Where a training, or an evaluation, keeps what it has done, and goes on from; null: nowhere.
  Checkpoint* checkpoint = nullptr;
  /// The processes that do the task together; null: this one does it alone.
  Ranks* ranks = nullptr;

  void report(const Progress& p) const {
    if (progress) progress(p);
  }
  void check() const {
    if (stopped && stopped()) throw Interrupted();
  }
};

/// The number of threads that this machine runs at once, at least 1.
int hardware_threads();

}  // namespace idne
