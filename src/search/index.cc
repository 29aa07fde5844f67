#include "idne/index.h"

#include <xxhash.h>

#include <algorithm>
#include <cstring>

#include "math/kernels.h"
#include "math/parallel.h"
#include "search/cosine.h"
#include "search/index_state.h"

namespace idne {
namespace {

/// Candidates of a walk. Wider finds more and takes longer: 256 found 0.981, 400 0.989 of the ten nearest to texts put
/// together from several of 63,620 documents (bench/serve.py), which are the hardest to find.
constexpr std::size_t kBeam = 400;
/// Asked for more than this, every document is looked at: a walk for 500 of 63,620 takes a fifth of that time, and may
/// miss some.
constexpr std::size_t kMostByWalk = 500;
constexpr std::size_t kRecallSample = 200, kRecallCount = 10;
/// Links are numbered with 32 bits.
constexpr std::size_t kMostDocuments = std::size_t{1} << 26;

using RowHash = std::pair<std::uint64_t, std::uint32_t>;

std::vector<RowHash> sorted_hashes(MatrixView rows, int threads) {
  std::vector<RowHash> hashes(rows.rows);
  parallel_parts(threads, rows.rows, 1024, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      hashes[i] = {XXH3_64bits(rows.row(i).data(), rows.row(i).size_bytes()), static_cast<std::uint32_t>(i)};
    }
  });
  std::sort(hashes.begin(), hashes.end());
  return hashes;
}

}  // namespace

DocumentIndex::State::State(const Model& from, int threads)
    : model(from), rows(model.documents().vectors), codes(MatrixView{}) {
  if (rows.rows < kExactBelow || rows.rows > kMostDocuments) return;
  codes = Codes(rows, threads);
  squares.resize(rows.rows);
  next_twin.resize(rows.rows);
  first_of_twins.assign(rows.rows, true);
  for (std::size_t i = 0; i < rows.rows; ++i) squares[i] = dot(rows.row(i).data(), rows.row(i).data(), rows.columns);
  const std::vector<RowHash> hashes = sorted_hashes(rows, threads);
  for (std::size_t n = 1; n < hashes.size(); ++n) {
    const auto [hash, row] = hashes[n];
    const auto [previous_hash, previous] = hashes[n - 1];
    if (hash != previous_hash) continue;
    if (std::memcmp(rows.row(row).data(), rows.row(previous).data(), rows.row(row).size_bytes()) != 0) continue;
    next_twin[previous] = row;
    first_of_twins[row] = false;
  }
}

float DocumentIndex::State::score(std::span<const float> query, float query_square, std::size_t row) const {
  return cosine(dot(rows.row(row).data(), query.data(), rows.columns), query_square * squares[row]);
}

DocumentIndex DocumentIndex::build(const Model& model, const Run& run) {
  const auto state = std::make_shared<State>(model, run.threads);
  DocumentIndex index(state);
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < state->codes.rows(); ++i) {
    if (state->can_be_found(i)) found.push_back(i);
  }
  state->graph = build_graph(state->codes, std::move(found), run);
  if (!index.exact()) state->recall = index.measure_recall(kRecallSample, kRecallCount, run);
  return index;
}

bool DocumentIndex::exact() const { return state_->graph.layers.empty(); }
double DocumentIndex::recall() const { return state_->recall; }

std::vector<Hit> DocumentIndex::search(std::span<const float> query, std::size_t count) const {
  const State& state = *state_;
  if (exact() || count > kMostByWalk) return nearest(state.rows, query, count, 1);
  std::vector<std::int8_t> bytes;
  const Code code = state.codes.encode(query, bytes);
  if (code.inverse_length == 0) return nearest(state.rows, query, count, 1);

  std::vector<Hit> candidates = walk(state.graph, state.codes, code, std::max(kBeam, 2 * count));
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

std::vector<Hit> DocumentIndex::neighbours(std::size_t row, std::size_t count) const {
  std::vector<Hit> hits = search(state_->rows.row(row), count + 1);
  std::erase_if(hits, [&](const Hit& hit) { return hit.row == row; });
  hits.resize(std::min(hits.size(), count));
  return hits;
}

double DocumentIndex::measure_recall(std::size_t sample, std::size_t count, const Run& run) const {
  const std::size_t documents = state_->rows.rows, asked = std::min(sample, documents);
  std::vector<std::size_t> found(asked), expected(asked);
  parallel_for(run.threads, asked, [&](std::size_t n, std::size_t) {
    run.check();
    const std::size_t row = n * documents / asked;
    std::vector<Hit> truth = nearest(state_->rows, state_->rows.row(row), count + 1, 1);
    std::erase_if(truth, [&](const Hit& hit) { return hit.row == row; });
    truth.resize(std::min(truth.size(), count));
    const std::vector<Hit> hits = neighbours(row, count);
    expected[n] = truth.size();
    for (const Hit& hit : hits) {
      found[n] += static_cast<std::size_t>(
          std::count_if(truth.begin(), truth.end(), [&](const Hit& true_hit) { return true_hit.row == hit.row; }));
    }
  });
  double all_found = 0, all_expected = 0;
  for (std::size_t n = 0; n < asked; ++n) {
    all_found += static_cast<double>(found[n]);
    all_expected += static_cast<double>(expected[n]);
  }
  return all_expected > 0 ? all_found / all_expected : 1;
}

}  // namespace idne
