#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "idne/error.h"
#include "update/label_names.h"
#include "update/merge.h"

/// How Merge is made, part by part.
namespace idne {

/// Names of labels or groups: the former ones in their order, then those that came; numbered when it is known which are
/// in use.
class Names {
 public:
  explicit Names(const StringsView& former) : former_(former.size()) {
    for (std::size_t n = 0; n < former.size(); ++n) {
      if (all_.add(former[n]) != n) throw Error(fmt::format("the model has the name '{}' twice", former[n]));
    }
    used_.resize(former_);
  }
  /// What a name is called until all are numbered.
  std::uint32_t add(std::string_view name) {
    const std::uint32_t place = all_.add(name);
    used_.resize(all_.size());
    return place;
  }
  bool has(std::string_view name) const { return all_.find(name).has_value(); }
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

class MergeMaker {
 public:
  MergeMaker(const Model& model, const Collection& changes, const CountMatrix& fresh_words,
             const UpdateOptions& options, Merge& to);

 private:
  static constexpr std::uint32_t kGone = Origin::kNone;
  struct OwnedLink;
  struct OwnedMember;

  // merge.cc
  void place_documents(const std::vector<std::string>& removed);
  bool same_text(std::uint32_t old, std::uint32_t fresh) const;
  std::vector<char> other_links() const;
  std::vector<char> other_groups() const;
  void count_changes();
  std::int64_t date_of(const Origin& origin) const;
  bool same_labels(const Origin& origin) const;
  // merge_labels.cc
  void merge_labels();
  // merge_network.cc
  void merge_links();
  void merge_feedback(std::vector<OwnedLink>& links);
  void merge_groups();
  void check_known(std::uint32_t number, std::string_view what) const;

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
    return row_of(changes_.id_of(number));
  }

  bool has_new_record(std::uint32_t row) const { return to_.rows[row].fresh != Origin::kNone; }

  const Documents& documents_;
  const Model& model_;
  const Collection& changes_;
  const CountMatrix& fresh_words_;
  const std::vector<Feedback>& feedback_;
  const bool whole_, strict_;
  Merge& to_;
  const LabelNames label_names_;
  const StoredNetwork stored_;  ///< if the changes are the whole corpus, what people added to it
  StringTable old_ids_;
  std::vector<std::uint32_t> place_of_old_, place_of_fresh_;
};

}  // namespace idne
