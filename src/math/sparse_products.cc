#include "math/sparse_products.h"

#include <algorithm>
#include <span>

#include "math/parallel.h"

namespace idne {
namespace {

/// Vectors, each of `size` numbers, next to each other and back.
void interleave(std::span<const float* const> vectors, std::size_t size, float* out) {
  for (std::size_t k = 0; k < size; ++k) {
    for (std::size_t lane = 0; lane < vectors.size(); ++lane) out[k * kSparseLanes + lane] = vectors[lane][k];
  }
}
void add_from_lanes(const float* in, std::size_t size, std::span<float* const> vectors) {
  for (std::size_t k = 0; k < size; ++k) {
    for (std::size_t lane = 0; lane < vectors.size(); ++lane) vectors[lane][k] += in[k * kSparseLanes + lane];
  }
}

/// Calls work(begin, end) for parts of the rows, and asks between them whether to stop.
template <class Work>
void for_parts_of_rows(std::size_t rows, const Run& run, const Work& work) {
  constexpr std::size_t kAtOnce = 8192;
  for (std::size_t begin = 0; begin < rows; begin += kAtOnce) {
    run.check();
    work(begin, std::min(rows, begin + kAtOnce));
  }
}

}  // namespace

void add_sparse_product(const SparseFeatures& sparse, const std::vector<const float*>& from,
                        const std::vector<float*>& to, bool transposed, SparseProductRoom& room, const Run& run) {
  const std::size_t in_size = transposed ? sparse.rows() : sparse.columns();
  const std::size_t out_size = transposed ? sparse.columns() : sparse.rows();
  room.parts.resize(std::max(room.parts.size(), (from.size() + kSparseLanes - 1) / kSparseLanes));
  parallel_parts(run.threads, from.size(), kSparseLanes, [&](std::size_t first, std::size_t last) {
    auto& [in, out] = room.parts[first / kSparseLanes];
    in.resize(in_size * kSparseLanes);  // lanes that are not used hold anything
    out.resize(out_size * kSparseLanes);
    if (transposed) std::fill(out.begin(), out.end(), 0.0f);
    interleave(std::span(from).subspan(first, last - first), in_size, in.data());
    for_parts_of_rows(sparse.rows(), run, [&](std::size_t begin, std::size_t end) {
      if (transposed) {
        sparse.multiply_transposed(in.data(), begin, end, out.data());
      } else {
        sparse.multiply(in.data(), begin, end, out.data());
      }
    });
    add_from_lanes(out.data(), out_size, std::span(to).subspan(first, last - first));
  });
}

}  // namespace idne
