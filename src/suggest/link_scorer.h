#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "idne/model.h"
#include "idne/suggest.h"
#include "suggest/text_words.h"
#include "suggest/word_index.h"

namespace idne {

/// What space and votes weigh in a link's score; words weigh 1.
struct LinkWeights {
  double space = 0.1, votes = 1;
};
/// Those that training found for a model, or the fixed ones.
LinkWeights link_weights(const Model& model);

/// Of each kind. 30 to 100 were about as good (docs/suggest.md).
inline constexpr std::size_t kLinkVoters = 60;
/// Of a group's votes, for all members but the first. 0.7 to 0.4 were tried (docs/suggest.md).
inline constexpr double kLinkGroupShare = 0.5;

/// The documents with the largest scores above zero, best first, ties by number; `left_out` (rising) are passed over.
std::vector<Hit> best_rows(std::span<const float> scores, std::size_t count, std::span<const std::uint32_t> left_out);
/// Voters whose weights add up to `share` before they are divided by the fourth roots of their numbers of links, of
/// which links[n] has the n-th of the nearest.
void add_weighed_voters(std::span<const Hit> nearest, std::span<const std::uint64_t> links, double share,
                        std::vector<Voter>& voters);

/// Of a group that has votes, the member that gets them whole.
struct GroupFirst {
  std::int32_t group;
  std::uint32_t document;
};

/// The linked ones and the other members of the groups, rising, each once.
template <class MembersOf>
std::vector<std::uint32_t> all_neighbours(std::size_t document, std::span<const std::int32_t> links,
                                          std::span<const std::int32_t> groups, const MembersOf& members_of) {
  std::vector<std::uint32_t> all(links.begin(), links.end());
  for (const std::int32_t group : groups) {
    for (const std::uint32_t member : members_of(group)) {
      if (member != document) all.push_back(member);
    }
  }
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

/// Who is linked with whom: by links, and by groups, in which all are linked with each other. Groups are not expanded.
class Neighbours {
 public:
  explicit Neighbours(const Documents& documents);

  /// Links, and other members of its groups: who is met in several ways counts each time.
  std::uint64_t count(std::size_t document) const;
  /// Adds each voter's weight to its neighbours: to those that it has a link with, and to the members of each of its
  /// groups, to the one with the largest of `scores` the whole, to the others half. For a group's votes say "one of
  /// these", not which: so the best of another group can come before the second of the first. Nobody votes for himself.
  /// Those of `left_out` (rising) are nobody's first. Gives the firsts, by group.
  std::vector<GroupFirst> add_votes(std::span<const Voter> voters, std::span<const float> scores,
                                    std::span<const std::uint32_t> left_out, std::span<float> votes) const;
  /// The share of a voter's weight that a document has got.
  double share(std::size_t voter, std::size_t document, std::span<const GroupFirst> firsts) const;
  /// All neighbours, rising, each once.
  std::vector<std::uint32_t> all(std::size_t document) const;

 private:
  double shared_groups(std::size_t voter, std::size_t document, std::span<const GroupFirst> firsts) const;
  std::span<const std::int32_t> links(std::size_t document) const;
  std::span<const std::int32_t> groups(std::size_t document) const;
  std::span<const std::uint32_t> members(std::int32_t group) const;

  ListsView links_, groups_;
  std::vector<std::uint64_t> member_offsets_;
  std::vector<std::uint32_t> members_;  ///< of each group
};

/// Scores documents as links of a text, by words, space and votes. The text's nearest documents, by words and by
/// vectors, vote for what they are linked with: each with its likeness squared, so that all votes of either kind add up
/// to one half, divided by the fourth root of its number of links, so that those who link to much say less of each.
class LinkScorer {
 public:
  /// The model must live as long.
  explicit LinkScorer(const Model& model);

  struct Query {
    std::span<const WordCount> words;
    std::span<const Hit> nearest;             ///< by vectors, best first: voters and candidates
    std::span<const float> vector;            ///< the one that these are nearest to
    std::optional<std::uint32_t> self = {};   ///< a document of the model: it neither votes nor is suggested
    std::span<const std::uint32_t> left_out;  ///< not suggested; rising
  };
  struct Scored {
    std::uint32_t document;
    LinkParts parts;
    double score;
  };
  struct Ranking {
    std::vector<Scored> links;  ///< best first
    std::vector<Voter> voters;  ///< with what each gives to a neighbour, weighed; by document
    std::vector<GroupFirst> firsts;
  };
  Ranking rank(const Query& query, std::size_t count) const;

  const WordIndex& words() const { return words_; }
  /// The documents' bags of words, numbered as those of queries are.
  const BagsView& documents() const { return text_words_.documents(); }
  const Neighbours& neighbours() const { return neighbours_; }
  /// So many documents nearest by vectors make a query.
  static constexpr std::size_t kNearest = 100;

  /// The votes of the nearest documents by words alone, as if there were no other ones: what weights are chosen by.
  std::vector<Voter> word_voters(std::span<const float> scores, std::optional<std::uint32_t> self) const;

 private:
  /// Voters whose weights add up to `share` before they are divided by their numbers of links.
  void add_voters(std::span<const Hit> nearest, double share, std::vector<Voter>& voters) const;

  const Model& model_;
  const LinkWeights weights_;
  TextWords text_words_;
  WordIndex words_;
  Neighbours neighbours_;
};

}  // namespace idne
