#pragma once

#include <atomic>
#include <chrono>

#include "serve/snapshot.h"

namespace idne {

/// The model for those who need its index, which may still be in the making.
class WholeModel {
 public:
  explicit WholeModel(const ServedModel& model) : model_(model) {}

  /// Waits for it, but for one caller at a time: threads are few. Null if it is not there then.
  ServedModel::Pointer now(std::chrono::steady_clock::time_point until) const;

 private:
  const ServedModel& model_;
  mutable std::atomic<bool> somebody_waits_{false};
};

}  // namespace idne
