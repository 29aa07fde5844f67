#include <algorithm>

#include "update/merge_maker.h"

namespace idne {
namespace {

/// As Labels::own_names, for the labels that stay; `former` are those of before.
std::vector<std::string> own_names(const Names& names, const StringsView& former) {
  std::vector<std::string> own;
  for (std::uint32_t label = 0; label < former.size(); ++label) {
    if (former[label].empty() || names[label] == Origin::kNone) continue;
    own.resize(names.names().size());
    own[names[label]] = former[label];
  }
  return own;
}

void add_once(std::uint32_t what, std::vector<std::uint32_t>& to) {
  if (!std::ranges::count(to, what)) to.push_back(what);
}

}  // namespace

void MergeMaker::merge_labels() {
  Names names(model_.labels().names);
  std::vector<std::uint32_t> fresh_names;
  for (const std::string_view name : changes_.labels.strings())
    fresh_names.push_back(names.add(label_names_.given(name)));
  std::vector<std::vector<std::uint32_t>> labels(to_.rows.size()), rejected(to_.rows.size()), accepted(to_.rows.size());
  const ModelTensors tensors(model_);
  const ListsView accepted_before =
      tensors.has(layout::kAcceptedLabels) ? tensors.lists(layout::kAcceptedLabels) : ListsView{};
  const auto take = [&](const ListsView& lists, const Origin& origin, std::vector<std::uint32_t>& to) {
    if (origin.old == Origin::kNone || lists.size() == 0) return;
    for (const std::int32_t label : lists[origin.old]) to.push_back(static_cast<std::uint32_t>(label));
  };
  for (std::size_t row = 0; row < to_.rows.size(); ++row) {
    const Origin& origin = to_.rows[row];
    if (origin.fresh != Origin::kNone) {
      for (const std::int32_t label : changes_.document_labels.row(origin.fresh)) {
        add_once(fresh_names[static_cast<std::size_t>(label)], labels[row]);  // by both its names: once
      }
    } else {
      for (const std::int32_t label : documents_.labels[origin.old]) {
        labels[row].push_back(static_cast<std::uint32_t>(label));
      }
    }
    take(documents_.rejected_labels, origin, rejected[row]);
    if (origin.fresh == Origin::kNone) take(accepted_before, origin, accepted[row]);
  }
  for_each_feedback(Feedback::Kind::Label, [&](std::uint32_t row, const Feedback& said) {
    // It was said of the name that was shown then, which may have been the corpus's.
    const std::uint32_t name = names.add(names.has(said.target) ? said.target : label_names_.given(said.target));
    if (said.accepted) {
      if (!std::ranges::count(labels[row], name)) add_once(name, accepted[row]);
      add_once(name, labels[row]);
      std::erase(rejected[row], name);
    } else {
      add_once(name, rejected[row]);
      if (std::erase(accepted[row], name)) std::erase(labels[row], name);  // a record's own label stays
    }
    return true;
  });
  for (const auto* lists : {&labels, &rejected}) {  // a no is remembered, also of a label that nothing has any more
    for (const auto& list : *lists) {
      for (const std::uint32_t name : list) names.use(name);
    }
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
  for (const auto& list : accepted) store(list, true, to_.accepted_labels);
  for (Lists* lists : {&to_.rejected_labels, &to_.accepted_labels}) {
    if (lists->values.empty()) *lists = {};
  }
  to_.label_names = names.names();
  to_.own_label_names = own_names(names, model_.labels().own_names);
  to_.report.new_labels = names.came();
  to_.report.gone_labels = names.went();
}

}  // namespace idne
