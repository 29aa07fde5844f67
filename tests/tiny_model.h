#pragma once

#include <string>
#include <vector>

#include "model/tensors.h"

namespace idne {

/// Three documents, two words, two topics, two dimensions and two labels: a whole model in about 2 KB.
inline Model tiny_model() {
  using Strings = std::vector<std::string>;
  Model model;
  ModelMaker maker(model);
  maker.info().method = "idne";
  maker.info().options = {{"dim", std::int64_t{2}}};
  maker.info().links = 3;
  maker.info().attention = "relu";
  maker.set(layout::kWordVectors, std::vector<float>{1, 0.5f, -0.25f, 2}, 2, 2);
  maker.set(layout::kTopicVectors, std::vector<float>{1, 0, 0, 1}, 2, 2);
  maker.set(layout::kDocumentVectors, std::vector<float>{1, 0.5f, 0, 0, -0.25f, 2}, 3, 2);
  maker.set(layout::kTopicShares, std::vector<float>{0.75f, 0.25f});
  maker.set(layout::kTopicNpmi, std::vector<float>{0.5f, -0.5f});
  maker.set_strings(layout::kWordStrings, Strings{"moon", "tide"});
  maker.set(layout::kWordCounts, std::vector<std::int64_t>{5, 7});
  maker.set_strings(layout::kDocumentIds, Strings{"a", "b", "ç"});
  maker.set_strings(layout::kDocumentTitles, Strings{"Alpha", "", "Gamma"});
  maker.set_strings(layout::kLabelNames, Strings{"sky", "sea"});
  maker.set(layout::kDocumentLabels, Lists{{0, 1, 1, 3}, {0, 0, 1}});
  return model;
}

}  // namespace idne
