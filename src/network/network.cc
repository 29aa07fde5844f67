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

/// Links whose second document is here, those of the other ranks among them; in rising order of the first for each.
std::vector<Link> Network::links_to_here(std::span<const Link> links) const {
  std::vector<Packer> to(spread_.ranks()->size());
  for (const Link& link : links) to[spread_.owner(link.b)].add(link);
  std::vector<Link> result;
  for (const Bytes& bytes : exchange_packed(*spread_.ranks(), to)) {
    for (Unpacker from(bytes); !from.done();) result.push_back(from.next<Link>());
  }
  return result;
}

std::vector<Membership> Network::all_memberships(std::span<const Membership> own) const {
  if (spread_.ranks()) return all_of(*spread_.ranks(), own);
  return {own.begin(), own.end()};
}

Network::Network(Placement spread, std::span<const Link> links, std::span<const Membership> memberships)
    : spread_(std::move(spread)) {
  const std::size_t documents = spread_.own();
  const std::vector<Link> sent = spread_.ranks() ? links_to_here(links) : std::vector<Link>{};
  const std::span<const Link> to_here = spread_.ranks() ? sent : links;
  const std::vector<Membership> all_members = all_memberships(memberships);
  begin_.assign(documents + 1, 0);
  std::uint32_t groups = 0;
  for (const Link& link : to_here) ++begin_[own(link.b) + 1];
  for (const Link& link : links) ++begin_[own(link.a) + 1];
  for (const Membership& m : memberships) ++begin_[own(m.document) + 1];
  for (const Membership& m : all_members) groups = std::max(groups, m.group + 1);
  for (std::size_t i = 0; i < documents; ++i) begin_[i + 1] += begin_[i];

  group_begin_.assign(groups + 1, 0);
  for (const Membership& m : all_members) ++group_begin_[m.group + 1];
  for (std::size_t g = 0; g < groups; ++g) group_begin_[g + 1] += group_begin_[g];

  // Until add_up_paths turns them into running sums, sum_degree holds the neighbour's own part of A.
  neighbours_.resize(begin_[documents]);
  std::vector<std::uint64_t> next(begin_.begin(), begin_.end() - 1);
  for (const Link& link : to_here) neighbours_[next[own(link.b)]++] = {link.a, 0, link.weight, 0};
  for (const Link& link : links) neighbours_[next[own(link.a)]++] = {link.b, 0, link.weight, 0};
  members_.resize(all_members.size());
  std::vector<std::uint64_t> next_member(group_begin_.begin(), group_begin_.end() - 1);
  for (const Membership& m : all_members) {
    const std::uint64_t size = group_begin_[m.group + 1] - group_begin_[m.group];
    const std::uint64_t at = next_member[m.group]++;
    members_[at] = m.document;
    if (!spread_.here(m.document)) continue;
    neighbours_[next[own(m.document)]++] = {m.group + kGroup, static_cast<std::uint32_t>(at - group_begin_[m.group]),
                                            static_cast<double>(size - 1), 0};
  }
  for (std::size_t i = 0; i < documents; ++i) {
    std::ranges::sort(std::span(neighbours_).subspan(begin_[i], begin_[i + 1] - begin_[i]), {}, &Neighbour::to);
  }
  links_ = links.size();
  if (spread_.ranks()) spread_.ranks()->add_up({&links_, 1});
  for (std::size_t g = 0; g < groups; ++g) {
    const std::uint64_t size = group_begin_[g + 1] - group_begin_[g];
    links_ += size * (size - std::min<std::uint64_t>(size, 1)) / 2;
  }
  add_up_paths();
}

/// Of each entry of neighbours_ that is a document, its degree, in their order, where documents are spread.
std::vector<double> Network::degrees_of_neighbours() const {
  std::vector<double> degrees;
  if (!spread_.ranks()) return degrees;
  degrees.reserve(neighbours_.size());
  Ranks& ranks = *spread_.ranks();
  std::vector<Packer> questions(ranks.size()), answers(ranks.size());
  for (const Neighbour& near : neighbours_) {
    if (near.to < kGroup) questions[spread_.owner(near.to)].add(near.to);
  }
  const std::vector<Bytes> asked = exchange_packed(ranks, questions);
  for (std::size_t rank = 0; rank < asked.size(); ++rank) {
    for (Unpacker from(asked[rank]); !from.done();) answers[rank].add(degree(from.next<std::uint32_t>()));
  }
  const std::vector<Bytes> said = exchange_packed(ranks, answers);
  std::vector<Unpacker> from(said.begin(), said.end());
  for (const Neighbour& near : neighbours_) {
    if (near.to < kGroup) degrees.push_back(from[spread_.owner(near.to)].next<double>());
  }
  return degrees;
}

void Network::add_up_paths() {
  const std::size_t documents = begin_.size() - 1;
  degree_.assign(documents, 0);
  for (std::size_t i = 0; i < documents; ++i) {
    for (std::uint64_t n = begin_[i]; n < begin_[i + 1]; ++n) degree_[i] += neighbours_[n].sum_degree;
  }
  std::vector<double> member_degrees;  // in the order of members_
  for (const std::uint32_t member : members_) {
    member_degrees.push_back(spread_.here(member) ? degree_[own(member)] : 0);
  }
  if (spread_.ranks() && !members_.empty()) {
    const std::vector<double> all = all_of(*spread_.ranks(), std::span<const double>(member_degrees));
    for (std::size_t m = 0; m < members_.size(); ++m) {
      member_degrees[m] = all[spread_.owner(members_[m]) * members_.size() + m];
    }
  }
  member_sums_.resize(members_.size());
  for (std::size_t g = 0; g + 1 < group_begin_.size(); ++g) {
    double sum = 0;
    for (std::uint64_t m = group_begin_[g]; m < group_begin_[g + 1]; ++m) {
      member_sums_[m] = sum += 1 + member_degrees[m];
    }
  }
  const std::vector<double> near_degrees = degrees_of_neighbours();
  auto next_degree = near_degrees.begin();
  const auto degree_of = [&](std::uint32_t near) { return spread_.ranks() ? *next_degree++ : degree_[near]; };
  path_count_.assign(documents, 0);
  for (std::size_t i = 0; i < documents; ++i) {
    double degrees = 0, paths = 0;
    for (std::uint64_t n = begin_[i]; n < begin_[i + 1]; ++n) {
      Neighbour& neighbour = neighbours_[n];
      degrees += neighbour.sum_degree;
      if (neighbour.to < kGroup) {
        paths += neighbour.sum_degree * (1 + degree_of(neighbour.to));
      } else if (neighbour.sum_degree > 0) {  // all members but this one
        paths += member_sums_[group_begin_[neighbour.to - kGroup + 1] - 1] - (1 + degree_[i]);
      }
      neighbour.sum_degree = degrees;
      neighbour.sum_paths = paths;
    }
    path_count_[i] = paths;
  }
  // One rank after the other: the sums are those that one process would have.
  path_sums_.assign(documents, 0);
  double all_paths = 0, own_end = 0;
  add_in_order(
      spread_.ranks(),
      [&] {
        for (std::size_t i = 0; i < documents; ++i) path_sums_[i] = all_paths += path_count_[i];
        own_end = all_paths;
      },
      all_paths);
  path_ends_ = spread_.ranks() ? all_of(*spread_.ranks(), own_end) : std::vector{own_end};
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

double Network::weight(std::uint32_t i, std::uint32_t j) const {
  if (i == j) return 0;
  const auto near = neighbours(i);
  const auto at = std::ranges::lower_bound(near, j, {}, &Neighbour::to);
  double weight = 0;
  if (at != near.end() && at->to == j) {
    weight = at->sum_degree - (at == near.begin() ? 0 : std::prev(at)->sum_degree);
  }
  std::span<const Neighbour> fewer = groups_of(i), more = groups_of(j);
  if (fewer.size() > more.size()) std::swap(fewer, more);
  for (const Neighbour& group : fewer) weight += std::ranges::binary_search(more, group.to, {}, &Neighbour::to);
  return weight;
}

std::uint32_t Network::draw_neighbour(std::uint32_t i, Random& random) const {
  const auto near = neighbours(i);
  const std::size_t n = pick(near, random.uniform() * degree(i), [](const Neighbour& e) { return e.sum_degree; });
  if (near[n].to < kGroup) return near[n].to;
  const auto group = members(near[n].to - kGroup);
  const std::uint32_t other = random.below(static_cast<std::uint32_t>(group.size()) - 1);
  return group[other < near[n].place ? other : other + 1];
}

std::vector<std::uint32_t> Network::draw_neighbours(std::span<const From> from) const {
  std::vector<std::uint32_t> drawn;
  if (!spread_.ranks()) {
    for (From one : from) drawn.push_back(draw_neighbour(one.document, one.random));
    return drawn;
  }
  Ranks& ranks = *spread_.ranks();
  std::vector<Packer> questions(ranks.size()), answers(ranks.size());
  for (const From& one : from) questions[spread_.owner(one.document)].add(one);
  const std::vector<Bytes> asked = exchange_packed(ranks, questions);
  for (std::size_t rank = 0; rank < asked.size(); ++rank) {
    for (Unpacker next(asked[rank]); !next.done();) {
      auto one = next.next<From>();
      answers[rank].add(draw_neighbour(one.document, one.random));
    }
  }
  const std::vector<Bytes> said = exchange_packed(ranks, answers);
  std::vector<Unpacker> next(said.begin(), said.end());
  for (const From& one : from) drawn.push_back(next[spread_.owner(one.document)].next<std::uint32_t>());
  return drawn;
}

std::uint32_t Network::draw_first_hop(std::uint32_t i, Random& random) const {
  if (path_count(i) <= 0) return i;
  const auto near = neighbours(i);
  // To k, in proportion to the paths through it: A_ik to k itself and A_ik · degree_k beyond.
  const std::size_t n = pick(near, random.uniform() * path_count(i), [](const Neighbour& e) { return e.sum_paths; });
  const std::uint32_t k = near[n].to;
  if (k < kGroup) return k;
  const std::uint32_t group = k - kGroup;
  const std::span sums(member_sums_.data() + group_begin_[group], members(group).size());
  const std::uint32_t self = near[n].place;
  const double own = 1 + degree(i), before = sums[self] - own;
  double x = random.uniform() * (sums.back() - own);
  if (x >= before) x += own;
  std::size_t at = pick(sums, x, identity);
  if (at == self) at = self + 1 < sums.size() ? self + 1 : self - 1;  // x on the edge, moved there by rounding
  return members(group)[at];
}

std::uint32_t Network::draw_last_hop(std::uint32_t k, Random& random) const {
  return random.uniform() * (1 + degree(k)) < 1 ? k : draw_neighbour(k, random);
}

std::optional<std::uint32_t> Network::draw_path_start(Random& random) const {
  const double all = path_ends_.back();
  if (all <= 0) return random.below(static_cast<std::uint32_t>(documents()));
  double x = random.uniform() * all;
  // If rounding put x beyond all, it is the first document that reaches the last sum.
  const bool beyond = x >= all;
  const auto rank_has = [&](double end) { return beyond ? end < all : end <= x; };
  const auto rank = std::ranges::partition_point(path_ends_, rank_has) - path_ends_.begin();
  if (spread_.ranks() && static_cast<std::size_t>(rank) != spread_.ranks()->number()) return {};
  if (beyond) {
    const auto at = std::ranges::partition_point(path_sums_, [&](double sum) { return sum < all; });
    return static_cast<std::uint32_t>(spread_.begin() + static_cast<std::size_t>(at - path_sums_.begin()));
  }
  return static_cast<std::uint32_t>(spread_.begin() + pick(path_sums_, x, identity));
}

}  // namespace idne
