#pragma once

#include <string>
#include <vector>

#include "idne/model.h"

namespace idne {

/// Three documents, two words, two topics, two dimensions and two labels: a whole model in about 2 KB.
inline Model tiny_model() {
  using Strings = std::vector<std::string>;
  Model model;
  model.metadata = {{"method", "idne"}, {"options", R"({"dim":2})"}, {"links", "3"}, {"attention", "relu"}};
  model.add("words.vectors", std::vector<float>{1, 0.5f, -0.25f, 2}, {2, 2});
  model.add("topics.vectors", std::vector<float>{1, 0, 0, 1}, {2, 2});
  model.add("documents.vectors", std::vector<float>{1, 0.5f, 0, 0, -0.25f, 2}, {3, 2});
  model.add("topics.shares", std::vector<float>{0.75f, 0.25f}, {2});
  model.add("topics.npmi", std::vector<float>{0.5f, -0.5f}, {2});
  model.add_strings("words.strings", Strings{"moon", "tide"});
  model.add("words.counts", std::vector<std::int64_t>{5, 7});
  model.add_strings("documents.ids", Strings{"a", "b", "ç"});
  model.add_strings("documents.titles", Strings{"Alpha", "", "Gamma"});
  model.add_strings("labels.names", Strings{"sky", "sea"});
  model.add("documents.labels.offsets", std::vector<std::int64_t>{0, 1, 1, 3});
  model.add("documents.labels.values", std::vector<std::int32_t>{0, 0, 1});
  return model;
}

}  // namespace idne
