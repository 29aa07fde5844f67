#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "math/placement.h"

namespace idne {

/// What an id is told by where it is not itself: XXH3-128. Two ids of a corpus with the same one will not be met: among
/// a billion of them the odds are one in 10²⁰.
struct IdHash {
  std::uint64_t high, low;
  auto operator<=>(const IdHash&) const = default;
};
IdHash hash_of(std::string_view id);

/// Numbers of documents by their ids, over all processes: each keeps those whose hash falls to it.
/// Every call is a meeting of all.
class IdDirectory {
 public:
  static constexpr std::uint32_t kNone = ~0u;

  /// `ids` are those of this process's documents.
  IdDirectory(const Placement& spread, std::span<const std::string_view> ids);

  /// The lowest number whose id an earlier document has.
  std::optional<std::uint32_t> first_repeat() const { return first_repeat_; }
  /// The numbers of documents with these ids; kNone where there is none.
  std::vector<std::uint32_t> find(std::span<const IdHash> ids) const;

 private:
  struct Entry {
    IdHash id;
    std::uint32_t number;
    auto operator<=>(const Entry&) const = default;
  };
  std::size_t keeper(const IdHash& id) const { return static_cast<std::size_t>(id.high % ranks_.size()); }

  Ranks& ranks_;
  std::vector<Entry> entries_;  ///< sorted
  std::optional<std::uint32_t> first_repeat_;
};

}  // namespace idne
