#include "idne/index.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "math/kernels.h"
#include "math/parallel.h"
#include "math/ranks.h"
#include "search/cosine.h"
#include "search/index_state.h"

namespace idne {
namespace {

/// Candidates of a walk. Wider finds more and takes longer: 256 found 0.981, 400 0.989 of the ten nearest to texts put
/// together from several of 63,620 documents (bench/serve.py), which are the hardest to find.
constexpr std::size_t kBeam = 400;
/// Documents themselves are easier to find than such texts.
constexpr std::size_t kQuickBeam = 100;
/// Asked for more than this, every document is looked at: a walk for 500 of 63,620 takes a fifth of that time, and may
/// miss some.
constexpr std::size_t kMostByWalk = 500;
constexpr std::size_t kRecallSample = 200, kRecallCount = 10;

}  // namespace

DocumentIndex DocumentIndex::build(const Model& model, const Run& run) {
  const auto state = std::make_shared<IndexState>(model, run.threads);
  state->graph = build_graph(state->graph_rows(), state->findable_rows(), run);
  if (!run.ranks) return finished_index(state, run);
  std::optional<DocumentIndex> index;
  all_or_none(run.ranks, [&] { index = finished_index(state, run); });
  return std::move(*index);
}

DocumentIndex DocumentIndex::of_all(const Model& model) {
  return DocumentIndex(std::make_shared<const IndexState>(model));
}

DocumentIndex finished_index(std::shared_ptr<IndexState> state, const Run& run) {
  const DocumentIndex index(state);
  if (!index.exact()) state->recall = index.measure_recall(kRecallSample, kRecallCount, run);
  return index;
}

bool DocumentIndex::exact() const { return state_->graph.layers.empty(); }
double DocumentIndex::recall() const { return state_->recall; }

namespace {

std::vector<Hit> search_with(std::size_t beam, const IndexState& state, std::span<const float> query,
                             std::size_t count) {
  if (state.graph.layers.empty() || count > kMostByWalk) return nearest(state.rows, query, count, 1);
  std::vector<std::int8_t> bytes;
  const Code code = state.codes.encode(query, bytes);
  if (code.inverse_length == 0) return nearest(state.rows, query, count, 1);

  std::vector<Hit> candidates = walk(state.graph, state.codes, code, std::max(beam, 2 * count));
  // Codes misplace a candidate by a few places, not by more than this.
  candidates.resize(std::min(candidates.size(), 2 * count + 20));
  const float query_square = dot(query.data(), query.data(), query.size());
  std::vector<Hit> hits;
  for (const Hit& candidate : candidates) {
    std::size_t row = candidate.row;
    const float score = state.score(query, query_square, row);
    std::size_t twins = 0;
    do {
      hits.push_back({row, score});
      row = state.next_twin[row];
    } while (row != 0 && ++twins < count);
  }
  std::sort(hits.begin(), hits.end(), better);
  hits.resize(std::min(hits.size(), count));
  return hits;
}

std::vector<Hit> neighbours_with(std::size_t beam, const IndexState& state, std::size_t row, std::size_t count) {
  std::vector<Hit> hits = search_with(beam, state, state.rows.row(row), count + 1);
  std::erase_if(hits, [&](const Hit& hit) { return hit.row == row; });
  hits.resize(std::min(hits.size(), count));
  return hits;
}

}  // namespace

std::vector<Hit> DocumentIndex::search(std::span<const float> query, std::size_t count) const {
  return search_with(kBeam, *state_, query, count);
}

std::vector<Hit> DocumentIndex::neighbours(std::size_t row, std::size_t count) const {
  return neighbours_with(kBeam, *state_, row, count);
}

std::vector<Hit> quick_neighbours(const DocumentIndex& index, std::size_t row, std::size_t count) {
  return neighbours_with(kQuickBeam, index.state(), row, count);
}

namespace {

/// For each of some documents, the documents nearest to it without itself, by looking at all: the answers of nearest(),
/// each part of the vectors fetched once for all.
std::vector<std::vector<Hit>> true_neighbours(MatrixView rows, std::span<const std::size_t> asked, std::size_t count) {
  constexpr std::size_t kPart = 32;
  const auto square = [&](std::size_t row) { return dot(rows.row(row).data(), rows.row(row).data(), rows.columns); };
  std::vector<float> asked_squares;
  for (const std::size_t row : asked) asked_squares.push_back(square(row));
  std::vector<std::vector<Hit>> found(asked.size());
  std::array<float, kPart> squares{};
  for (std::size_t begin = 0; begin < rows.rows; begin += kPart) {
    const std::size_t end = std::min(begin + kPart, rows.rows);
    for (std::size_t row = begin; row < end; ++row) squares[row - begin] = square(row);
    for (std::size_t n = 0; n < asked.size(); ++n) {
      const float* query = rows.row(asked[n]).data();
      for (std::size_t row = begin; row < end; ++row) {
        if (row == asked[n]) continue;
        const float product = dot(rows.row(row).data(), query, rows.columns);
        const Hit hit{row, cosine(product, asked_squares[n] * squares[row - begin])};
        if (found[n].size() == count && !better(hit, found[n].back())) continue;
        found[n].insert(std::ranges::upper_bound(found[n], hit, better), hit);
        if (found[n].size() > count) found[n].pop_back();
      }
    }
  }
  return found;
}

}  // namespace

double DocumentIndex::measure_recall(std::size_t sample, std::size_t count, const Run& run) const {
  constexpr std::size_t kAtOnce = 16;
  if (count == 0) return 1;
  const std::size_t documents = state_->rows.rows;
  std::vector<std::size_t> asked(std::min(sample, documents));
  for (std::size_t n = 0; n < asked.size(); ++n) asked[n] = n * documents / asked.size();
  std::vector<std::size_t> found(asked.size()), expected(asked.size());
  parallel_parts(run.threads, asked.size(), kAtOnce, [&](std::size_t begin, std::size_t end) {
    run.check();
    const auto truth = true_neighbours(state_->rows, std::span(asked).subspan(begin, end - begin), count);
    for (std::size_t n = begin; n < end; ++n) {
      expected[n] = truth[n - begin].size();
      for (const Hit& hit : neighbours(asked[n], count)) {
        found[n] += static_cast<std::size_t>(std::ranges::count(truth[n - begin], hit.row, &Hit::row));
      }
    }
  });
  const auto sum = [](const std::vector<std::size_t>& counts) {
    return static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
  };
  return sum(expected) > 0 ? sum(found) / sum(expected) : 1;
}

}  // namespace idne
