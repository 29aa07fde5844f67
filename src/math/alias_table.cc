#include "math/alias_table.h"

#include <cmath>
#include <numeric>

namespace idne {

AliasTable::AliasTable(std::span<const double> weights) : columns_(weights.size()) {
  const double mean = std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(weights.size());
  std::vector<double> left(weights.begin(), weights.end());
  std::vector<std::uint32_t> poor, rich;
  std::uint32_t heaviest = 0;
  for (std::uint32_t i = 0; i < left.size(); ++i) {
    left[i] /= mean;
    (left[i] < 1 ? poor : rich).push_back(i);
    if (weights[i] > weights[heaviest]) heaviest = i;
  }
  constexpr double kAll = 0x1p32;
  while (!poor.empty() && !rich.empty()) {
    const std::uint32_t from = poor.back(), to = rich.back();
    poor.pop_back();
    columns_[from] = {static_cast<std::uint64_t>(std::llround(left[from] * kAll)), to};
    left[to] -= 1 - left[from];
    if (left[to] < 1) {
      rich.pop_back();
      poor.push_back(to);
    }
  }
  // What rounding has left over is full; but a weight of 0 stays one.
  for (const auto* rest : {&poor, &rich}) {
    for (const std::uint32_t i : *rest) {
      columns_[i] = {weights[i] > 0 ? static_cast<std::uint64_t>(kAll) : 0, heaviest};
    }
  }
}

}  // namespace idne
