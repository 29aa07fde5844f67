#pragma once

#include <atomic>
#include <span>
#include <string_view>
#include <vector>

#include "idne/encode.h"

namespace idne {

/// Which documents of a model new ones link to. Where links do not matter to a new document's vector there are none.
/// Safe for use by several threads.
class KnownLinks {
 public:
  explicit KnownLinks(const TextEncoder& encoder) : wanted_(encoder.joined()) {
    const StringsView& ids = encoder.model().documents().ids;
    for (std::size_t i = 0; wanted_ && i < ids.size(); ++i) ids_.add(ids[i]);
  }

  std::vector<std::uint32_t> numbers(std::span<const std::string_view> ids) {
    std::vector<std::uint32_t> numbers;
    for (const std::string_view id : ids) {
      if (!wanted_) break;
      if (const auto number = ids_.find(id)) {
        numbers.push_back(*number);
      } else {
        ++unknown_;
      }
    }
    return numbers;
  }

  /// How many ids were asked for that the model has no document for.
  std::uint64_t unknown() const { return unknown_; }

 private:
  const bool wanted_;
  StringTable ids_;
  std::atomic<std::uint64_t> unknown_{0};
};

}  // namespace idne
