#include "network/simrank.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "math/parallel.h"

namespace idne {

SimRankSamples::SimRankSamples(const Network& network, const SimRankSettings& settings, const Run& run)
    : settings_(settings), samples_(settings.samples), mass_(network.documents() * settings.samples) {
  const double decay = settings.decay;
  for (std::size_t time = 1; time <= settings.hops; ++time) {
    time_weight_.push_back(std::pow(decay, time) * (time < settings.hops ? 1 - decay : 1));
  }
  parallel_for(run.threads, samples_.size(), [&](std::size_t r, std::size_t) {
    run.check();
    samples_[r] = sample(network, r);
  });
  constexpr std::size_t kDocuments = 1024;
  parallel_parts(run.threads, network.documents(), kDocuments, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      double sum = 0;
      for (std::size_t r = 0; r < samples_.size(); ++r) {
        mass_[i * samples_.size() + r] = static_cast<float>(sum += mass(samples_[r], static_cast<std::uint32_t>(i)));
      }
    }
  });
}

SimRankSamples::Sample SimRankSamples::sample(const Network& network, std::size_t number) const {
  const std::size_t documents = network.documents(), hops = settings_.hops;
  // Where the walk from each document is at each time. A document without neighbours keeps its walk, and gets no other.
  std::vector<std::vector<std::uint32_t>> at(hops + 1, std::vector<std::uint32_t>(documents));
  std::iota(at[0].begin(), at[0].end(), 0u);
  std::vector<std::uint32_t> next(documents);
  for (std::size_t time = 1; time <= hops; ++time) {
    for (std::uint32_t x = 0; x < documents; ++x) {
      Random random(settings_.seed, Purpose::Meetings, (std::uint64_t{number} * hops + time - 1) << 32 | x);
      next[x] = network.degree(x) > 0 ? network.draw_neighbour(x, random) : x;
    }
    for (std::size_t i = 0; i < documents; ++i) at[time][i] = next[at[time - 1][i]];
  }
  Sample sample;
  sample.order = at[0];
  // By the last place, then the one before …: a sort by each in turn, the first times first.
  std::vector<std::uint32_t> begin(documents + 1), sorted(documents);
  for (std::size_t time = 1; time <= hops; ++time) {
    std::ranges::fill(begin, 0);
    for (const std::uint32_t x : at[time]) ++begin[x + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    for (const std::uint32_t i : sample.order) sorted[begin[at[time][i]]++] = i;
    sample.order.swap(sorted);
  }
  sample.place.resize(documents);
  for (std::uint32_t n = 0; n < documents; ++n) sample.place[sample.order[n]] = n;
  for (std::size_t time = 1; time <= hops; ++time) {
    std::vector<std::uint32_t> tree(documents), starts;
    for (std::uint32_t n = 0; n < documents; ++n) {
      if (n == 0 || at[time][sample.order[n]] != at[time][sample.order[n - 1]]) starts.push_back(n);
      tree[n] = static_cast<std::uint32_t>(starts.size() - 1);
    }
    starts.push_back(static_cast<std::uint32_t>(documents));
    sample.tree.push_back(std::move(tree));
    sample.begin.push_back(std::move(starts));
  }
  return sample;
}

/// How many others stand in the tree of `place` at a time.
std::uint32_t SimRankSamples::others(const Sample& sample, std::size_t time, std::uint32_t place) const {
  const std::uint32_t tree = sample.tree[time][place];
  return sample.begin[time][tree + 1] - sample.begin[time][tree] - 1;
}

double SimRankSamples::mass(const Sample& sample, std::uint32_t i) const {
  double sum = 0;
  for (std::size_t time = 0; time < time_weight_.size(); ++time) {
    sum += time_weight_[time] * others(sample, time, sample.place[i]);
  }
  return sum;
}

double SimRankSamples::likeness(std::uint32_t i, std::uint32_t j) const {
  if (i == j) return 1;
  double sum = 0;
  for (const Sample& one : samples_) {
    for (std::size_t time = 0; time < time_weight_.size(); ++time) {
      if (one.tree[time][one.place[i]] == one.tree[time][one.place[j]]) sum += time_weight_[time];
    }
  }
  return sum / static_cast<double>(samples_.size());
}

std::uint32_t SimRankSamples::draw(std::uint32_t i, Random& random) const {
  const auto mass_so_far = std::span(mass_).subspan(i * samples_.size(), samples_.size());
  if (mass_so_far.empty() || mass_so_far.back() <= 0) return i;
  // A sample, as much as i is like others in it; a time; then one of those that i has met by then.
  const double x = random.uniform() * static_cast<double>(mass_so_far.back());
  auto at = std::ranges::partition_point(mass_so_far, [&](float sum) { return static_cast<double>(sum) <= x; });
  if (at == mass_so_far.end()) at = std::ranges::lower_bound(mass_so_far, mass_so_far.back());
  const Sample& one = samples_[static_cast<std::size_t>(at - mass_so_far.begin())];
  const std::uint32_t place = one.place[i];
  double left = random.uniform() * mass(one, i);
  std::size_t time = 0;
  for (std::size_t later = 0; later < time_weight_.size(); ++later) {
    const std::uint32_t met = others(one, later, place);
    if (met == 0) continue;
    time = later;
    if ((left -= time_weight_[later] * met) < 0) break;
  }
  const std::uint32_t first = one.begin[time][one.tree[time][place]];
  const std::uint32_t other = first + random.below(others(one, time, place));
  return one.order[other < place ? other : other + 1];
}

}  // namespace idne
