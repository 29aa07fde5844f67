#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

#include "evaluate/figures.h"
#include "idne/checkpoint.h"

namespace idne {

/// Which training of an evaluation.
struct JobName {
  std::size_t contestant, repeat, training;
  auto operator<=>(const JobName&) const = default;
};

/// A figure that it gave.
struct Noted {
  Row row;
  Task task;
  std::size_t column;
  Result result;
};

/// The trainings of an evaluation that are done, with their figures: kept in a checkpoint, each as soon as it is done.
/// One that failed is not kept, so it is tried again. Safe for use by several threads.
class FinishedJobs {
 public:
  /// With what the checkpoint goes on from. `total`: how many there are to be, for a person.
  FinishedJobs(Checkpoint& checkpoint, std::size_t total);

  /// Null if it is not done.
  const std::vector<Noted>* find(const JobName& job) const;
  void note(const JobName& job, const Noted& noted);
  /// The job has no more figures.
  void finish(const JobName& job);

 private:
  void save() const;
  void restore(const SavedState& state);

  Checkpoint& checkpoint_;
  std::size_t total_;
  mutable std::mutex mutex_;
  std::map<JobName, std::vector<Noted>> at_work_, done_;
};

}  // namespace idne
