#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "idne/network.h"
#include "math/placement.h"
#include "model/tensors.h"

/// The links and groups of documents as a model keeps them.
namespace idne {

struct NetworkView {
  std::span<const Link> links;  ///< each once, sorted by a, then b; a < b
  /// As Collection::link_owners and own_memberships; empty if nobody knows.
  std::span<const std::uint8_t> link_owners;
  std::span<const Membership> memberships;
  std::span<const std::uint8_t> own_memberships;
};

/// Lists of links (and weights, if any is not 1), groups (and names, if there are any) and of what records name. Where
/// documents are spread, of those that are here: others' links to them are asked for, which is a meeting of all.
void store_network(const NetworkView& network, std::span<const std::string_view> group_names,
                   const Placement& documents, ModelMaker& maker);

/// The same back again. Without weights and owners for models that do not keep them.
struct StoredNetwork {
  std::vector<Link> links;
  std::vector<std::uint8_t> link_owners;
  std::vector<Membership> memberships;
  std::vector<std::uint8_t> own_memberships;
};
StoredNetwork stored_network(const Model& model);

}  // namespace idne
