#include "model/network_store.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace idne {
namespace {

/// Pairs of a document and a number, as lists by document; those of documents that are elsewhere are left out.
struct ListEntry {
  std::uint32_t document, number;
  float weight = 1;
};

Lists lists_of(std::vector<ListEntry>& entries, const Placement& documents) {
  if (documents.ranks()) {
    std::erase_if(entries, [&](const ListEntry& entry) { return !documents.here(entry.document); });
  }
  std::ranges::sort(entries, [](const ListEntry& x, const ListEntry& y) {
    return x.document != y.document ? x.document < y.document : x.number < y.number;
  });
  Lists lists;
  lists.values.reserve(entries.size());
  auto entry = entries.begin();
  for (std::size_t i = documents.begin(); i < documents.end(); ++i) {
    for (; entry != entries.end() && entry->document == i; ++entry) {
      lists.values.push_back(static_cast<std::int32_t>(entry->number));
    }
    lists.end_row();
  }
  return lists;
}

/// An entry that is there only if there is anything to say.
void set_or_remove(const layout::Entry& entry, std::vector<ListEntry>& entries, const Placement& documents,
                   ModelMaker& maker) {
  if (entries.empty()) {
    maker.remove(entry);
  } else {
    maker.set(entry, lists_of(entries, documents));
  }
}

/// Links of which only the second document is here come from where the first one is.
struct LinksHere {
  LinksHere(const NetworkView& network, const Placement& documents)
      : links(network.links.begin(), network.links.end()),
        owners(network.link_owners.begin(), network.link_owners.end()) {
    struct Sent {
      Link link;
      std::uint8_t owners;
    };
    Ranks& ranks = *documents.ranks();
    std::vector<Packer> to(ranks.size());
    for (std::size_t n = 0; n < links.size(); ++n) {
      if (!documents.here(links[n].b)) to[documents.owner(links[n].b)].add(Sent{links[n], owners[n]});
    }
    for (const Bytes& bytes : exchange_packed(ranks, to)) {
      for (Unpacker from(bytes); !from.done();) {
        const auto sent = from.next<Sent>();
        links.push_back(sent.link);
        owners.push_back(sent.owners);
      }
    }
  }
  std::vector<Link> links;
  std::vector<std::uint8_t> owners;
};

void store_links(const NetworkView& network, const Placement& documents, ModelMaker& maker) {
  std::vector<ListEntry> ends, own, listed, accepted;
  const auto here = [&](const Link& link) { return documents.here(link.a) + documents.here(link.b); };
  ends.reserve(std::transform_reduce(network.links.begin(), network.links.end(), std::size_t{0}, std::plus(), here));
  for (std::size_t n = 0; n < network.links.size(); ++n) {
    const Link& link = network.links[n];
    if (documents.here(link.a)) ends.push_back({link.a, link.b, link.weight});
    if (documents.here(link.b)) ends.push_back({link.b, link.a, link.weight});
    const std::uint8_t owners = network.link_owners.empty() ? std::uint8_t{0} : network.link_owners[n];
    if (owners & Collection::kByFirst) own.push_back({link.a, link.b});
    if (owners & Collection::kBySecond) own.push_back({link.b, link.a});
    const auto note = [&](std::vector<ListEntry>& list) {
      list.push_back({link.a, link.b});
      list.push_back({link.b, link.a});
    };
    if (owners & Collection::kByFeedback) note(accepted);
    if (owners & Collection::kByFile && owners != Collection::kByFile) note(listed);
  }
  maker.set(layout::kDocumentLinks, lists_of(ends, documents));
  maker.remove(layout::kLinkAmounts);
  if (std::ranges::any_of(ends, [](const ListEntry& end) { return end.weight != 1; })) {
    std::vector<float> weights;
    weights.reserve(ends.size());
    for (const ListEntry& end : ends) weights.push_back(end.weight);
    maker.set(layout::kLinkAmounts, std::move(weights));
  }
  set_or_remove(layout::kOwnLinks, own, documents, maker);
  set_or_remove(layout::kListedLinks, listed, documents, maker);
  set_or_remove(layout::kAcceptedLinks, accepted, documents, maker);
}

bool contains(const ListsView& lists, std::size_t row, std::int32_t value) {
  return lists.size() > 0 && std::ranges::binary_search(lists[row], value);
}

}  // namespace

void store_network(const NetworkView& network, std::span<const std::string_view> group_names,
                   const Placement& documents, ModelMaker& maker) {
  if (documents.ranks()) {
    const LinksHere all(network, documents);
    store_links({all.links, all.owners, {}, {}}, documents, maker);
  } else {
    store_links(network, documents, maker);
  }
  std::vector<ListEntry> groups, own, listed;
  for (std::size_t n = 0; n < network.memberships.size(); ++n) {
    const Membership& member = network.memberships[n];
    groups.push_back({member.document, member.group});
    const std::uint8_t owners = network.own_memberships.empty() ? std::uint8_t{0} : network.own_memberships[n];
    if (!(owners & Collection::kByFirst)) continue;
    own.push_back(groups.back());
    if (owners & Collection::kByFile) listed.push_back(groups.back());
  }
  set_or_remove(layout::kDocumentGroups, groups, documents, maker);
  set_or_remove(layout::kOwnGroups, own, documents, maker);
  set_or_remove(layout::kListedGroups, listed, documents, maker);
  if (group_names.empty()) {
    maker.remove(layout::kGroupNames);
  } else {
    maker.set_strings(layout::kGroupNames, group_names);
  }
}

StoredNetwork stored_network(const Model& model) {
  const Documents& documents = model.documents();
  const ModelTensors tensors(model);
  const auto lists_of = [&](const layout::Entry& entry) {
    return tensors.has(entry) ? tensors.lists(entry) : ListsView{};
  };
  const ListsView listed = lists_of(layout::kListedLinks), accepted = lists_of(layout::kAcceptedLinks),
                  listed_groups = lists_of(layout::kListedGroups);
  StoredNetwork network;
  for (std::uint32_t i = 0; i < documents.links.size(); ++i) {
    const auto links = documents.links[i];
    for (std::size_t n = 0; n < links.size(); ++n) {
      const auto j = static_cast<std::uint32_t>(links[n]);
      if (j <= i) continue;
      const float weight = documents.link_weights.empty() ? 1 : documents.link_weights[documents.links.begin(i) + n];
      network.links.push_back({i, j, weight});
      unsigned owners = 0;
      if (contains(documents.own_links, i, links[n])) owners |= Collection::kByFirst;
      if (contains(documents.own_links, j, static_cast<std::int32_t>(i))) owners |= Collection::kBySecond;
      if (contains(accepted, i, links[n])) owners |= Collection::kByFeedback;
      if (owners == 0 || contains(listed, i, links[n])) owners |= Collection::kByFile;
      network.link_owners.push_back(static_cast<std::uint8_t>(owners));
    }
  }
  for (std::uint32_t i = 0; i < documents.groups.size(); ++i) {
    for (const std::int32_t group : documents.groups[i]) {
      network.memberships.push_back({i, static_cast<std::uint32_t>(group)});
      const bool own = contains(documents.own_groups, i, group);
      const bool file = !own || contains(listed_groups, i, group);
      network.own_memberships.push_back(
          static_cast<std::uint8_t>((own ? Collection::kByFirst : 0) | (file ? Collection::kByFile : 0)));
    }
  }
  return network;
}

}  // namespace idne
