#include "math/alias_table.h"

#include <gtest/gtest.h>

#include "network_twin.h"

namespace idne {
namespace {

TEST(AliasTable, DrawsInProportionToTheWeights) {
  for (const std::vector<double>& weights : std::vector<std::vector<double>>{
           {1}, {1, 1}, {0, 3}, {5, 0, 0, 1}, {1e-3, 1, 1e3}, {1, 2, 3, 4, 5, 6, 7, 0, 100}}) {
    const AliasTable table(weights);
    std::vector<int> seen(weights.size());
    Random random(1, Purpose::Noise, weights.size());
    for (int n = 0; n < 40000; ++n) ++seen[table.draw(random)];
    EXPECT_LT(surprise(seen, weights), 4) << weights.size();
  }
}

}  // namespace
}  // namespace idne
