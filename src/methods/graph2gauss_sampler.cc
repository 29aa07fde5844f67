#include <algorithm>
#include <set>

#include "math/parallel.h"
#include "math/random.h"
#include "methods/graph2gauss.h"

namespace idne {
namespace {

constexpr int kDraws = 16;          // before a document of some kind counts as not found
constexpr double kMostTries = 1e7;  // to find held-out links, however few there are
constexpr std::uint32_t kLeastKnown = 16, kMostKnown = 256;

// Streams of Purpose::HeldOut: the neighbours of document i are stream i.
constexpr std::uint64_t kLinkStream = std::uint64_t{1} << 40, kPairStream = kLinkStream + 1;
constexpr std::uint64_t kHoldOutStreams = std::uint64_t{1} << 63;

}  // namespace

HopSampler::HopSampler(const Corpus& corpus, const Graph2GaussSettings& settings, const Run& run)
    : corpus_(corpus), settings_(settings) {
  for (std::uint32_t i = 0; i < corpus.documents(); ++i) {
    if (corpus.counts.row(i).empty()) continue;
    with_words_.push_back(i);
    if (corpus.network.degree(i) > 0) anchors_.push_back(i);
  }
  for (std::uint32_t i = 0; i < corpus.documents(); ++i) may_lose_.push_back(corpus.network.neighbour_count(i) > 1);
  learn_neighbours(run);
}

void HopSampler::learn_neighbours(const Run& run) {
  const std::size_t documents = corpus_.documents();
  constexpr std::size_t kAtOnce = 256;
  std::vector<std::vector<std::uint32_t>> parts((documents + kAtOnce - 1) / kAtOnce);
  known_begin_.assign(documents + 1, 0);
  parallel_parts(run.threads, documents, kAtOnce, [&](std::size_t begin, std::size_t end) {
    run.check();
    std::vector<std::uint32_t>& part = parts[begin / kAtOnce];
    std::vector<std::uint32_t> drawn;
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint64_t neighbours = corpus_.network.neighbour_count(static_cast<std::uint32_t>(i));
      if (neighbours == 0) continue;
      drawn.resize(std::clamp<std::uint64_t>(8 * neighbours, kLeastKnown, kMostKnown));
      Random random(settings_.seed, Purpose::HeldOut, i);
      for (std::uint32_t& j : drawn) j = corpus_.network.draw_neighbour(static_cast<std::uint32_t>(i), random);
      std::sort(drawn.begin(), drawn.end());
      const auto last = std::unique(drawn.begin(), drawn.end());
      part.insert(part.end(), drawn.begin(), last);
      known_begin_[i + 1] = static_cast<std::uint64_t>(last - drawn.begin());
    }
  });
  for (std::size_t i = 0; i < documents; ++i) known_begin_[i + 1] += known_begin_[i];
  known_.reserve(known_begin_.back());
  for (const auto& part : parts) known_.insert(known_.end(), part.begin(), part.end());
}

bool HopSampler::known_neighbours(std::uint32_t a, std::uint32_t b) const {
  const auto knows = [&](std::uint32_t i, std::uint32_t j) {
    return std::binary_search(known_.begin() + static_cast<std::ptrdiff_t>(known_begin_[i]),
                              known_.begin() + static_cast<std::ptrdiff_t>(known_begin_[i + 1]), j);
  };
  return knows(a, b) || knows(b, a);
}

/// A function of the pair, so that held-out links need no list; a document's only link is never held out.
bool HopSampler::is_held_out(std::uint32_t a, std::uint32_t b) const {
  if (settings_.held_out <= 0 || !may_lose_[a] || !may_lose_[b]) return false;
  const std::uint64_t pair = std::uint64_t{std::min(a, b)} << 31 | std::max(a, b);
  return Random(settings_.seed, Purpose::HeldOut, kHoldOutStreams | pair).uniform() < settings_.held_out;
}

std::uint32_t HopSampler::draw_near(std::uint32_t i, std::size_t hops, Random& random) const {
  for (int tries = 0; tries < kDraws; ++tries) {
    std::uint32_t j = i;
    bool along_kept_links = true;
    for (std::size_t hop = 0; hop < hops && along_kept_links; ++hop) {
      const std::uint32_t next = corpus_.network.draw_neighbour(j, random);
      along_kept_links = !is_held_out(j, next);
      j = next;
    }
    if (!along_kept_links || j == i || corpus_.counts.row(j).empty()) continue;
    if (hops == 1 || !known_neighbours(i, j)) return j;
  }
  return kNoDocument;
}

std::uint32_t HopSampler::draw_far(std::uint32_t i, std::span<const std::uint32_t> nearer, Random& random) const {
  for (int tries = 0; tries < kDraws; ++tries) {
    const std::uint32_t j = with_words_[random.below(static_cast<std::uint32_t>(with_words_.size()))];
    const bool is_nearer = std::find(nearer.begin(), nearer.end(), j) != nearer.end();
    if (j != i && !is_nearer && !known_neighbours(i, j)) return j;
  }
  return kNoDocument;
}

HopRound HopSampler::round(std::uint64_t round) const {
  HopRound result;
  if (empty()) return result;
  Random random(settings_.seed, Purpose::Triplets, round);
  const bool all = anchors_.size() <= settings_.batch;
  for (std::size_t n = 0; n < std::min(anchors_.size(), settings_.batch); ++n) {
    const std::uint32_t i = anchors_[all ? n : random.below(static_cast<std::uint32_t>(anchors_.size()))];
    result.anchors.push_back(i);
    const std::size_t first = result.partners.size();
    for (std::size_t hops = 1; hops <= settings_.hops; ++hops) result.partners.push_back(draw_near(i, hops, random));
    result.partners.push_back(draw_far(i, std::span(result.partners).subspan(first), random));
  }
  return result;
}

std::vector<DocumentPair> HopSampler::held_out_links(std::size_t count) const {
  std::vector<DocumentPair> links;
  if (empty() || settings_.held_out <= 0) return links;
  Random random(settings_.seed, Purpose::HeldOut, kLinkStream);
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  const auto tries =
      static_cast<std::size_t>(std::min(static_cast<double>(count) * 4 / settings_.held_out, kMostTries));
  for (std::size_t n = 0; n < tries && links.size() < count; ++n) {
    const std::uint32_t i = anchors_[random.below(static_cast<std::uint32_t>(anchors_.size()))];
    const std::uint32_t j = corpus_.network.draw_neighbour(i, random);
    if (!is_held_out(i, j) || corpus_.counts.row(j).empty() || !seen.insert(std::minmax(i, j)).second) continue;
    links.push_back({i, j});
  }
  return links;
}

std::vector<DocumentPair> HopSampler::unlinked_pairs(std::size_t count) const {
  std::vector<DocumentPair> pairs;
  Random random(settings_.seed, Purpose::HeldOut, kPairStream);
  for (std::size_t n = 0; n < count && !empty(); ++n) {
    const std::uint32_t i = anchors_[random.below(static_cast<std::uint32_t>(anchors_.size()))];
    const std::uint32_t j = draw_far(i, {}, random);
    if (j != kNoDocument) pairs.push_back({i, j});
  }
  return pairs;
}

}  // namespace idne
