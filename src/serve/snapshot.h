#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "serve/fixed_answer.h"
#include "serve/reloadable.h"
#include "serve/service.h"

namespace idne {

/// A model as it is served, with all that is made of it. It does not change: a request takes it at its beginning and
/// keeps it to its end, whatever is loaded meanwhile.
class Snapshot {
 public:
  /// As Service.
  Snapshot(const ServiceFiles& files, FeedbackFile* feedback, Start start, const Run& run)
      : service_(files, feedback, start, run) {}

  const Service& service() const { return service_; }
  /// An answer that is long to make and often the same, such as the map: made when it is asked for the first time. Null
  /// if there are too many already.
  const FixedAnswer* kept(const std::string& what, const std::function<std::string()>& make) const {
    constexpr std::size_t kMost = 8;
    Kept* one = nullptr;
    {
      const std::lock_guard lock(mutex_);
      if (kept_.size() >= kMost && !kept_.contains(what)) return nullptr;
      one = &kept_[what];  // a map's values stay where they are
    }
    std::call_once(one->made, [&] { one->answer.emplace("application/json", make()); });
    return &*one->answer;
  }

 private:
  const Service service_;
  struct Kept {
    std::once_flag made;
    std::optional<FixedAnswer> answer;
  };
  mutable std::mutex mutex_;
  mutable std::map<std::string, Kept> kept_;
};

using ServedModel = Reloadable<Snapshot>;

}  // namespace idne
