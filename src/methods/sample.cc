#include "methods/sample.h"

#include <algorithm>

#include "math/random.h"

namespace idne {

std::vector<std::uint32_t> even_sample(std::size_t count, std::size_t most) {
  std::vector<std::uint32_t> sample(std::min(count, most));
  Random random(0, Purpose::Sample, 0);
  for (std::size_t n = 0; n < sample.size(); ++n) {
    const std::size_t begin = n * count / sample.size(), end = (n + 1) * count / sample.size();
    sample[n] = static_cast<std::uint32_t>(begin + random.below(static_cast<std::uint32_t>(end - begin)));
  }
  return sample;
}

CountMatrix rows_of(const CountMatrix& counts, const std::vector<std::uint32_t>& documents) {
  CountMatrix rows;
  std::size_t entries = 0;
  for (const std::uint32_t i : documents) entries += counts.row(i).size();
  rows.reserve(documents.size(), entries);
  for (const std::uint32_t i : documents) rows.add_row(counts.row(i));
  return rows;
}

DistinctRows::DistinctRows(const Bags& bags, std::vector<std::uint32_t> documents) : documents_(std::move(documents)) {
  std::ranges::sort(documents_);
  documents_.erase(std::unique(documents_.begin(), documents_.end()), documents_.end());
  rows_ = bags.rows_for_me(documents_);
}

}  // namespace idne
