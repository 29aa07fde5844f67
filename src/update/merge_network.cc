#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "update/merge_maker.h"

namespace idne {
namespace {

std::uint8_t swapped(std::uint8_t owners) {
  constexpr unsigned kRecords = Collection::kByFirst | Collection::kBySecond;
  return static_cast<std::uint8_t>((owners & ~kRecords) | (owners & Collection::kByFirst ? Collection::kBySecond : 0) |
                                   (owners & Collection::kBySecond ? Collection::kByFirst : 0));
}

}  // namespace

/// A link that is being put together.
struct MergeMaker::OwnedLink {
  Link link;
  std::uint8_t owners;
};

void MergeMaker::merge_links() {
  std::vector<OwnedLink> links;
  const StoredNetwork& stored = stored_;
  for (std::size_t n = 0; n < stored.links.size(); ++n) {
    const std::uint32_t a = place_of_old_[stored.links[n].a], b = place_of_old_[stored.links[n].b];
    if (a == kGone || b == kGone) continue;
    std::uint8_t owners = stored.link_owners[n];
    if (has_new_record(a)) owners &= static_cast<std::uint8_t>(~Collection::kByFirst);
    if (has_new_record(b)) owners &= static_cast<std::uint8_t>(~Collection::kBySecond);
    if (owners == 0) continue;  // who named it has another record now
    links.push_back({{a, b, stored.links[n].weight}, owners});
  }
  for (std::size_t n = 0; n < changes_.links.size(); ++n) {
    Link link = changes_.links[n];
    std::uint8_t owners = changes_.link_owners[n];
    link.a = place_of(link.a), link.b = place_of(link.b);
    if (link.a == kGone || link.b == kGone) {
      check_known(changes_.links[n].a, "a link to");
      check_known(changes_.links[n].b, "a link to");
      ++to_.report.dropped.unknown_links;
      continue;
    }
    if (link.a > link.b) std::swap(link.a, link.b), owners = swapped(owners);
    links.push_back({link, owners});
  }
  merge_feedback(links);
  std::ranges::stable_sort(links, {}, [](const OwnedLink& one) { return std::pair(one.link.a, one.link.b); });
  StoredNetwork& network = to_.network;
  for (const OwnedLink& one : links) {
    if (!network.links.empty() && network.links.back().a == one.link.a && network.links.back().b == one.link.b) {
      if (one.owners & Collection::kByFile) network.links.back().weight = one.link.weight;  // others say no weight
      network.link_owners.back() |= one.owners;
    } else {
      network.links.push_back(one.link);
      network.link_owners.push_back(one.owners);
    }
  }
}

/// With --strict an id that nobody has is an error.
void MergeMaker::check_known(std::uint32_t number, std::string_view what) const {
  if (!strict_ || number < changes_.ids.size()) return;
  const std::string_view id = changes_.id_of(number);
  if (old_ids_.find(id)) return;  // it goes
  throw Error(fmt::format("{}: {} the unknown id \"{}\"", changes_.name, what, id));
}

/// Accepted links come to the others; rejected ones are remembered at both of their documents.
void MergeMaker::merge_feedback(std::vector<OwnedLink>& links) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> rejected;
  for (std::size_t old = 0; old < documents_.rejected_links.size(); ++old) {
    for (const std::int32_t to : documents_.rejected_links[old]) {
      const std::uint32_t a = place_of_old_[old], b = place_of_old_[static_cast<std::size_t>(to)];
      if (a != kGone && b != kGone && a < b) rejected.emplace(a, b);
    }
  }
  for_each_feedback(Feedback::Kind::Link, [&](std::uint32_t row, const Feedback& said) {
    const std::uint32_t other = row_of(said.target);
    if (other == kGone || other == row) return false;
    const auto pair = std::minmax(row, other);
    if (said.accepted) {
      rejected.erase(pair);
      links.push_back({{pair.first, pair.second, 1}, Collection::kByFeedback});
    } else {
      rejected.insert(pair);
    }
    return true;
  });
  // Who says no takes back a yes, but not what records and files say.
  std::erase_if(links, [&](OwnedLink& one) {
    if (!(one.owners & Collection::kByFeedback) || !rejected.contains({one.link.a, one.link.b})) return false;
    one.owners &= static_cast<std::uint8_t>(~Collection::kByFeedback);
    return one.owners == 0;
  });
  if (rejected.empty()) return;
  std::vector<std::vector<std::int32_t>> lists(to_.rows.size());
  for (const auto& [a, b] : rejected) {
    lists[a].push_back(static_cast<std::int32_t>(b));
    lists[b].push_back(static_cast<std::int32_t>(a));
  }
  for (auto& list : lists) {
    std::ranges::sort(list);
    to_.rejected_links.values.insert(to_.rejected_links.values.end(), list.begin(), list.end());
    to_.rejected_links.end_row();
  }
}

struct MergeMaker::OwnedMember {
  Membership member;    ///< with the place of its group's name
  std::uint8_t owners;  ///< as Collection::own_memberships has them
};

void MergeMaker::merge_groups() {
  Names names(documents_.group_names);
  std::vector<std::uint32_t> fresh_names;
  for (const std::string_view name : changes_.groups.strings()) fresh_names.push_back(names.add(name));
  std::vector<OwnedMember> members;
  // Groups of before whose names are not known cannot be told from new ones, and stay what they are.
  const StoredNetwork& stored = stored_;
  if (documents_.group_names.size() == 0 && !stored.memberships.empty()) {
    throw Error("this model does not keep the names of its groups; train it again to update it");
  }
  for (std::size_t n = 0; n < stored.memberships.size(); ++n) {
    const Membership& member = stored.memberships[n];
    const std::uint32_t row = place_of_old_[member.document];
    if (row == kGone) continue;
    std::uint8_t owners = stored.own_memberships[n];
    if (has_new_record(row)) owners &= static_cast<std::uint8_t>(~Collection::kByFirst);
    if (owners != 0) members.push_back({{row, member.group}, owners});
  }
  for (std::size_t n = 0; n < changes_.memberships.size(); ++n) {
    const Membership& member = changes_.memberships[n];
    const std::uint32_t row = place_of(member.document);
    if (row == kGone) {
      check_known(member.document, "a member with");
      ++to_.report.dropped.unknown_members;
      continue;
    }
    members.push_back({{row, fresh_names[member.group]}, changes_.own_memberships[n]});
  }
  for (const OwnedMember& one : members) names.use(one.member.group);
  names.number();
  for (OwnedMember& one : members) one.member.group = names[one.member.group];
  std::ranges::stable_sort(members, {},
                           [](const OwnedMember& one) { return std::pair(one.member.document, one.member.group); });
  StoredNetwork& network = to_.network;
  for (const OwnedMember& one : members) {
    const bool repeated = !network.memberships.empty() && network.memberships.back().document == one.member.document &&
                          network.memberships.back().group == one.member.group;
    if (repeated) {
      network.own_memberships.back() |= one.owners;
    } else {
      network.memberships.push_back(one.member);
      network.own_memberships.push_back(one.owners);
    }
  }
  to_.group_names = names.names();
}

}  // namespace idne
