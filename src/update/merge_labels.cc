#include <algorithm>

#include "update/merge_maker.h"

namespace idne {
namespace {

/// To the one list or to the other, from where it was.
void move_to(std::uint32_t what, bool first, std::vector<std::uint32_t>& one, std::vector<std::uint32_t>& other) {
  std::vector<std::uint32_t>&to = first ? one : other, &from = first ? other : one;
  if (!std::ranges::count(to, what)) to.push_back(what);
  if (first) std::erase(from, what);  // what a record says stays, whatever people say of suggestions
}

}  // namespace

void MergeMaker::merge_labels() {
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

}  // namespace idne
