#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "idne/corpus.h"
#include "idne/model.h"
#include "idne/update.h"
#include "model/network_store.h"

namespace idne {

/// Where a document of an updated model comes from.
struct Origin {
  static constexpr std::uint32_t kNone = ~0u;
  std::uint32_t old = kNone;    ///< its row in the former model
  std::uint32_t fresh = kNone;  ///< its number among the changes
  bool same_text = false;       ///< there and here, so that its words stay

  /// Whether it was there, and with the text that it has.
  bool keeps_text() const { return old != kNone && (fresh == kNone || same_text); }
};

/// A model's documents and what is to change about them, put together. Texts are views into both, which must live as
/// long.
struct Merge {
  /// `fresh_words`: what the model knows of the words of each of the changes.
  Merge(const Model& model, const Collection& changes, const CountMatrix& fresh_words, const UpdateOptions& options);

  std::vector<Origin> rows;  ///< the former ones in their order, then those that came
  std::vector<std::string> label_names;
  std::vector<std::string> own_label_names;  ///< as Labels::own_names; empty if all are
  Lists labels;
  std::vector<std::string> group_names;
  StoredNetwork network;
  /// What people said no to, and the labels that they said yes to, by document; no rows if there are none.
  Lists rejected_links, rejected_labels, accepted_labels;
  UpdateReport report;  ///< its counts, labels and what was dropped
};

}  // namespace idne
