#include <algorithm>

#include "idne/search.h"
#include "math/kernels.h"
#include "math/parallel.h"
#include "search/cosine.h"

namespace idne {

std::vector<Hit> nearest(MatrixView rows, std::span<const float> query, std::size_t count, int threads) {
  const float query_square = dot(query.data(), query.data(), query.size());
  std::vector<Hit> hits(rows.rows);
  constexpr std::size_t kRows = 4096;
  parallel_parts(threads, rows.rows, kRows, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const float* row = rows.row(i).data();
      const float squares = query_square * dot(row, row, rows.columns);
      hits[i] = {i, cosine(dot(row, query.data(), rows.columns), squares)};
    }
  });
  const std::size_t kept = std::min(count, hits.size());
  std::partial_sort(hits.begin(), hits.begin() + static_cast<std::ptrdiff_t>(kept), hits.end(), better);
  hits.resize(kept);
  return hits;
}

}  // namespace idne
