#include "suggest/spread_link_ranks.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "corpus/bags.h"
#include "idne/corpus.h"
#include "math/parallel.h"
#include "search/cosine.h"
#include "suggest/link_scorer.h"
#include "suggest/link_weights.h"
#include "suggest/spread_neighbours.h"
#include "suggest/word_index.h"

namespace idne {
namespace {

/// Queries that are answered together: each takes two numbers per document.
constexpr std::size_t kTogether = 16;

/// A document that is taken for new, and what it is linked with. All ranks have the same.
struct LinkQuery {
  std::uint32_t self;
  std::vector<WordCount> words;
  std::vector<std::uint32_t> linked;  ///< rising
};

/// Some queries, answered step by step: what a step needs of other processes is gathered between two of them.
class RankedQueries {
 public:
  RankedQueries(const WordIndex& words, const SpreadNeighbours& neighbours, const Placement& spread,
                std::span<const LinkQuery> queries, const Run& run)
      : words_(words), neighbours_(neighbours), spread_(spread), ranks_(*spread.ranks()), queries_(queries), run_(run) {
    answers_.resize(queries.size());
  }

  std::vector<std::vector<double>> reciprocal_ranks(std::span<const double> weights) {
    score_words();
    find_voters();
    add_votes();
    return rank(weights);
  }

 private:
  struct NearHit {
    Hit hit;
    std::uint64_t links;
  };
  struct GroupVotes {
    std::int32_t group;
    double sum;
  };
  struct Answer {
    std::vector<float> by_words, votes;  ///< of the documents that are here
    std::vector<Voter> voters;
    std::vector<std::vector<std::int32_t>> links, groups;  ///< of each voter
    std::vector<GroupVotes> group_votes;                   ///< by group
  };
  /// Of one rank: the member of a group that is most like a text.
  struct First {
    bool any = false;
    float score = 0;
    std::uint32_t member = 0;
  };

  template <class Work>
  void for_each_query(const Work& work) {
    parallel_for(run_.threads, queries_.size(), [&](std::size_t q, std::size_t) { work(q); });
  }

  void score_words() {
    for_each_query([&](std::size_t q) {
      Answer& answer = answers_[q];
      answer.by_words.resize(spread_.own());
      answer.votes.resize(spread_.own());
      words_.add_scores(queries_[q].words, answer.by_words);
    });
  }

  /// The documents of all ranks that are most like each text by words, and what they are linked with.
  void find_voters() {
    std::vector<std::vector<NearHit>> own(queries_.size());
    for_each_query([&](std::size_t q) {
      std::vector<std::uint32_t> left_out;
      if (spread_.here(queries_[q].self)) left_out.push_back(static_cast<std::uint32_t>(row(queries_[q].self)));
      for (const Hit& hit : best_rows(answers_[q].by_words, kLinkVoters, left_out)) {
        const auto document = static_cast<std::uint32_t>(hit.row + spread_.begin());
        own[q].push_back({{document, hit.score}, neighbours_.count(document)});
      }
    });
    Packer packed;
    for (const auto& hits : own) packed.add_all(hits);
    const std::vector<Bytes> all = ranks_.all_gather(packed.bytes());
    std::vector<Unpacker> from(all.begin(), all.end());
    Packer lists;
    for (Answer& answer : answers_) {
      std::vector<NearHit> hits;
      for (Unpacker& rank : from) {
        for (const NearHit& hit : rank.next_all<NearHit>()) hits.push_back(hit);
      }
      std::ranges::sort(hits, better, &NearHit::hit);
      hits.resize(std::min(hits.size(), kLinkVoters));
      std::vector<Hit> nearest;
      std::vector<std::uint64_t> links;
      for (const NearHit& hit : hits) {
        nearest.push_back(hit.hit);
        links.push_back(hit.links);
      }
      add_weighed_voters(nearest, links, 1, answer.voters);
      for (const Voter& voter : answer.voters) {
        if (!neighbours_.here(voter.document)) continue;
        lists.add_all(neighbours_.links(voter.document));
        lists.add_all(neighbours_.groups(voter.document));
      }
    }
    const std::vector<Bytes> listed = ranks_.all_gather(lists.bytes());
    std::vector<Unpacker> next(listed.begin(), listed.end());
    for (Answer& answer : answers_) {
      for (const Voter& voter : answer.voters) {
        Unpacker& rank = next[spread_.owner(voter.document)];
        answer.links.push_back(rank.next_all<std::int32_t>());
        answer.groups.push_back(rank.next_all<std::int32_t>());
      }
    }
  }

  /// In the order in which Neighbours::add_votes adds them: each document's sum is the same.
  void add_votes() {
    std::vector<std::vector<First>> own(queries_.size());
    for_each_query([&](std::size_t q) {
      Answer& answer = answers_[q];
      std::vector<GroupVotes> votes;
      for (std::size_t v = 0; v < answer.voters.size(); ++v) {
        const auto weight = static_cast<float>(answer.voters[v].weight);
        for (const std::int32_t to : answer.links[v]) add(answer.votes, static_cast<std::size_t>(to), weight);
        for (const std::int32_t group : answer.groups[v]) votes.push_back({group, answer.voters[v].weight});
      }
      std::ranges::stable_sort(votes, {}, &GroupVotes::group);
      for (const GroupVotes& vote : votes) {
        if (answer.group_votes.empty() || answer.group_votes.back().group != vote.group) {
          answer.group_votes.push_back({vote.group, 0});
        }
        answer.group_votes.back().sum += vote.sum;
      }
      for (const GroupVotes& vote : answer.group_votes) own[q].push_back(first_of(q, vote.group));
    });
    Packer packed;
    for (const auto& firsts : own) packed.add_all(firsts);
    const std::vector<Bytes> all = ranks_.all_gather(packed.bytes());
    std::vector<Unpacker> from(all.begin(), all.end());
    for (std::size_t q = 0; q < queries_.size(); ++q) {
      std::vector<First> firsts(own[q].size());
      for (Unpacker& rank : from) {  // members rise with the ranks: of two that are as good it is the earlier one
        const std::vector<First> theirs = rank.next_all<First>();
        for (std::size_t g = 0; g < firsts.size(); ++g) {
          if (theirs[g].any && (!firsts[g].any || theirs[g].score > firsts[g].score)) firsts[g] = theirs[g];
        }
      }
      add_group_votes(answers_[q], firsts);
    }
  }

  First first_of(std::size_t q, std::int32_t group) const {
    First first;
    for (const std::uint32_t member : neighbours_.members(group)) {
      if (!spread_.here(member) || member == queries_[q].self) continue;
      const float score = answers_[q].by_words[row(member)];
      if (!first.any || score > first.score) first = {true, score, member};
    }
    return first;
  }

  void add_group_votes(Answer& answer, const std::vector<First>& firsts) {
    std::map<std::int32_t, std::uint32_t> first_of_group;
    for (std::size_t g = 0; g < firsts.size(); ++g) {
      const auto [group, sum] = answer.group_votes[g];
      for (const std::uint32_t member : neighbours_.members(group)) {
        add(answer.votes, member, static_cast<float>(kLinkGroupShare * sum));
      }
      if (!firsts[g].any) continue;
      add(answer.votes, firsts[g].member, static_cast<float>((1 - kLinkGroupShare) * sum));
      first_of_group[group] = firsts[g].member;
    }
    for (std::size_t v = 0; v < answer.voters.size(); ++v) {  // nobody votes for himself
      const std::size_t voter = answer.voters[v].document;
      if (answer.groups[v].empty() || !spread_.here(voter)) continue;
      double share = 0;
      for (const std::int32_t group : answer.groups[v]) {
        const auto first = first_of_group.find(group);
        share += first != first_of_group.end() && first->second == voter ? 1 : kLinkGroupShare;
      }
      float& votes = answer.votes[row(voter)];
      votes = std::max(0.0f, votes - static_cast<float>(answer.voters[v].weight * share));
    }
  }

  std::vector<std::vector<double>> rank(std::span<const double> weights) {
    const std::size_t each = weights.size();
    std::vector<float> best(queries_.size() * each);
    for_each_query([&](std::size_t q) {
      for (std::size_t k = 0; k < each; ++k) {
        for (const std::uint32_t linked : queries_[q].linked) {
          if (spread_.here(linked))
            best[q * each + k] = std::max(best[q * each + k], score(q, row(linked), weights[k]));
        }
      }
    });
    const std::vector<float> all = all_of(ranks_, std::span<const float>(best));
    for (std::size_t n = 0; n < all.size(); ++n) {
      float& one = best[n % best.size()];
      one = std::max(one, all[n]);
    }
    std::vector<std::uint64_t> before(best.size());
    for_each_query([&](std::size_t q) {
      for (std::size_t k = 0; k < each; ++k) {
        const float least = best[q * each + k];
        if (!(least > 0)) continue;
        std::uint64_t count = 0;
        for (std::size_t i = 0; i < answers_[q].by_words.size(); ++i) count += score(q, i, weights[k]) > least;
        const std::uint32_t self = queries_[q].self;
        before[q * each + k] = count - (spread_.here(self) && score(q, row(self), weights[k]) > least);
      }
    });
    ranks_.add_up(before);
    std::vector<std::vector<double>> result(queries_.size());
    for (std::size_t n = 0; n < best.size(); ++n) {
      result[n / each].push_back(best[n] > 0 ? 1 / static_cast<double>(before[n] + 1) : 0);
    }
    return result;
  }

  float score(std::size_t q, std::size_t row, double weight) const {
    return answers_[q].by_words[row] + static_cast<float>(weight) * answers_[q].votes[row];
  }
  void add(std::vector<float>& votes, std::size_t document, float weight) const {
    if (spread_.here(document)) votes[row(document)] += weight;
  }
  std::size_t row(std::size_t document) const { return document - spread_.begin(); }

  const WordIndex& words_;
  const SpreadNeighbours& neighbours_;
  const Placement& spread_;
  Ranks& ranks_;
  std::span<const LinkQuery> queries_;
  const Run& run_;
  std::vector<Answer> answers_;
};

std::vector<LinkQuery> choose_queries(const Model& model, const SpreadNeighbours& neighbours, const Placement& spread) {
  const BagsView& words = model.documents().words;
  Ranks& ranks = *spread.ranks();
  std::vector<SampledDocument> sample;
  for (std::uint32_t i = 0; i < words.size(); ++i) {
    const auto document = static_cast<std::uint32_t>(spread.begin()) + i;
    if (words.words()[i].empty() || neighbours.count(document) == 0) continue;
    sample.push_back({digest_of(model.documents().ids[i]), document});
  }
  std::uint64_t useful = sample.size();
  ranks.add_up({&useful, 1});
  if (useful < kFewestForWeights) return {};
  take_sample(sample, documents_sampled(useful));
  sample = all_of(ranks, std::span<const SampledDocument>(sample));
  take_sample(sample, documents_sampled(useful));
  Packer packed;
  for (const SampledDocument& one : sample) {
    if (!spread.here(one.document)) continue;
    pack(words[one.document - spread.begin()], packed);
    packed.add_all(neighbours.all(one.document));
  }
  const std::vector<Bytes> all = ranks.all_gather(packed.bytes());
  std::vector<Unpacker> from(all.begin(), all.end());
  std::vector<LinkQuery> queries;
  for (const SampledDocument& one : sample) {
    LinkQuery& query = queries.emplace_back();
    query.self = one.document;
    unpack(from[spread.owner(one.document)], query.words);
    query.linked = from[spread.owner(one.document)].next_all<std::uint32_t>();
  }
  return queries;
}

}  // namespace

std::vector<std::vector<double>> spread_link_ranks(const Model& model, const Placement& spread,
                                                   std::span<const double> weights, const Run& run) {
  const SpreadNeighbours neighbours(model.documents(), spread);
  const std::vector<LinkQuery> queries = choose_queries(model, neighbours, spread);
  std::vector<std::vector<double>> result;
  if (queries.empty()) return result;
  const WordIndex words(model.documents().words, model.words().strings.size(), &spread);
  for (std::size_t begin = 0; begin < queries.size(); begin += kTogether) {
    const auto some = std::span(queries).subspan(begin, std::min(kTogether, queries.size() - begin));
    for (auto& ranks : RankedQueries(words, neighbours, spread, some, run).reciprocal_ranks(weights)) {
      result.push_back(std::move(ranks));
    }
  }
  return result;
}

}  // namespace idne
