#include "network/network.h"

#include <algorithm>

#include "math/kernels.h"
#include "math/parallel.h"
#include "math/random.h"

namespace idne {
namespace {

/// The first index whose running sum exceeds `x`; if rounding put x beyond all, the first that reaches the last sum.
template <class Range, class Sum>
std::size_t pick(const Range& range, double x, Sum sum) {
  auto at = std::partition_point(range.begin(), range.end(), [&](const auto& e) { return sum(e) <= x; });
  if (at == range.end()) {
    at = std::partition_point(range.begin(), range.end(), [&](const auto& e) { return sum(e) < sum(range.back()); });
  }
  return static_cast<std::size_t>(at - range.begin());
}

double identity(double x) { return x; }

}  // namespace

Network::Network(std::size_t documents, std::span<const Link> links, std::span<const Membership> memberships) {
  begin_.assign(documents + 1, 0);
  std::uint32_t groups = 0;
  for (const Link& link : links) ++begin_[link.a + 1], ++begin_[link.b + 1];
  for (const Membership& m : memberships) {
    ++begin_[m.document + 1];
    groups = std::max(groups, m.group + 1);
  }
  for (std::size_t i = 0; i < documents; ++i) begin_[i + 1] += begin_[i];

  group_begin_.assign(groups + 1, 0);
  for (const Membership& m : memberships) ++group_begin_[m.group + 1];
  for (std::size_t g = 0; g < groups; ++g) group_begin_[g + 1] += group_begin_[g];

  // Until add_up_paths turns them into running sums, sum_degree holds the neighbour's own part of A.
  neighbours_.resize(begin_[documents]);
  std::vector<std::uint64_t> next(begin_.begin(), begin_.end() - 1);
  for (const Link& link : links) {
    neighbours_[next[link.a]++] = {link.b, 0, link.weight, 0};
    neighbours_[next[link.b]++] = {link.a, 0, link.weight, 0};
  }
  members_.resize(memberships.size());
  std::vector<std::uint64_t> next_member(group_begin_.begin(), group_begin_.end() - 1);
  for (const Membership& m : memberships) {
    const std::uint64_t size = group_begin_[m.group + 1] - group_begin_[m.group];
    const std::uint64_t at = next_member[m.group]++;
    members_[at] = m.document;
    neighbours_[next[m.document]++] = {m.group + kGroup, static_cast<std::uint32_t>(at - group_begin_[m.group]),
                                       static_cast<double>(size - 1), 0};
  }
  links_ = links.size();
  for (std::size_t g = 0; g < groups; ++g) {
    const std::uint64_t size = group_begin_[g + 1] - group_begin_[g];
    links_ += size * (size - std::min<std::uint64_t>(size, 1)) / 2;
  }
  add_up_paths();
}

void Network::add_up_paths() {
  const std::size_t documents = begin_.size() - 1;
  degree_.assign(documents, 0);
  for (std::size_t i = 0; i < documents; ++i) {
    for (std::uint64_t n = begin_[i]; n < begin_[i + 1]; ++n) degree_[i] += neighbours_[n].sum_degree;
  }
  member_sums_.resize(members_.size());
  for (std::size_t g = 0; g + 1 < group_begin_.size(); ++g) {
    double sum = 0;
    for (std::uint64_t m = group_begin_[g]; m < group_begin_[g + 1]; ++m) {
      member_sums_[m] = sum += 1 + degree_[members_[m]];
    }
  }
  path_count_.assign(documents, 0);
  path_sums_.assign(documents, 0);
  double all_paths = 0;
  for (std::size_t i = 0; i < documents; ++i) {
    double degrees = 0, paths = 0;
    for (std::uint64_t n = begin_[i]; n < begin_[i + 1]; ++n) {
      Neighbour& neighbour = neighbours_[n];
      degrees += neighbour.sum_degree;
      if (neighbour.to < kGroup) {
        paths += neighbour.sum_degree * (1 + degree_[neighbour.to]);
      } else if (neighbour.sum_degree > 0) {  // all members but this one
        paths += member_sums_[group_begin_[neighbour.to - kGroup + 1] - 1] - (1 + degree_[i]);
      }
      neighbour.sum_degree = degrees;
      neighbour.sum_paths = paths;
    }
    path_count_[i] = paths;
    path_sums_[i] = all_paths += paths;
  }
}

std::vector<float> Network::neighbour_means(std::span<const float> vectors, std::size_t width, double self,
                                            int threads) const {
  std::vector<float> sums(groups() * width);
  parallel_for(threads, groups(), [&](std::size_t g, std::size_t) {
    std::vector<Term> terms;
    for (const std::uint32_t member : members(static_cast<std::uint32_t>(g))) terms.push_back({member, 1});
    weighted_sum(vectors.data(), width, terms.data(), terms.size(), width, sums.data() + g * width);
  });
  std::vector<float> means(vectors.size());
  constexpr std::size_t kRows = 256;
  parallel_parts(threads, documents(), kRows, [&](std::size_t begin, std::size_t end) {
    std::vector<Term> linked, grouped;
    std::vector<float> from_groups(width);
    for (std::size_t i = begin; i < end; ++i) {
      const double all = degree_[i] + self;
      if (all <= 0) continue;
      linked.clear(), grouped.clear();
      double own = self, before = 0;
      for (const Neighbour& near : neighbours(static_cast<std::uint32_t>(i))) {
        const double weight = near.sum_degree - before;
        before = near.sum_degree;
        if (near.to < kGroup) {
          linked.push_back({near.to, static_cast<float>(weight / all)});
        } else {  // all members, less this one
          grouped.push_back({near.to - kGroup, static_cast<float>(1 / all)});
          own -= 1;
        }
      }
      linked.push_back({static_cast<std::uint32_t>(i), static_cast<float>(own / all)});
      float* out = means.data() + i * width;
      weighted_sum(vectors.data(), width, linked.data(), linked.size(), width, out);
      if (grouped.empty()) continue;
      weighted_sum(sums.data(), width, grouped.data(), grouped.size(), width, from_groups.data());
      for (std::size_t k = 0; k < width; ++k) out[k] += from_groups[k];
    }
  });
  return means;
}

std::vector<std::uint32_t> Network::linked_documents(std::uint32_t document) const {
  std::vector<std::uint32_t> linked;
  for (const Neighbour& neighbour : neighbours(document)) {
    if (neighbour.to < kGroup) linked.push_back(neighbour.to);
  }
  return linked;
}

std::uint64_t Network::neighbour_count(std::uint32_t document) const {
  std::uint64_t count = 0;
  for (const Neighbour& neighbour : neighbours(document)) {
    count += neighbour.to < kGroup ? 1 : members(neighbour.to - kGroup).size() - 1;
  }
  return count;
}

std::uint32_t Network::draw_neighbour(std::uint32_t i, Random& random) const {
  const auto near = neighbours(i);
  const std::size_t n = pick(near, random.uniform() * degree_[i], [](const Neighbour& e) { return e.sum_degree; });
  if (near[n].to < kGroup) return near[n].to;
  const auto group = members(near[n].to - kGroup);
  const std::uint32_t other = random.below(static_cast<std::uint32_t>(group.size()) - 1);
  return group[other < near[n].place ? other : other + 1];
}

std::uint32_t Network::draw_path_end(std::uint32_t i, Random& random) const {
  if (path_count_[i] <= 0) return i;
  const auto near = neighbours(i);
  // The first hop, to k, in proportion to the paths through it: A_ik to k itself and A_ik · degree_k beyond.
  const std::size_t n = pick(near, random.uniform() * path_count_[i], [](const Neighbour& e) { return e.sum_paths; });
  std::uint32_t k = near[n].to;
  if (k >= kGroup) {
    const std::uint32_t group = k - kGroup;
    const std::span sums(member_sums_.data() + group_begin_[group], members(group).size());
    const std::uint32_t self = near[n].place;
    const double own = 1 + degree_[i], before = sums[self] - own;
    double x = random.uniform() * (sums.back() - own);
    if (x >= before) x += own;
    std::size_t at = pick(sums, x, identity);
    if (at == self) at = self + 1 < sums.size() ? self + 1 : self - 1;  // x on the edge, moved there by rounding
    k = members(group)[at];
  }
  return random.uniform() * (1 + degree_[k]) < 1 ? k : draw_neighbour(k, random);
}

std::uint32_t Network::draw_path_start(Random& random) const {
  if (path_sums_.back() <= 0) return random.below(static_cast<std::uint32_t>(documents()));
  return static_cast<std::uint32_t>(pick(path_sums_, random.uniform() * path_sums_.back(), identity));
}

}  // namespace idne
