#pragma once

#include <cstdint>

namespace idne {

/// What a link may weigh at most: more than anybody measures, and far less than a float holds, so that sums stay
/// numbers.
inline constexpr float kMostLinkWeight = 1e12f;

/// An undirected link between two documents.
struct Link {
  std::uint32_t a;
  std::uint32_t b;
  float weight = 1;
};

/// A document's place in a group. All members of a group are linked with each other, with weight 1.
struct Membership {
  std::uint32_t document;
  std::uint32_t group;
};

}  // namespace idne
