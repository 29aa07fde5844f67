#include "update/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "text/strings.h"
#include "update/merge_maker.h"

namespace idne {
namespace {

/// What records name: (row, row) or (row, group), sorted; those that are gone left out.
using Named = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

std::vector<char> rows_that_differ(Named before, Named now, std::size_t rows) {
  std::ranges::sort(before);
  std::ranges::sort(now);
  Named different;
  std::ranges::set_symmetric_difference(before, now, std::back_inserter(different));
  std::vector<char> differ(rows);
  for (const auto& [row, what] : different) differ[row] = 1;
  return differ;
}

/// What no corpus has: links that people accepted.
StoredNetwork accepted_links(const Model& model) {
  const StoredNetwork all = stored_network(model);
  StoredNetwork accepted;
  for (std::size_t n = 0; n < all.links.size(); ++n) {
    if (!(all.link_owners[n] & Collection::kByFeedback)) continue;
    accepted.links.push_back(all.links[n]);
    accepted.link_owners.push_back(Collection::kByFeedback);
  }
  return accepted;
}

}  // namespace

MergeMaker::MergeMaker(const Model& model, const Collection& changes, const CountMatrix& fresh_words,
                       const UpdateOptions& options, Merge& to)
    : documents_(model.documents()),
      model_(model),
      changes_(changes),
      fresh_words_(fresh_words),
      feedback_(options.feedback),
      whole_(options.whole),
      strict_(options.strict),
      to_(to),
      label_names_(model),
      stored_(options.whole ? accepted_links(model) : stored_network(model)) {
  for (std::size_t row = 0; row < documents_.size(); ++row) {
    if (old_ids_.add(documents_.ids[row]) != row) {
      throw Error(fmt::format("the model has the document '{}' twice", documents_.ids[row]));
    }
  }
  to_.report.dropped = changes.dropped;
  place_documents(options.removed);
  merge_labels();
  merge_links();
  merge_groups();
  count_changes();
}

void MergeMaker::place_documents(const std::vector<std::string>& removed) {
  std::vector<char> goes(documents_.size()), fresh_goes(changes_.ids.size());
  StringTable once;
  for (const std::string& given : removed) {
    const auto known = [&](std::string_view id) { return old_ids_.find(id) || changes_.ids.find(id); };
    const std::string_view id = known(given) ? std::string_view(given) : trimmed(given);
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
bool MergeMaker::same_text(std::uint32_t old, std::uint32_t fresh) const {
  if (!documents_.digests.empty()) return documents_.digests[old] == changes_.digests[fresh];
  return documents_.words.size() > 0 && std::ranges::equal(documents_.words[old], fresh_words_.row(fresh));
}

/// Rows whose records name other links than before.
std::vector<char> MergeMaker::other_links() const {
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

/// Rows whose records name other groups than before.
std::vector<char> MergeMaker::other_groups() const {
  Named before, now;
  StringTable names;
  for (const std::string& name : to_.group_names) names.add(name);
  const ListsView& own = documents_.own_groups;
  std::vector<char> differ(to_.rows.size());
  for (std::size_t old = 0; old < own.size(); ++old) {
    const std::uint32_t row = place_of_old_[old];
    if (row == kGone || !has_new_record(row)) continue;
    for (const std::int32_t group : own[old]) {
      const auto number = names.find(documents_.group_names[static_cast<std::size_t>(group)]);
      if (!number) differ[row] = 1;
      if (number) before.emplace_back(row, *number);
    }
  }
  for (std::size_t n = 0; n < to_.network.memberships.size(); ++n) {
    const Membership& member = to_.network.memberships[n];
    if (to_.network.own_memberships[n] & Collection::kByFirst && has_new_record(member.document)) {
      now.emplace_back(member.document, member.group);
    }
  }
  const std::vector<char> more = rows_that_differ(std::move(before), std::move(now), differ.size());
  for (std::size_t row = 0; row < differ.size(); ++row) differ[row] |= more[row];
  return differ;
}

/// A document counts as changed if anything that its record says is another.
void MergeMaker::count_changes() {
  const std::vector<char> links_differ = other_links(), groups_differ = other_groups();
  for (std::uint32_t row = 0; row < to_.rows.size(); ++row) {
    const Origin& origin = to_.rows[row];
    if (origin.old == Origin::kNone || origin.fresh == Origin::kNone) continue;
    const bool same = origin.same_text && changes_.titles[origin.fresh] == documents_.titles[origin.old] &&
                      date_of(origin) == (documents_.dates.empty() ? 0 : documents_.dates[origin.old]) &&
                      same_labels(origin) && !links_differ[row] && !groups_differ[row];
    ++(same ? to_.report.unchanged : to_.report.changed);
  }
}

std::int64_t MergeMaker::date_of(const Origin& origin) const {
  return changes_.dates.empty() ? 0 : changes_.dates[origin.fresh];
}

bool MergeMaker::same_labels(const Origin& origin) const {
  const auto before = documents_.labels[origin.old];
  const auto now = changes_.document_labels.row(origin.fresh);
  return std::ranges::equal(
      before, now, {}, [&](std::int32_t n) { return model_.labels().names[static_cast<std::size_t>(n)]; },
      [&](std::int32_t n) { return label_names_.given(changes_.labels[static_cast<std::size_t>(n)]); });
}

Merge::Merge(const Model& model, const Collection& changes, const CountMatrix& fresh_words,
             const UpdateOptions& options) {
  MergeMaker(model, changes, fresh_words, options, *this);
}

}  // namespace idne
