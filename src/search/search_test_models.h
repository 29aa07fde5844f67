#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "math/random.h"
#include "model/tensors.h"

namespace idne {

/// A model that has documents and nothing else.
inline Model model_of(std::vector<float> vectors, std::size_t columns) {
  Model model;
  const std::size_t rows = vectors.size() / columns;
  ModelMaker(model).set(layout::kDocumentVectors, std::move(vectors), rows, columns);
  return model;
}

/// Documents around `clusters` centres, those of one centre in a row; row i is of cluster i · clusters / rows.
inline std::vector<float> clustered_vectors(std::size_t rows, std::size_t columns, std::size_t clusters, float spread) {
  std::vector<float> vectors(rows * columns);
  for (std::size_t i = 0; i < rows; ++i) {
    Random centre(1, Purpose::Generate, i * clusters / rows), own(2, Purpose::Generate, i);
    for (std::size_t k = 0; k < columns; ++k) {
      vectors[i * columns + k] = centre.truncated_normal() + spread * own.truncated_normal();
    }
  }
  return vectors;
}

}  // namespace idne
