#pragma once

#include <compare>
#include <string>
#include <vector>

#include "evaluate/figures.h"
#include "math/ranks.h"

namespace idne {

/// A piece of work of an evaluation: one training, and all that is scored with it.
enum class Training { Whole, Inductive, Suggesting };
struct Job {
  std::size_t contestant;
  std::size_t repeat;
  Training training;
  auto operator<=>(const Job&) const = default;
};

inline Training training_of(Task task) {
  if (task == Task::Classification) return Training::Whole;
  return is_suggesting(task) ? Training::Suggesting : Training::Inductive;
}

/// A figure that it gave.
struct Noted {
  Row row;
  Task task;
  std::size_t column;
  Result result;
};

/// A job that is done, or was tried.
struct JobRun : Job {
  std::vector<Noted> noted;
  std::string failure;   ///< why it gave no figures, or not all; else empty
  bool stopped = false;  ///< it was not done to its end

  void note(Row row, Task task, std::size_t column, const Result& result) {
    noted.push_back({row, task, column, result});
  }
  bool good() const { return !stopped && failure.empty(); }
};

/// What came of a job, for other processes, which know the job itself.
inline Bytes packed(const JobRun& run) {
  Packer packer;
  packer.add(run.stopped);
  packer.add_text(run.failure);
  packer.add_all(run.noted);
  return packer.take();
}
inline JobRun unpacked(const Job& job, std::span<const std::byte> bytes) {
  Unpacker unpacker(bytes);
  JobRun run{job, {}, {}, unpacker.next<std::uint8_t>() != 0};
  run.failure = unpacker.next_text();
  run.noted = unpacker.next_all<Noted>();
  return run;
}

}  // namespace idne
