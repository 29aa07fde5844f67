#include "search/graph_builder.h"

#include <gtest/gtest.h>

#include "search/update_test_documents.h"

namespace idne {
namespace {

TEST(Graph, RowsThatNobodyIsLinkedWithAreAdopted) {
  const auto values = clustered_vectors(400, kWidth, 4, 0.5f);
  const Codes codes(MatrixView{values.data(), 400, kWidth});
  const std::vector<std::uint8_t> levels(400);
  const GraphRows rows{codes, levels};
  Graph graph = build_graph(rows, range(0, 400), {});
  expect_none_lost(graph, 400);
  // Rows 7 and 8 are linked with each other alone, and nobody is linked with 9.
  GraphLayer changed;
  for (std::uint32_t row = 0; row < 400; ++row) {
    for (const std::uint32_t to : graph.layers[0].of(row)) {
      const bool pair = row == 7 || row == 8;
      if (pair ? to == 15 - row : to < 7 || to > 9) changed.links.push_back(to);
    }
    if (row == 7 && changed.links.size() == changed.offsets.back()) changed.links.push_back(8);
    changed.offsets.push_back(static_cast<std::uint32_t>(changed.links.size()));
  }
  graph.layers[0] = changed;
  if (graph.entry >= 7 && graph.entry <= 9) graph.entry = 0;
  GraphBuilder builder(rows, graph, range(0, 400));
  EXPECT_EQ(builder.adopt_lost_rows(), 2u);
  expect_none_lost(builder.graph(), 400);
  EXPECT_EQ(builder.adopt_lost_rows(), 0u);
}

}  // namespace
}  // namespace idne
