#include "search/index_state.h"

#include <xxhash.h>

#include <algorithm>
#include <cstring>

#include "math/kernels.h"
#include "math/parallel.h"
#include "search/cosine.h"

namespace idne {
namespace {

/// Links are numbered with 32 bits.
constexpr std::size_t kMostDocuments = std::size_t{1} << 26;

}  // namespace

IndexState::IndexState(const Model& from) : model(from), rows(model.documents().vectors), codes(MatrixView{}) {}

IndexState::IndexState(const Model& from, int threads) : IndexState(from) {
  if (rows.rows < kExactBelow || rows.rows > kMostDocuments) return;
  codes = Codes(rows, threads);
  squares.resize(rows.rows);
  hashes.resize(rows.rows);
  levels.resize(rows.rows);
  next_twin.resize(rows.rows);
  first_of_twins.assign(rows.rows, true);
  parallel_parts(threads, rows.rows, 1024, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto row = rows.row(i);
      squares[i] = dot(row.data(), row.data(), rows.columns);
      hashes[i] = XXH3_64bits(row.data(), row.size_bytes());
      levels[i] = level_of(hashes[i]);
    }
  });
  std::vector<std::pair<std::uint64_t, std::uint32_t>> order(rows.rows);
  for (std::uint32_t i = 0; i < rows.rows; ++i) order[i] = {hashes[i], i};
  std::ranges::sort(order);
  for (std::size_t n = 1; n < order.size(); ++n) {
    const auto [hash, row] = order[n];
    const auto [previous_hash, previous] = order[n - 1];
    if (hash != previous_hash) continue;
    if (std::memcmp(rows.row(row).data(), rows.row(previous).data(), rows.row(row).size_bytes()) != 0) continue;
    next_twin[previous] = row;
    first_of_twins[row] = false;
  }
}

float IndexState::score(std::span<const float> query, float query_square, std::size_t row) const {
  return cosine(dot(rows.row(row).data(), query.data(), rows.columns), query_square * squares[row]);
}

std::vector<std::uint32_t> IndexState::findable_rows() const {
  std::vector<std::uint32_t> found;
  for (std::uint32_t row = 0; row < codes.rows(); ++row) {
    if (can_be_found(row)) found.push_back(row);
  }
  return found;
}

}  // namespace idne
