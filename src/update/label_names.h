#pragma once

#include <string_view>
#include <unordered_map>

#include "idne/model.h"

namespace idne {

/// Names that people gave to labels: records go on to call them as the corpus does. The model must live as long.
class LabelNames {
 public:
  explicit LabelNames(const Model& model) {
    const Labels& labels = model.labels();
    for (std::size_t n = 0; n < labels.own_names.size(); ++n) {
      if (!labels.own_names[n].empty()) given_.emplace(labels.own_names[n], labels.names[n]);
    }
  }

  /// The name that the model has for what a record calls so.
  std::string_view given(std::string_view name) const {
    const auto found = given_.find(name);
    return found == given_.end() ? name : found->second;
  }

 private:
  std::unordered_map<std::string_view, std::string_view> given_;
};

}  // namespace idne
