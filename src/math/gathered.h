#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "math/ranks.h"

/// What all ranks give, where it is much: all_of and all_gather have it in memory more than once for a while.
namespace idne {

/// What each gives, one rank after the other, as all_of does.
template <class T>
std::vector<T> gathered(Ranks& ranks, std::span<const T> own) {
  static_assert(std::is_trivially_copyable_v<T>);
  const std::vector<std::uint64_t> counts = all_of(ranks, static_cast<std::uint64_t>(own.size()));
  std::size_t size = 0;
  for (const std::uint64_t count : counts) size += count;
  std::vector<T> all(size);
  auto rest = std::span(all);
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    const auto part = rest.first(counts[rank]);
    if (rank == ranks.number()) std::ranges::copy(own, part.begin());
    ranks.broadcast(rank, std::as_writable_bytes(part));
    rest = rest.subspan(counts[rank]);
  }
  return all;
}

/// Calls visit(bytes) with what each gives, one rank after the other: of the others' never more than one at once.
template <class Visit>
void visit_gathered(Ranks& ranks, Bytes own, const Visit& visit) {
  const std::vector<std::uint64_t> sizes = all_of(ranks, static_cast<std::uint64_t>(own.size()));
  for (std::size_t rank = 0; rank < sizes.size(); ++rank) {
    Bytes theirs = rank == ranks.number() ? std::exchange(own, {}) : Bytes(sizes[rank]);
    ranks.broadcast(rank, theirs);
    visit(std::span<const std::byte>(theirs));
  }
}

}  // namespace idne
