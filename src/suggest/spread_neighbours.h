#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "idne/model.h"
#include "idne/network.h"
#include "math/placement.h"
#include "suggest/link_scorer.h"

namespace idne {

/// What Neighbours is, where documents are spread over processes: links and groups of the documents that are here, and
/// the members of all groups.
class SpreadNeighbours {
 public:
  SpreadNeighbours(const Documents& documents, const Placement& spread) : documents_(documents), spread_(spread) {
    std::vector<Membership> own;
    for (std::uint32_t i = 0; i < documents.groups.size(); ++i) {
      for (const std::int32_t group : documents.groups[i]) {
        own.push_back({static_cast<std::uint32_t>(spread.begin()) + i, static_cast<std::uint32_t>(group)});
      }
    }
    for (const Membership& member : all_of(*spread.ranks(), std::span<const Membership>(own))) {
      if (member.group >= members_.size()) members_.resize(member.group + 1);
      members_[member.group].push_back(member.document);
    }
  }

  bool here(std::size_t document) const { return spread_.here(document); }
  std::size_t row(std::size_t document) const { return document - spread_.begin(); }
  std::span<const std::int32_t> links(std::size_t document) const {
    return documents_.links.size() > 0 ? documents_.links[row(document)] : std::span<const std::int32_t>{};
  }
  std::span<const std::int32_t> groups(std::size_t document) const {
    return documents_.groups.size() > 0 ? documents_.groups[row(document)] : std::span<const std::int32_t>{};
  }
  const std::vector<std::uint32_t>& members(std::int32_t group) const {
    return members_[static_cast<std::size_t>(group)];
  }
  std::uint64_t count(std::size_t document) const {
    std::uint64_t count = links(document).size();
    for (const std::int32_t group : groups(document)) count += members(group).size() - 1;
    return count;
  }
  std::vector<std::uint32_t> all(std::size_t document) const {
    return all_neighbours(document, links(document), groups(document),
                          [this](std::int32_t group) { return std::span(members(group)); });
  }

 private:
  const Documents& documents_;
  const Placement& spread_;
  std::vector<std::vector<std::uint32_t>> members_;
};

}  // namespace idne
