#include "evaluate/with_lsa.h"

#include <algorithm>

#include "evaluate/asked.h"
#include "math/unit.h"
#include "methods/lsa.h"

namespace idne {

std::vector<float> joined_with_lsa(MatrixView vectors, const Corpus& corpus, std::size_t repeat, const Run& run) {
  const Model lsa = lsa_method().fit(corpus, seeded(Options(lsa_method().options()), repeat), run);
  const MatrixView text = lsa.documents().vectors;
  const std::vector<float> left = unit_rows(vectors, run.threads), right = unit_rows(text, run.threads);
  const std::size_t width = vectors.columns + text.columns;
  std::vector<float> both(vectors.rows * width);
  for (std::size_t i = 0; i < vectors.rows; ++i) {
    std::copy_n(left.data() + i * vectors.columns, vectors.columns, both.data() + i * width);
    std::copy_n(right.data() + i * text.columns, text.columns, both.data() + i * width + vectors.columns);
  }
  return both;
}

}  // namespace idne
