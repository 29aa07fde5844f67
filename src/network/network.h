#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "idne/network.h"
#include "math/placement.h"
#include "math/random.h"

namespace idne {

/// Documents and how they are linked. The adjacency matrix A holds the weights of the links plus 1 for every group that
/// two documents share; its diagonal is zero. Neither a group's links nor A² are ever built: memory is
/// O(links + memberships), and a draw takes O(log degree).
class Network {
 public:
  Network() : Network(0, {}, {}) {}
  /// REQUIRES: documents exist, no link to oneself, no link or membership twice, weights are positive.
  Network(std::size_t documents, std::span<const Link> links, std::span<const Membership> memberships)
      : Network(Placement(documents), links, memberships) {}
  /// Of documents that may be spread over processes: each gives the links and memberships whose (first) document it
  /// has, in rising order. Afterwards it can answer for its own documents, by their numbers among all, and all have the
  /// groups. A meeting of all.
  Network(Placement spread, std::span<const Link> links, std::span<const Membership> memberships);

  /// That all processes have.
  std::size_t documents() const { return spread_.all(); }
  const Placement& spread() const { return spread_; }
  /// Links, the groups' pairs counted in: a pair counts once for each group that it shares, and once for its link.
  std::uint64_t links() const { return links_; }
  std::uint64_t groups() const { return group_begin_.size() - 1; }
  std::uint64_t memberships() const { return members_.size(); }

  /// The documents that a document has a link with, in their order; groups are left out.
  std::vector<std::uint32_t> linked_documents(std::uint32_t document) const;

  /// How many documents a document has a link with, and in its groups: who is met in several ways counts each time.
  std::uint64_t neighbour_count(std::uint32_t document) const;

  /// Row sum of A.
  double degree(std::uint32_t document) const { return degree_[own(document)]; }
  /// Row sum of A + A²: how many paths of length 1 or 2 begin here.
  double path_count(std::uint32_t document) const { return path_count_[own(document)]; }

  /// A_ij, in O(log degree) for each group that one of the two is in. For documents that are both here.
  double weight(std::uint32_t i, std::uint32_t j) const;

  /// For each document the mean of its own vector, with weight `self`, and its neighbours', with their weights in A.
  /// `vectors` are rows of `width`; groups are added up once, not expanded.
  std::vector<float> neighbour_means(std::span<const float> vectors, std::size_t width, double self, int threads) const;

  /// Draws j in proportion to row i of A. REQUIRES: degree(i) > 0.
  std::uint32_t draw_neighbour(std::uint32_t i, Random& random) const;
  struct From {
    std::uint32_t document;
    Random random;
  };
  /// The same for many, each drawn by whoever has the document: a meeting of all. None of them is without neighbours.
  std::vector<std::uint32_t> draw_neighbours(std::span<const From> from) const;
  /// Draws j in proportion to row i of A + A². A document without links gives itself.
  std::uint32_t draw_path_end(std::uint32_t i, Random& random) const {
    const std::uint32_t k = draw_first_hop(i, random);
    return path_count(i) > 0 ? draw_last_hop(k, random) : i;
  }
  /// The two halves of that, for whoever has i, and whoever has the document in between: the first gives i itself where
  /// it has no link, and that is the end then.
  std::uint32_t draw_first_hop(std::uint32_t i, Random& random) const;
  std::uint32_t draw_last_hop(std::uint32_t k, Random& random) const;
  /// Draws i in proportion to its path_count; uniformly if there is no link at all. All ranks draw alike, and only who
  /// has the document can tell it: nothing on the others.
  std::optional<std::uint32_t> draw_path_start(Random& random) const;

 private:
  /// A linked document, or a group that the document is in, with sums over this document's neighbours so far.
  struct Neighbour {
    std::uint32_t to;     ///< document, or group + kGroup
    std::uint32_t place;  ///< in a group: where this document stands among the members
    double sum_degree;    ///< of A
    double sum_paths;     ///< of A · (1 + degree)
  };
  static constexpr std::uint32_t kGroup = 1u << 31;

  std::size_t own(std::uint32_t document) const { return document - spread_.begin(); }
  std::span<const Neighbour> neighbours(std::uint32_t i) const {
    const std::size_t at = own(i);
    return std::span(neighbours_).subspan(begin_[at], begin_[at + 1] - begin_[at]);
  }
  std::span<const Neighbour> groups_of(std::uint32_t i) const {
    const auto near = neighbours(i);
    return near.last(static_cast<std::size_t>(near.end() - std::ranges::lower_bound(near, kGroup, {}, &Neighbour::to)));
  }
  std::span<const std::uint32_t> members(std::uint32_t group) const {
    return std::span(members_).subspan(group_begin_[group], group_begin_[group + 1] - group_begin_[group]);
  }
  std::vector<Link> links_to_here(std::span<const Link> links) const;
  std::vector<Membership> all_memberships(std::span<const Membership> own) const;
  std::vector<double> degrees_of_neighbours() const;
  void add_up_paths();

  Placement spread_;
  std::uint64_t links_ = 0;
  std::vector<std::uint64_t> begin_;
  std::vector<Neighbour> neighbours_;  ///< of each document in rising order: linked ones, then groups
  std::vector<std::uint64_t> group_begin_;
  std::vector<std::uint32_t> members_;
  std::vector<double> member_sums_;  ///< running sums of 1 + degree over the members of each group
  std::vector<double> degree_;       ///< of the documents that are here, as all that follows
  std::vector<double> path_count_;
  std::vector<double> path_sums_;  ///< running sums of path_count over all documents up to each
  std::vector<double> path_ends_;  ///< of each rank: the last of these
};

}  // namespace idne
