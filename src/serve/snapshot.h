#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "serve/fixed_answer.h"
#include "serve/reloadable.h"
#include "serve/service.h"

namespace idne {

/// A model as it is served, with all that is made of it. It does not change: a request takes it at its beginning and
/// keeps it to its end, whatever is loaded meanwhile.
class Snapshot {
 public:
  /// As Service.
  Snapshot(const ServiceFiles& files, FeedbackFile* feedback, const Run& run) : service_(files, feedback, run) {}

  const Service& service() const { return service_; }
  /// The whole answer, made when it is asked for the first time.
  const FixedAnswer& map() const {
    std::call_once(map_made_, [this] { map_.emplace("application/json", service_.map_text()); });
    return *map_;
  }

 private:
  const Service service_;
  mutable std::once_flag map_made_;
  mutable std::optional<FixedAnswer> map_;
};

using ServedModel = Reloadable<Snapshot>;

}  // namespace idne
