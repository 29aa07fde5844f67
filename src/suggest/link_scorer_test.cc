#include "suggest/link_scorer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "math/random.h"
#include "model/tensors.h"

namespace idne {
namespace {

/// Documents of words 0 … words − 1, with links and groups; their vectors are their counts.
struct TestCorpus {
  std::size_t words;
  std::vector<std::vector<WordCount>> bags;
  std::vector<std::vector<std::int32_t>> links, groups;

  Model model() const {
    Model model;
    ModelMaker maker(model);
    CountMatrix counts;
    std::vector<float> vectors(bags.size() * words);
    for (std::size_t i = 0; i < bags.size(); ++i) {
      counts.add_row(bags[i]);
      for (const WordCount& entry : bags[i]) vectors[i * words + entry.word] = static_cast<float>(entry.count);
    }
    maker.set(layout::kDocumentVectors, std::move(vectors), bags.size(), words);
    maker.set(layout::kDocumentWords, counts);
    std::vector<std::string> strings;
    for (std::size_t w = 0; w < words; ++w) strings.push_back("w" + std::to_string(w));
    maker.set_strings(layout::kWordStrings, strings);
    maker.set(layout::kDocumentLinks, lists(links));
    maker.set(layout::kDocumentGroups, lists(groups));
    return model;
  }
  static Lists lists(const std::vector<std::vector<std::int32_t>>& rows) {
    Lists lists;
    for (const auto& row : rows) {
      lists.values.insert(lists.values.end(), row.begin(), row.end());
      lists.end_row();
    }
    return lists;
  }
};

TestCorpus random_corpus(std::uint64_t seed, std::size_t documents = 150, std::size_t words = 40) {
  TestCorpus corpus{
      words, {}, std::vector<std::vector<std::int32_t>>(documents), std::vector<std::vector<std::int32_t>>(documents)};
  Random random(seed, Purpose::Split, 0);
  for (std::size_t i = 0; i < documents; ++i) {
    std::vector<std::uint32_t> text;
    for (int n = 0; n < 12; ++n) text.push_back(random.below(static_cast<std::uint32_t>(words)));
    corpus.bags.push_back(count_words(text));
    for (std::int32_t g = 0; g < 4; ++g) {
      if (random.below(10) == 0) corpus.groups[i].push_back(g);
    }
  }
  for (std::size_t i = 0; i < documents; ++i) {
    for (std::size_t j = i + 1; j < documents; ++j) {
      if (random.below(30) > 0) continue;
      corpus.links[i].push_back(static_cast<std::int32_t>(j));
      corpus.links[j].push_back(static_cast<std::int32_t>(i));
    }
  }
  for (auto& list : corpus.links) std::ranges::sort(list);
  return corpus;
}

double ways(const TestCorpus& corpus, std::size_t a, std::size_t b) {
  if (a == b) return 0;
  double ways = std::ranges::count(corpus.links[a], static_cast<std::int32_t>(b)) ? 1 : 0;
  for (const std::int32_t group : corpus.groups[a]) ways += std::ranges::count(corpus.groups[b], group) ? 1 : 0;
  return ways;
}

/// The formulas of docs/suggest.md, word by word.
struct Plain {
  explicit Plain(const TestCorpus& from) : corpus(from) {
    const auto n = static_cast<double>(corpus.bags.size());
    for (std::uint32_t w = 0; w < corpus.words; ++w) {
      double with = 0;
      for (const auto& bag : corpus.bags) with += count(bag, w) > 0;
      idf.push_back(std::log((1 + n) / (1 + with)) + 1);
    }
    for (const auto& bag : corpus.bags) mean += length(bag) / n;
  }
  static double count(const std::vector<WordCount>& bag, std::uint32_t word) {
    for (const WordCount& entry : bag) {
      if (entry.word == word) return entry.count;
    }
    return 0;
  }
  double weight(const std::vector<WordCount>& bag, std::uint32_t word) const {
    const double times = count(bag, word);
    return times > 0 ? (1 + std::log(times)) * idf[word] : 0;
  }
  double length(const std::vector<WordCount>& bag) const {
    double square = 0;
    for (std::uint32_t w = 0; w < corpus.words; ++w) square += std::pow(weight(bag, w), 2);
    return std::sqrt(square);
  }
  double words(const std::vector<WordCount>& text, std::size_t document) const {
    double sum = 0;
    for (std::uint32_t w = 0; w < corpus.words; ++w) sum += weight(text, w) * weight(corpus.bags[document], w);
    return sum / length(text) / (0.25 * mean + 0.75 * length(corpus.bags[document]));
  }
  double cosine(const std::vector<WordCount>& text, std::size_t document) const {
    double product = 0, a = 0, b = 0;
    for (std::uint32_t w = 0; w < corpus.words; ++w) {
      const double x = count(text, w), y = count(corpus.bags[document], w);
      product += x * y, a += x * x, b += y * y;
    }
    return product / std::sqrt(a * b);
  }
  std::vector<std::size_t> first(const std::vector<double>& scores, std::size_t self) const {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      if (i != self && scores[i] > 0) rows.push_back(i);
    }
    std::ranges::stable_sort(rows, std::ranges::greater{}, [&](std::size_t i) { return scores[i]; });
    rows.resize(std::min<std::size_t>(60, rows.size()));
    return rows;
  }
  /// As ways(), but of a group only the member with the most words in common counts whole.
  double share(std::size_t voter, std::size_t document, const std::vector<double>& by_words, std::size_t self) const {
    if (voter == document) return 0;
    double share = std::ranges::count(corpus.links[voter], static_cast<std::int32_t>(document)) ? 1 : 0;
    for (const std::int32_t group : corpus.groups[voter]) {
      if (!std::ranges::count(corpus.groups[document], group)) continue;
      std::size_t first = self;
      for (std::size_t i = 0; i < corpus.bags.size(); ++i) {
        if (i == self || !std::ranges::count(corpus.groups[i], group) || left_out.count(i)) continue;
        if (first == self || by_words[i] > by_words[first]) first = i;
      }
      share += document == first ? 1 : 0.5;
    }
    return share;
  }
  double votes(const std::vector<double>& likeness, const std::vector<double>& by_words, std::size_t self,
               std::size_t document) const {
    double sum = 0, votes = 0;
    for (const std::size_t n : first(likeness, self)) sum += likeness[n] * likeness[n];
    for (const std::size_t n : first(likeness, self)) {
      double degree = 0;
      for (std::size_t j = 0; j < corpus.bags.size(); ++j) degree += ways(corpus, n, j);
      votes +=
          likeness[n] * likeness[n] / sum * share(n, document, by_words, self) / std::pow(std::max(1.0, degree), 0.25);
    }
    return votes;
  }
  LinkParts parts(const std::vector<WordCount>& text, std::size_t document, std::size_t self,
                  LinkWeights weights) const {
    std::vector<double> by_words, by_vectors;
    for (std::size_t i = 0; i < corpus.bags.size(); ++i) {
      by_words.push_back(words(text, i));
      by_vectors.push_back(cosine(text, i));
    }
    return {
        by_words[document], weights.space * by_vectors[document],
        weights.votes * (votes(by_words, by_words, self, document) + votes(by_vectors, by_words, self, document)) / 2};
  }
  const TestCorpus& corpus;
  std::set<std::size_t> left_out = {};
  std::vector<double> idf = {};
  double mean = 0;
};

LinkScorer::Ranking ranked(const LinkScorer& scorer, const Model& model, const std::vector<WordCount>& text,
                           std::optional<std::uint32_t> self, std::size_t count,
                           std::span<const std::uint32_t> left_out = {}) {
  std::vector<float> vector(model.documents().vectors.columns);
  for (const WordCount& entry : text) vector[entry.word] = static_cast<float>(entry.count);
  const std::vector<Hit> near = nearest(model.documents().vectors, vector, LinkScorer::kNearest, 1);
  return scorer.rank({text, near, vector, self, left_out}, count);
}

TEST(LinkScorer, PartsAreThoseOfTheFormulas) {
  for (const std::uint64_t seed : {1u, 2u}) {
    const TestCorpus corpus = random_corpus(seed);
    Model model = corpus.model();
    ModelMaker(model).set(layout::kLinkWeights, std::vector{0.25f, 1.5f});
    const LinkScorer scorer(model);
    const Plain plain(corpus);
    const std::vector<WordCount> text{{1, 2}, {5, 1}, {17, 1}, {30, 3}};
    const auto none = static_cast<std::size_t>(-1);
    const LinkScorer::Ranking ranking = ranked(scorer, model, text, {}, 20);
    ASSERT_EQ(ranking.links.size(), 20u);
    for (const LinkScorer::Scored& link : ranking.links) {
      const LinkParts expected = plain.parts(text, link.document, none, {0.25, 1.5});
      EXPECT_NEAR(link.parts.words, expected.words, 1e-5);
      EXPECT_NEAR(link.parts.space, expected.space, 1e-5);
      EXPECT_NEAR(link.parts.votes, expected.votes, 1e-5);
      EXPECT_DOUBLE_EQ(link.score, link.parts.sum());
    }
    // The best are the best of all documents.
    std::vector<double> all;
    for (std::size_t i = 0; i < corpus.bags.size(); ++i) all.push_back(plain.parts(text, i, none, {0.25, 1.5}).sum());
    std::ranges::sort(all, std::ranges::greater{});
    for (std::size_t n = 0; n < 20; ++n) EXPECT_NEAR(ranking.links[n].score, all[n], 1e-5) << n;
  }
}

TEST(LinkScorer, ADocumentNeitherVotesForItsLinksNorIsSuggested) {
  const TestCorpus corpus = random_corpus(3);
  const Model model = corpus.model();
  const LinkScorer scorer(model);
  Plain plain(corpus);
  const std::vector<std::uint32_t> linked = scorer.neighbours().all(7);
  plain.left_out = {linked.begin(), linked.end()};
  ASSERT_GT(linked.size(), 3u);
  const auto ranking = ranked(scorer, model, corpus.bags[7], 7u, 200, linked);
  EXPECT_EQ(ranking.links.size(), corpus.bags.size() - 1 - linked.size());
  for (const LinkScorer::Scored& link : ranking.links) {
    EXPECT_NE(link.document, 7u);
    EXPECT_FALSE(std::ranges::binary_search(linked, link.document));
    EXPECT_NEAR(link.parts.votes, plain.parts(corpus.bags[7], link.document, 7, {}).votes, 1e-5);
  }
  EXPECT_TRUE(std::ranges::none_of(ranking.voters, [](const Voter& voter) { return voter.document == 7; }));
}

TEST(LinkScorer, WhatVotersGiveAddsUpToTheVotes) {
  const TestCorpus corpus = random_corpus(4);
  const Model model = corpus.model();
  const LinkScorer scorer(model);
  const auto ranking = ranked(scorer, model, {{2, 1}, {3, 1}}, {}, 30);
  for (const LinkScorer::Scored& link : ranking.links) {
    double sum = 0;
    for (const Voter& voter : ranking.voters) {
      sum += voter.weight * scorer.neighbours().share(voter.document, link.document, ranking.firsts);
    }
    EXPECT_NEAR(sum, link.parts.votes, 1e-5);
  }
}

TEST(Neighbours, AreCountedAsTheyAreListed) {
  const TestCorpus corpus = random_corpus(5);
  const Model model = corpus.model();
  const Neighbours neighbours(model.documents());
  for (std::size_t a = 0; a < corpus.bags.size(); ++a) {
    double count = 0;
    std::vector<std::uint32_t> all;
    for (std::uint32_t b = 0; b < corpus.bags.size(); ++b) {
      EXPECT_EQ(neighbours.share(a, b, {}) > 0, ways(corpus, a, b) > 0);
      count += ways(corpus, a, b);
      if (ways(corpus, a, b) > 0) all.push_back(b);
    }
    EXPECT_EQ(static_cast<double>(neighbours.count(a)), count);
    EXPECT_EQ(neighbours.all(a), all);
  }
}

TEST(LinkScorer, OfAGroupsVotesTheBestMemberHasAllAndTheOthersHalf) {
  // 0 and 1 are a group, 2 votes for it; 1 shares a word with the text.
  TestCorpus corpus{4, {{{0, 1}}, {{0, 1}, {1, 1}}, {{2, 1}}, {{3, 1}}}, {{}, {}, {}, {}}, {{0}, {0}, {0}, {}}};
  const Model model = corpus.model();
  const Neighbours neighbours(model.documents());
  const std::vector<float> scores{0.1f, 0.2f, 0.5f, 0};
  std::vector<float> votes(4);
  const std::vector<Voter> voters{{2, 0.8}};
  const std::vector<std::uint32_t> nobody, two{2};
  neighbours.add_votes(voters, scores, nobody, votes);
  EXPECT_EQ(votes, (std::vector<float>{0.4f, 0.4f, 0, 0})) << "the voter itself is first, and has no vote of its own";
  votes.assign(4, 0);
  const auto firsts = neighbours.add_votes(voters, scores, two, votes);
  EXPECT_EQ(votes, (std::vector<float>{0.4f, 0.8f, 0, 0}));
  EXPECT_EQ(neighbours.share(2, 1, firsts), 1);
  EXPECT_EQ(neighbours.share(2, 0, firsts), 0.5);
}

TEST(LinkScorer, AModelWithoutLinksOrWordsStillRanksBySpace) {
  TestCorpus corpus = random_corpus(6);
  Model model = corpus.model();
  ModelMaker maker(model);
  maker.remove(layout::kDocumentLinks);
  maker.remove(layout::kDocumentGroups);
  maker.remove(layout::kDocumentWords);
  const LinkScorer scorer(model);
  const auto ranking = ranked(scorer, model, {{2, 1}, {3, 1}}, {}, 5);
  ASSERT_EQ(ranking.links.size(), 5u);
  EXPECT_GT(ranking.links[0].parts.space, 0);
  EXPECT_EQ(ranking.links[0].parts.words + ranking.links[0].parts.votes, 0);
}

}  // namespace
}  // namespace idne
