#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

#include "evaluate/jobs.h"
#include "idne/checkpoint.h"

namespace idne {

/// The trainings of an evaluation that are done, with their figures: kept in a checkpoint, each as soon as it is done.
/// One that failed is not kept, so it is tried again. Safe for use by several threads.
class FinishedJobs {
 public:
  /// With what the checkpoint goes on from. `total`: how many there are to be, for a person.
  FinishedJobs(Checkpoint& checkpoint, std::size_t total);

  /// Null if it is not done.
  const std::vector<Noted>* find(const Job& job) const;
  void finish(const Job& job, std::vector<Noted> noted);

 private:
  void save() const;
  void restore(const SavedState& state);

  Checkpoint& checkpoint_;
  std::size_t total_;
  mutable std::mutex mutex_;
  std::map<Job, std::vector<Noted>> done_;
};

}  // namespace idne
