#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "idne/search_index.h"
#include "search/index_state.h"
#include "search/search_test_models.h"

namespace idne {

inline constexpr std::size_t kWidth = 16, kKindsOfAll = 40;

/// Documents by number; each has one vector for ever.
class NumberedDocuments {
 public:
  explicit NumberedDocuments(std::size_t count) : vectors_(clustered_vectors(count, kWidth, kKindsOfAll, 0.7f)) {}
  std::span<float> vector(std::uint32_t document) { return std::span(vectors_).subspan(document * kWidth, kWidth); }
  void make_twins(std::uint32_t from, std::uint32_t to) { std::ranges::copy(vector(from), vector(to).begin()); }
  Model model(const std::vector<std::uint32_t>& documents) {
    std::vector<float> vectors;
    for (const std::uint32_t d : documents) vectors.insert(vectors.end(), vector(d).begin(), vector(d).end());
    return model_of(std::move(vectors), kWidth);
  }

 private:
  std::vector<float> vectors_;
};

inline std::vector<std::uint32_t> range(std::uint32_t begin, std::uint32_t end) {
  std::vector<std::uint32_t> numbers(end - begin);
  std::iota(numbers.begin(), numbers.end(), begin);
  return numbers;
}

inline std::vector<std::uint32_t> former_rows(const std::vector<std::uint32_t>& before,
                                              const std::vector<std::uint32_t>& now) {
  std::map<std::uint32_t, std::uint32_t> rows;
  for (std::uint32_t row = 0; row < before.size(); ++row) rows[before[row]] = row;
  std::vector<std::uint32_t> former;
  for (const std::uint32_t document : now) former.push_back(rows.contains(document) ? rows[document] : kNotThere);
  return former;
}

/// Without a drawn map: places that tell documents apart.
inline SearchIndex built(const Model& model) {
  SearchIndex index{DocumentIndex::build(model, {}), {}, "", "", false};
  for (std::size_t n = 0; n < 2 * model.documents().size(); ++n) {
    index.map.push_back(std::sin(static_cast<float>(n)) / 2);
  }
  return index;
}

/// The share of the ten nearest that a walk with a narrow beam finds: what is wrong with a graph is not made up for by
/// looking at a tenth of all documents.
inline double narrow_recall(const DocumentIndex& index) {
  const IndexState& state = index.state();
  std::size_t asked = 0, found = 0;
  for (std::size_t row = 0; row < state.rows.rows; row += 5) {
    const auto truth = nearest(state.rows, state.rows.row(row), 10, 1);
    for (const Hit& hit : walk(state.graph, state.codes, state.codes[row], 12)) {
      found += static_cast<std::size_t>(std::ranges::count(truth, hit.row, &Hit::row));
    }
    asked += truth.size();
  }
  return static_cast<double>(found) / static_cast<double>(asked);
}

/// Every row can be come to from the entry.
inline void expect_none_lost(const Graph& graph, std::size_t rows) {
  std::vector<char> seen(rows);
  std::vector<std::uint32_t> waiting{graph.entry};
  seen[graph.entry] = 1;
  std::size_t count = 1;
  while (!waiting.empty()) {
    const std::uint32_t from = waiting.back();
    waiting.pop_back();
    for (const std::uint32_t row : graph.layers[0].of(from)) {
      if (seen[row]) continue;
      seen[row] = 1;
      ++count;
      waiting.push_back(row);
    }
  }
  EXPECT_EQ(count, rows);
}

}  // namespace idne
