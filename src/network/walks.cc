#include "network/walks.h"

#include <algorithm>

#include "math/parallel.h"
#include "math/random.h"

namespace idne {
namespace {

constexpr std::size_t kDocumentsAtOnce = 256;

/// For each document the walks that pass through it, each once, in order.
struct Passages {
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint32_t> walks;
};

template <class Visit>
void for_each_passage(const std::vector<std::uint32_t>& walks, std::size_t documents, std::size_t length,
                      const Visit& visit) {
  std::vector<std::uint32_t> last(documents, UINT32_MAX);
  for (std::size_t n = 0; n * length < walks.size(); ++n) {
    const auto walk = static_cast<std::uint32_t>(n);
    for (std::size_t at = n * length; at < (n + 1) * length; ++at) {
      if (last[walks[at]] == walk) continue;
      last[walks[at]] = walk;
      visit(walks[at], walk);
    }
  }
}

Passages find_passages(const std::vector<std::uint32_t>& walks, std::size_t documents, std::size_t length) {
  Passages passages;
  passages.offsets.assign(documents + 1, 0);
  for_each_passage(walks, documents, length,
                   [&](std::uint32_t document, std::uint32_t) { ++passages.offsets[document + 1]; });
  for (std::size_t i = 0; i < documents; ++i) passages.offsets[i + 1] += passages.offsets[i];
  passages.walks.resize(passages.offsets.back());
  std::vector<std::uint64_t> next(passages.offsets.begin(), passages.offsets.end() - 1);
  for_each_passage(walks, documents, length,
                   [&](std::uint32_t document, std::uint32_t walk) { passages.walks[next[document]++] = walk; });
  return passages;
}

/// Adds up one row at a time. One per thread: it holds a number for each document.
class RowCounter {
 public:
  RowCounter(const std::vector<std::uint32_t>& walks, std::size_t documents, const WalkSettings& settings)
      : walks_(walks), settings_(settings), sums_(documents) {}

  /// The row of `document`, which the given walks pass through.
  void count(std::uint32_t document, std::span<const std::uint32_t> passages, std::vector<Term>& out) {
    for (const std::uint32_t walk : passages) {
      const std::span nodes(walks_.data() + walk * settings_.length, settings_.length);
      for (std::size_t at = 0; at < nodes.size(); ++at) {
        if (nodes[at] != document) continue;
        for (std::size_t other = at - std::min(at, settings_.window);
             other < std::min(nodes.size(), at + settings_.window + 1); ++other) {
          if (other != at) add(nodes[other], 1 / static_cast<double>(other > at ? other - at : at - other));
        }
      }
    }
    std::sort(seen_.begin(), seen_.end());
    for (const std::uint32_t j : seen_) {
      if (sums_[j] > settings_.threshold) out.push_back({j, static_cast<float>(sums_[j])});
      sums_[j] = 0;
    }
    seen_.clear();
  }

 private:
  void add(std::uint32_t j, double weight) {
    if (sums_[j] == 0) seen_.push_back(j);
    sums_[j] += weight;
  }

  const std::vector<std::uint32_t>& walks_;
  const WalkSettings& settings_;
  std::vector<double> sums_;
  std::vector<std::uint32_t> seen_;
};

}  // namespace

std::vector<std::uint32_t> draw_walks(const Network& network, const WalkSettings& settings, const Run& run) {
  std::vector<std::uint32_t> starts;
  for (std::uint32_t i = 0; i < network.documents(); ++i) {
    if (network.degree(i) > 0) starts.push_back(i);
  }
  const std::size_t length = settings.length;
  if (starts.size() * settings.walks >= UINT32_MAX) throw Error("too many walks: fewer from each document would do");
  std::vector<std::uint32_t> walks(starts.size() * settings.walks * length);
  parallel_parts(run.threads, starts.size(), kDocumentsAtOnce, [&](std::size_t begin, std::size_t end) {
    run.check();
    for (std::size_t n = begin * settings.walks; n < end * settings.walks; ++n) {
      Random random(settings.seed, Purpose::Walks, n);
      std::uint32_t* walk = walks.data() + n * length;
      walk[0] = starts[n / settings.walks];
      for (std::size_t at = 1; at < length; ++at) walk[at] = network.draw_neighbour(walk[at - 1], random);
    }
  });
  return walks;
}

SparseRows cooccurrences(const std::vector<std::uint32_t>& walks, std::size_t documents, const WalkSettings& settings,
                         const Run& run) {
  const Passages passages = find_passages(walks, documents, settings.length);
  const std::size_t parts = (documents + kDocumentsAtOnce - 1) / kDocumentsAtOnce;
  std::vector<SparseRows> counted(parts);
  std::vector<RowCounter> counters(static_cast<std::size_t>(std::max(1, run.threads)),
                                   RowCounter(walks, documents, settings));
  parallel_for(run.threads, parts, [&](std::size_t part, std::size_t worker) {
    run.check();
    for (std::size_t i = part * kDocumentsAtOnce; i < std::min(documents, (part + 1) * kDocumentsAtOnce); ++i) {
      const std::span through(passages.walks.data() + passages.offsets[i],
                              passages.offsets[i + 1] - passages.offsets[i]);
      counters[worker].count(static_cast<std::uint32_t>(i), through, counted[part].entries);
      counted[part].offsets.push_back(counted[part].entries.size());
    }
  });
  SparseRows rows;
  rows.columns = documents;
  for (SparseRows& part : counted) {
    const std::uint64_t before = rows.entries.size();
    for (std::size_t i = 0; i < part.rows(); ++i) rows.offsets.push_back(before + part.offsets[i + 1]);
    rows.entries.insert(rows.entries.end(), part.entries.begin(), part.entries.end());
    part = {};
  }
  return rows;
}

}  // namespace idne
