#include "suggest/link_scorer.h"

#include <algorithm>
#include <cmath>

#include "math/kernels.h"
#include "model/tensors.h"
#include "search/cosine.h"

namespace idne {
namespace {

/// Beside those that are asked for, so many of the best by words and votes are looked at: what the space adds can
/// bring a document so far up.
constexpr std::size_t kMoreCandidates = 200;

/// Each voter once, by document.
std::vector<Voter> merged(std::vector<Voter> voters) {
  std::ranges::stable_sort(voters, {}, &Voter::document);
  std::vector<Voter> result;
  for (const Voter& voter : voters) {
    if (!result.empty() && result.back().document == voter.document) {
      result.back().weight += voter.weight;
    } else {
      result.push_back(voter);
    }
  }
  return result;
}

}  // namespace

/// Nearly all documents are passed over by one comparison: with the last of the best so far, as of the last cleaning.
std::vector<Hit> best_rows(std::span<const float> scores, std::size_t count, std::span<const std::uint32_t> left_out) {
  std::vector<Hit> best;
  best.reserve(4 * count);
  float least = 0;
  const auto clean = [&] {
    const auto end = best.begin() + static_cast<std::ptrdiff_t>(std::min(count, best.size()));
    if (end == best.end()) return;
    std::nth_element(best.begin(), end - 1, best.end(), better);
    best.erase(end, best.end());
    least = best.back().score;
  };
  for (std::size_t row = 0; row < scores.size() && count > 0; ++row) {
    if (!(scores[row] > least)) continue;
    if (std::ranges::binary_search(left_out, row)) continue;
    best.push_back({row, scores[row]});
    if (best.size() == 4 * count) clean();
  }
  clean();
  std::ranges::sort(best, better);
  return best;
}

void add_weighed_voters(std::span<const Hit> nearest, std::span<const std::uint64_t> links, double share,
                        std::vector<Voter>& voters) {
  const auto square = [](const Hit& hit) { return hit.score > 0 ? std::pow(static_cast<double>(hit.score), 2) : 0; };
  double sum = 0;
  for (const Hit& hit : nearest) sum += square(hit);
  for (std::size_t n = 0; n < nearest.size(); ++n) {
    if (!(nearest[n].score > 0)) continue;
    const auto count = static_cast<double>(std::max<std::uint64_t>(1, links[n]));
    voters.push_back({nearest[n].row, share * square(nearest[n]) / sum / std::pow(count, 0.25)});
  }
}

LinkWeights link_weights(const Model& model) {
  const ModelTensors tensors(model);
  if (!tensors.has(layout::kLinkWeights)) return {};
  const auto stored = tensors.floats(layout::kLinkWeights);
  return {stored[0], stored[1]};
}

Neighbours::Neighbours(const Documents& documents) : links_(documents.links), groups_(documents.groups) {
  std::size_t count = 0;
  for (const std::int32_t group : groups_.values()) count = std::max(count, static_cast<std::size_t>(group) + 1);
  member_offsets_.resize(count + 1);
  for (const std::int32_t group : groups_.values()) ++member_offsets_[static_cast<std::size_t>(group) + 1];
  for (std::size_t g = 0; g < count; ++g) member_offsets_[g + 1] += member_offsets_[g];
  members_.resize(groups_.values().size());
  std::vector<std::uint64_t> next(member_offsets_.begin(), member_offsets_.end() - 1);
  for (std::uint32_t document = 0; document < groups_.size(); ++document) {
    for (const std::int32_t group : groups_[document]) members_[next[static_cast<std::size_t>(group)]++] = document;
  }
}

std::span<const std::int32_t> Neighbours::links(std::size_t document) const {
  return links_.size() > 0 ? links_[document] : std::span<const std::int32_t>{};
}
std::span<const std::int32_t> Neighbours::groups(std::size_t document) const {
  return groups_.size() > 0 ? groups_[document] : std::span<const std::int32_t>{};
}
std::span<const std::uint32_t> Neighbours::members(std::int32_t group) const {
  const auto g = static_cast<std::size_t>(group);
  return std::span(members_).subspan(member_offsets_[g], member_offsets_[g + 1] - member_offsets_[g]);
}

std::uint64_t Neighbours::count(std::size_t document) const {
  std::uint64_t count = links(document).size();
  for (const std::int32_t group : groups(document)) count += members(group).size() - 1;
  return count;
}

std::vector<GroupFirst> Neighbours::add_votes(std::span<const Voter> voters, std::span<const float> scores,
                                              std::span<const std::uint32_t> left_out, std::span<float> votes) const {
  std::vector<std::pair<std::int32_t, double>> group_votes;  // a group's members are gone through once
  for (const Voter& voter : voters) {
    const auto weight = static_cast<float>(voter.weight);
    for (const std::int32_t to : links(voter.document)) votes[static_cast<std::size_t>(to)] += weight;
    for (const std::int32_t group : groups(voter.document)) group_votes.emplace_back(group, voter.weight);
  }
  std::ranges::stable_sort(group_votes, {}, &std::pair<std::int32_t, double>::first);
  std::vector<GroupFirst> firsts;
  for (std::size_t n = 0; n < group_votes.size();) {
    const std::int32_t group = group_votes[n].first;
    double sum = 0;
    for (; n < group_votes.size() && group_votes[n].first == group; ++n) sum += group_votes[n].second;
    const auto members_here = members(group);
    std::optional<std::uint32_t> first;
    for (const std::uint32_t member : members_here) {
      votes[member] += static_cast<float>(kLinkGroupShare * sum);
      if (std::ranges::binary_search(left_out, member)) continue;
      if (!first || scores[member] > scores[*first]) first = member;
    }
    if (!first) continue;
    votes[*first] += static_cast<float>((1 - kLinkGroupShare) * sum);
    firsts.push_back({group, *first});
  }
  for (const Voter& voter : voters) {
    if (groups(voter.document).empty()) continue;
    const double own = voter.weight * shared_groups(voter.document, voter.document, firsts);
    votes[voter.document] = std::max(0.0f, votes[voter.document] - static_cast<float>(own));
  }
  return firsts;
}

double Neighbours::shared_groups(std::size_t voter, std::size_t document, std::span<const GroupFirst> firsts) const {
  double share = 0;
  for (const std::int32_t group : groups(voter)) {
    if (!std::ranges::binary_search(groups(document), group)) continue;
    const auto first = std::ranges::lower_bound(firsts, group, {}, &GroupFirst::group);
    share += first != firsts.end() && first->group == group && first->document == document ? 1 : kLinkGroupShare;
  }
  return share;
}

double Neighbours::share(std::size_t voter, std::size_t document, std::span<const GroupFirst> firsts) const {
  if (voter == document) return 0;
  const bool linked = std::ranges::binary_search(links(voter), static_cast<std::int32_t>(document));
  return (linked ? 1 : 0) + shared_groups(voter, document, firsts);
}

std::vector<std::uint32_t> Neighbours::all(std::size_t document) const {
  return all_neighbours(document, links(document), groups(document),
                        [this](std::int32_t group) { return members(group); });
}

LinkScorer::LinkScorer(const Model& model)
    : model_(model),
      weights_(link_weights(model)),
      text_words_(model),
      words_(text_words_.documents(), text_words_.size()),
      neighbours_(model.documents()) {}

void LinkScorer::add_voters(std::span<const Hit> nearest, double share, std::vector<Voter>& voters) const {
  std::vector<std::uint64_t> links;
  for (const Hit& hit : nearest) links.push_back(neighbours_.count(hit.row));
  add_weighed_voters(nearest, links, share, voters);
}

std::vector<Voter> LinkScorer::word_voters(std::span<const float> scores, std::optional<std::uint32_t> self) const {
  const std::vector<std::uint32_t> left_out(self ? std::vector{*self} : std::vector<std::uint32_t>{});
  std::vector<Voter> voters;
  add_voters(best_rows(scores, kLinkVoters, left_out), 1, voters);
  return voters;
}

LinkScorer::Ranking LinkScorer::rank(const Query& query, std::size_t count) const {
  const MatrixView vectors = model_.documents().vectors;
  std::vector<float> by_words(vectors.rows), votes(vectors.rows);
  if (words_.documents() > 0) words_.add_scores(query.words, by_words);

  std::vector<Voter> voters = word_voters(by_words, query.self);
  std::vector<Hit> near(query.nearest.begin(), query.nearest.end());
  std::erase_if(near, [&](const Hit& hit) { return query.self && hit.row == *query.self; });
  add_voters(std::span(near).first(std::min(kLinkVoters, near.size())), 1, voters);
  for (Voter& voter : voters) voter.weight *= weights_.votes / 2;
  std::vector<std::uint32_t> left_out(query.left_out.begin(), query.left_out.end());
  if (query.self) left_out.insert(std::ranges::lower_bound(left_out, *query.self), *query.self);
  Ranking ranking{{}, merged(std::move(voters)), {}};
  ranking.firsts = neighbours_.add_votes(ranking.voters, by_words, left_out, votes);
  std::vector<float> both(vectors.rows);
  for (std::size_t row = 0; row < both.size(); ++row) both[row] = by_words[row] + votes[row];
  std::vector<std::uint32_t> candidates;
  for (const Hit& hit : best_rows(both, count + kMoreCandidates, left_out)) {
    candidates.push_back(static_cast<std::uint32_t>(hit.row));
  }
  for (const Hit& hit : near) candidates.push_back(static_cast<std::uint32_t>(hit.row));
  std::ranges::sort(candidates);
  candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());

  const auto product = [](std::span<const float> a, std::span<const float> b) {
    return dot(a.data(), b.data(), a.size());
  };
  const float square = product(query.vector, query.vector);
  for (const std::uint32_t row : candidates) {
    if (std::ranges::binary_search(left_out, row)) continue;
    const auto vector = vectors.row(row);
    const float near_by = cosine(product(vector, query.vector), square * product(vector, vector));
    const LinkParts parts{by_words[row], weights_.space * static_cast<double>(near_by), votes[row]};
    ranking.links.push_back({row, parts, parts.sum()});
  }
  const auto end = ranking.links.begin() + static_cast<std::ptrdiff_t>(std::min(count, ranking.links.size()));
  std::partial_sort(ranking.links.begin(), end, ranking.links.end(), [](const Scored& a, const Scored& b) {
    return a.score != b.score ? a.score > b.score : a.document < b.document;
  });
  ranking.links.erase(end, ranking.links.end());
  return ranking;
}

}  // namespace idne
