#include "update/merge.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace idne {
namespace {

/// Names of labels or groups: the former ones in their order, then those that came; numbered when it is known which are
/// in use.
class Names {
 public:
  explicit Names(const StringsView& former) : former_(former.size()) {
    for (std::size_t n = 0; n < former.size(); ++n) all_.add(former[n]);
    used_.resize(former_);
  }
  /// What a name is called until all are numbered.
  std::uint32_t add(std::string_view name) {
    const std::uint32_t place = all_.add(name);
    used_.resize(all_.size());
    return place;
  }
  void use(std::uint32_t place) { used_[place] = 1; }
  void number() {
    number_.assign(all_.size(), Origin::kNone);
    for (std::uint32_t n = 0; n < all_.size(); ++n) {
      if (!used_[n]) continue;
      number_[n] = static_cast<std::uint32_t>(names_.size());
      names_.emplace_back(all_[n]);
    }
  }
  std::uint32_t operator[](std::uint32_t place) const { return number_[place]; }
  const std::vector<std::string>& names() const { return names_; }
  std::vector<std::string> came() const { return listed(former_, all_.size(), true); }
  std::vector<std::string> went() const { return listed(0, former_, false); }

 private:
  std::vector<std::string> listed(std::size_t begin, std::size_t end, bool used) const {
    std::vector<std::string> list;
    for (std::size_t n = begin; n < end; ++n) {
      if ((used_[n] != 0) == used) list.emplace_back(all_[n]);
    }
    return list;
  }

  std::size_t former_;
  StringTable all_;
  std::vector<std::uint32_t> number_;
  std::vector<char> used_;
  std::vector<std::string> names_;
};

/// A link that is being put together.
struct OwnedLink {
  Link link;
  std::uint8_t owners;
};

std::uint8_t swapped(std::uint8_t owners) {
  return static_cast<std::uint8_t>((owners & Collection::kByFirst ? Collection::kBySecond : 0) |
                                   (owners & Collection::kBySecond ? Collection::kByFirst : 0));
}

class MergeMaker {
 public:
  MergeMaker(const Model& model, const Collection& changes, const CountMatrix& fresh_words,
             const UpdateOptions& options, Merge& to)
      : documents_(model.documents()),
        model_(model),
        changes_(changes),
        fresh_words_(fresh_words),
        feedback_(options.feedback),
        whole_(options.whole),
        to_(to) {
    for (std::size_t row = 0; row < documents_.size(); ++row) old_ids_.add(documents_.ids[row]);
    to_.report.dropped = changes.dropped;
    place_documents(options.removed);
    merge_labels();
    merge_links();
    merge_groups();
    count_changes();
  }

 private:
  static constexpr std::uint32_t kGone = Origin::kNone;

  void place_documents(const std::vector<std::string>& removed) {
    std::vector<char> goes(documents_.size()), fresh_goes(changes_.ids.size());
    StringTable once;
    for (const std::string& id : removed) {
      if (once.find(id)) continue;
      once.add(id);
      const auto old = old_ids_.find(id), fresh = changes_.ids.find(id);
      if (old) goes[*old] = 1;
      if (fresh) fresh_goes[*fresh] = 1;
      to_.report.unknown_removed += !old && !fresh;
    }
    place_of_old_.assign(documents_.size(), kGone);
    place_of_fresh_.assign(changes_.ids.size(), kGone);
    for (std::uint32_t row = 0; row < documents_.size(); ++row) {
      const auto fresh = changes_.ids.find(documents_.ids[row]);
      if (goes[row] || (whole_ && !fresh)) {
        ++to_.report.removed;
        continue;
      }
      place_of_old_[row] = static_cast<std::uint32_t>(to_.rows.size());
      Origin origin{.old = row};
      if (fresh) {
        place_of_fresh_[*fresh] = place_of_old_[row];
        origin.fresh = *fresh;
        origin.same_text = same_text(row, *fresh);
      }
      to_.rows.push_back(origin);
    }
    for (std::uint32_t fresh = 0; fresh < changes_.ids.size(); ++fresh) {
      if (fresh_goes[fresh] || old_ids_.find(changes_.ids[fresh])) continue;
      place_of_fresh_[fresh] = static_cast<std::uint32_t>(to_.rows.size());
      to_.rows.push_back({.fresh = fresh});
      ++to_.report.added;
    }
  }

  /// Models of before keep no digests; texts with the same words are then the same.
  bool same_text(std::uint32_t old, std::uint32_t fresh) const {
    if (!documents_.digests.empty()) return documents_.digests[old] == changes_.digests[fresh];
    return documents_.words.size() > 0 && std::ranges::equal(documents_.words[old], fresh_words_.row(fresh));
  }

  void merge_labels() {
    Names names(model_.labels().names);
    std::vector<std::uint32_t> fresh_names;
    for (const std::string_view name : changes_.labels.strings()) fresh_names.push_back(names.add(name));
    std::vector<std::vector<std::uint32_t>> labels(to_.rows.size()), rejected(to_.rows.size());
    for (std::size_t row = 0; row < to_.rows.size(); ++row) {
      const Origin& origin = to_.rows[row];
      if (origin.fresh != Origin::kNone) {
        for (const std::int32_t label : changes_.document_labels.row(origin.fresh)) {
          labels[row].push_back(fresh_names[static_cast<std::size_t>(label)]);
        }
      } else {
        for (const std::int32_t label : documents_.labels[origin.old]) {
          labels[row].push_back(static_cast<std::uint32_t>(label));
        }
      }
      if (origin.old == Origin::kNone || documents_.rejected_labels.size() == 0) continue;
      for (const std::int32_t label : documents_.rejected_labels[origin.old]) {
        rejected[row].push_back(static_cast<std::uint32_t>(label));
      }
    }
    for_each_feedback(Feedback::Kind::Label, [&](std::uint32_t row, const Feedback& said) {
      const std::uint32_t name = names.add(said.target);
      move_to(name, said.accepted, labels[row], rejected[row]);
      return true;
    });
    for (const auto& list : labels) {
      for (const std::uint32_t name : list) names.use(name);
    }
    names.number();
    const auto store = [&](const std::vector<std::uint32_t>& list, bool sorted, Lists& to) {
      const std::size_t begin = to.values.size();
      for (const std::uint32_t name : list) {
        if (names[name] != Origin::kNone) to.values.push_back(static_cast<std::int32_t>(names[name]));
      }
      if (sorted) std::sort(to.values.begin() + static_cast<std::ptrdiff_t>(begin), to.values.end());
      to.end_row();
    };
    for (const auto& list : labels) store(list, false, to_.labels);
    for (const auto& list : rejected) store(list, true, to_.rejected_labels);
    if (to_.rejected_labels.values.empty()) to_.rejected_labels = {};
    to_.label_names = names.names();
    to_.report.new_labels = names.came();
    to_.report.gone_labels = names.went();
  }

  /// To the one list or to the other, from where it was.
  static void move_to(std::uint32_t what, bool first, std::vector<std::uint32_t>& one,
                      std::vector<std::uint32_t>& other) {
    std::vector<std::uint32_t>&to = first ? one : other, &from = first ? other : one;
    if (!std::ranges::count(to, what)) to.push_back(what);
    if (first) std::erase(from, what);  // what a record says stays, whatever people say of suggestions
  }

  /// Calls visit(row, said) for what people said about documents that there are; it says whether that was of use.
  template <class Visit>
  void for_each_feedback(Feedback::Kind kind, const Visit& visit) {
    for (const Feedback& said : feedback_) {
      if (said.kind != kind) continue;
      const std::uint32_t row = row_of(said.document);
      if (row == kGone || !visit(row, said)) {
        ++to_.report.unknown_feedback;
      } else {
        ++(said.accepted ? to_.report.accepted : to_.report.rejected);
      }
    }
  }

  /// The row of a document with this id.
  std::uint32_t row_of(std::string_view id) const {
    if (const auto fresh = changes_.ids.find(id)) return place_of_fresh_[*fresh];
    const auto old = old_ids_.find(id);
    return old ? place_of_old_[*old] : kGone;
  }

  /// The row of a document that the changes name, which may be one of the model's.
  std::uint32_t place_of(std::uint32_t number) const {
    if (number < changes_.ids.size()) return place_of_fresh_[number];
    return row_of(changes_.outside[number - changes_.ids.size()]);
  }

  bool has_new_record(std::uint32_t row) const { return to_.rows[row].fresh != Origin::kNone; }

  void merge_links() {
    std::vector<OwnedLink> links;
    const StoredNetwork stored = whole_ ? StoredNetwork{} : stored_network(model_);
    for (std::size_t n = 0; n < stored.links.size(); ++n) {
      const std::uint32_t a = place_of_old_[stored.links[n].a], b = place_of_old_[stored.links[n].b];
      if (a == kGone || b == kGone) continue;
      std::uint8_t owners = stored.link_owners[n];
      if (has_new_record(a)) owners &= static_cast<std::uint8_t>(~Collection::kByFirst);
      if (has_new_record(b)) owners &= static_cast<std::uint8_t>(~Collection::kBySecond);
      if (stored.link_owners[n] != 0 && owners == 0) continue;  // who named it has another record now
      links.push_back({{a, b, stored.links[n].weight}, owners});
    }
    for (std::size_t n = 0; n < changes_.links.size(); ++n) {
      Link link = changes_.links[n];
      std::uint8_t owners = changes_.link_owners[n];
      link.a = place_of(link.a), link.b = place_of(link.b);
      if (link.a == kGone || link.b == kGone) {
        ++to_.report.dropped.unknown_links;
        continue;
      }
      if (link.a > link.b) std::swap(link.a, link.b), owners = swapped(owners);
      links.push_back({link, owners});
    }
    merge_rejected_links(links);
    std::ranges::stable_sort(links, {}, [](const OwnedLink& one) { return std::pair(one.link.a, one.link.b); });
    StoredNetwork& network = to_.network;
    for (const OwnedLink& one : links) {
      if (!network.links.empty() && network.links.back().a == one.link.a && network.links.back().b == one.link.b) {
        network.links.back().weight = one.link.weight;
        network.link_owners.back() |= one.owners;
      } else {
        network.links.push_back(one.link);
        network.link_owners.push_back(one.owners);
      }
    }
  }

  /// Accepted links come to the others; rejected ones are remembered at both of their documents.
  void merge_rejected_links(std::vector<OwnedLink>& links) {
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
        const bool there = std::ranges::any_of(
            links, [&](const OwnedLink& one) { return one.link.a == pair.first && one.link.b == pair.second; });
        if (!there) links.push_back({{pair.first, pair.second, 1}, 0});
      } else {
        rejected.insert(pair);
      }
      return true;
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

  struct OwnedMember {
    Membership member;  ///< with the place of its group's name
    bool own;
  };

  void merge_groups() {
    Names names(documents_.group_names);
    std::vector<std::uint32_t> fresh_names;
    for (const std::string_view name : changes_.groups.strings()) fresh_names.push_back(names.add(name));
    std::vector<OwnedMember> members;
    // Groups of before whose names are not known cannot be told from new ones, and stay what they are.
    const StoredNetwork stored = whole_ ? StoredNetwork{} : stored_network(model_);
    if (documents_.group_names.size() == 0 && !stored.memberships.empty()) {
      throw Error("this model does not keep the names of its groups; train it again to update it");
    }
    for (std::size_t n = 0; n < stored.memberships.size(); ++n) {
      const Membership& member = stored.memberships[n];
      const std::uint32_t row = place_of_old_[member.document];
      if (row == kGone || (stored.own_memberships[n] && has_new_record(row))) continue;
      members.push_back({{row, member.group}, stored.own_memberships[n] != 0});
    }
    for (std::size_t n = 0; n < changes_.memberships.size(); ++n) {
      const Membership& member = changes_.memberships[n];
      const std::uint32_t row = place_of(member.document);
      if (row == kGone) {
        ++to_.report.dropped.unknown_members;
        continue;
      }
      members.push_back({{row, fresh_names[member.group]}, changes_.own_memberships[n] != 0});
    }
    for (const OwnedMember& one : members) names.use(one.member.group);
    names.number();
    for (OwnedMember& one : members) one.member.group = names[one.member.group];
    std::ranges::stable_sort(members, {},
                             [](const OwnedMember& one) { return std::pair(one.member.document, one.member.group); });
    StoredNetwork& network = to_.network;
    for (const OwnedMember& one : members) {
      const bool repeated = !network.memberships.empty() &&
                            network.memberships.back().document == one.member.document &&
                            network.memberships.back().group == one.member.group;
      if (repeated) {
        network.own_memberships.back() |= one.own;
      } else {
        network.memberships.push_back(one.member);
        network.own_memberships.push_back(one.own);
      }
    }
    to_.group_names = names.names();
  }

  /// What records name: (row, row) or (row, group), sorted; those that are gone left out.
  using Named = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

  static std::vector<char> rows_that_differ(Named before, Named now, std::size_t rows) {
    std::ranges::sort(before);
    std::ranges::sort(now);
    Named different;
    std::ranges::set_symmetric_difference(before, now, std::back_inserter(different));
    std::vector<char> differ(rows);
    for (const auto& [row, what] : different) differ[row] = 1;
    return differ;
  }

  /// Rows whose records name other links than before.
  std::vector<char> other_links() const {
    Named before, now;
    const ListsView& own = documents_.own_links;
    for (std::size_t old = 0; old < own.size(); ++old) {
      if (place_of_old_[old] == kGone || !has_new_record(place_of_old_[old])) continue;
      for (const std::int32_t to : own[old]) {
        const std::uint32_t row = place_of_old_[static_cast<std::size_t>(to)];
        if (row != kGone) before.emplace_back(place_of_old_[old], row);
      }
    }
    for (std::size_t n = 0; n < to_.network.links.size(); ++n) {
      const Link& link = to_.network.links[n];
      const std::uint8_t owners = to_.network.link_owners[n];
      if (owners & Collection::kByFirst && has_new_record(link.a)) now.emplace_back(link.a, link.b);
      if (owners & Collection::kBySecond && has_new_record(link.b)) now.emplace_back(link.b, link.a);
    }
    return rows_that_differ(std::move(before), std::move(now), to_.rows.size());
  }

  /// A document counts as changed if anything that its record says is another.
  void count_changes() {
    const std::vector<char> links_differ = other_links();
    for (std::uint32_t row = 0; row < to_.rows.size(); ++row) {
      const Origin& origin = to_.rows[row];
      if (origin.old == Origin::kNone || origin.fresh == Origin::kNone) continue;
      const bool same = origin.same_text && changes_.titles[origin.fresh] == documents_.titles[origin.old] &&
                        date_of(origin) == (documents_.dates.empty() ? 0 : documents_.dates[origin.old]) &&
                        same_labels(origin) && !links_differ[row];
      ++(same ? to_.report.unchanged : to_.report.changed);
    }
  }

  std::int64_t date_of(const Origin& origin) const { return changes_.dates.empty() ? 0 : changes_.dates[origin.fresh]; }

  bool same_labels(const Origin& origin) const {
    const auto before = documents_.labels[origin.old];
    const auto now = changes_.document_labels.row(origin.fresh);
    return std::ranges::equal(
        before, now, {}, [&](std::int32_t n) { return model_.labels().names[static_cast<std::size_t>(n)]; },
        [&](std::int32_t n) { return changes_.labels[static_cast<std::size_t>(n)]; });
  }

  const Documents& documents_;
  const Model& model_;
  const Collection& changes_;
  const CountMatrix& fresh_words_;
  const std::vector<Feedback>& feedback_;
  const bool whole_;
  Merge& to_;
  StringTable old_ids_;
  std::vector<std::uint32_t> place_of_old_, place_of_fresh_;
};

}  // namespace

Merge::Merge(const Model& model, const Collection& changes, const CountMatrix& fresh_words,
             const UpdateOptions& options) {
  MergeMaker(model, changes, fresh_words, options, *this);
}

}  // namespace idne
