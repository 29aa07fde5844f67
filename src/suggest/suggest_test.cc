#include "idne/suggest.h"

#include <gtest/gtest.h>

#include <cmath>

#include "idne/train.h"
#include "model/tensors.h"

namespace idne {
namespace {

/// Twenty documents of two fields, whose words differ; document 0 has both labels if `several`.
Collection two_fields(bool several = false) {
  Collection collection;
  const std::vector<std::vector<std::string>> words{{"gene", "cell", "protein"}, {"court", "judge", "law"}};
  for (std::uint32_t i = 0; i < 20; ++i) {
    collection.ids.add(std::string{'d', static_cast<char>('a' + i)});
    collection.titles.emplace_back("title");
    std::vector<std::uint32_t> text;
    for (std::uint32_t n = 0; n < 5; ++n) text.push_back(collection.tokens.add(words[i % 2][(i / 2 + n * n) % 3]));
    collection.counts.add_row(count_words(text));
    collection.labels.add(i % 2 ? "law" : "bio");
    collection.document_labels.values.push_back(static_cast<std::int32_t>(i % 2));
    if (several && i == 0) collection.document_labels.values.push_back(1);
    collection.document_labels.end_row();
    if (i >= 2) collection.links.push_back({i - 2, i, 1});
  }
  if (several) collection.labels.add("law");
  return collection;
}

Model trained(const Collection& collection, const std::string& method, const std::vector<std::string>& settings) {
  for (const MethodInfo& known : known_methods()) {
    if (known.name != method) continue;
    Options options(known.options);
    for (std::size_t k = 0; k + 1 < settings.size(); k += 2) options.set(settings[k], settings[k + 1]);
    return train(collection, method, options, {1, 1.0}, {});
  }
  throw Error("no method " + method);
}

Model small_idne(const Collection& collection, const std::string& neighbours = "0") {
  return trained(collection, "idne",
                 {"dim", "8", "topics", "3", "steps", "30", "start", "random", "neighbours", neighbours});
}

Suggestions suggested(const Model& model, const std::string& text, SuggestionCounts counts = {}) {
  const TextEncoder encoder(model);
  Tokenizer tokenizer;
  return Suggester(encoder).suggest(encoder.words(text, tokenizer), counts);
}

const SuggestionCounts kAll{100, 100, 100, 100};

template <class Parts>
double sum_of(const Parts& parts) {
  double sum = 0;
  for (const auto& part : parts) sum += part.part;
  return sum;
}

enum Parts { Topics = 1, Pairs = 2 };

/// Each link's score is the sum of its parts, words, voters, and what else there is add up to theirs.
void expect_parts_add_up(const Suggestions& suggestions, int kinds) {
  ASSERT_EQ(suggestions.links.size(), 20u);
  double words = 0, space = 0, votes = 0;
  const auto expect = [&](const auto& parts, bool wanted, double score) {
    EXPECT_EQ(!parts.empty(), wanted);
    EXPECT_NEAR(sum_of(parts), wanted ? score : 0, 1e-5);
  };
  for (const SuggestedLink& link : suggestions.links) {
    EXPECT_DOUBLE_EQ(link.score, link.parts.words + link.parts.space + link.parts.votes);
    expect(link.words, link.parts.words > 0, link.parts.words);
    expect(link.topics, kinds & Topics, link.parts.space);
    expect(link.pairs, kinds & Pairs, link.parts.space);
    double given = 0;
    for (const Voter& voter : link.voters) given += voter.weight;
    EXPECT_NEAR(given, link.parts.votes, 1e-5);
    words += link.parts.words, space += std::abs(link.parts.space), votes += link.parts.votes;
  }
  for (const double sum : {words, space, votes}) EXPECT_GT(sum, 0.1) << "sums of nothing add up to nothing";
}

TEST(Suggest, TheLabelOfItsWordsComesFirstAndLabelsSumToOne) {
  const Model model = small_idne(two_fields());
  const Suggestions suggestions = suggested(model, "Judge, court and law!");
  ASSERT_EQ(suggestions.labels.size(), 2u);
  EXPECT_EQ(model.labels().names[suggestions.labels[0].label], "law");
  EXPECT_GT(suggestions.labels[0].probability, 0.5);
  EXPECT_NEAR(suggestions.labels[0].probability + suggestions.labels[1].probability, 1, 1e-12);
}

TEST(Suggest, WithSeveralLabelsADocumentEachStandsForItself) {
  const Suggestions suggestions = suggested(small_idne(two_fields(true)), "judge gene");
  ASSERT_EQ(suggestions.labels.size(), 2u);
  EXPECT_GT(std::abs(suggestions.labels[0].probability + suggestions.labels[1].probability - 1), 1e-9);
}

TEST(Suggest, LinksAreByScoreWithPartsThatAddUp) {
  const Suggestions suggestions = suggested(small_idne(two_fields()), "judge court cell", kAll);
  for (std::size_t n = 1; n < suggestions.links.size(); ++n) {
    EXPECT_LE(suggestions.links[n].score, suggestions.links[n - 1].score);
  }
  expect_parts_add_up(suggestions, Topics | Pairs);
}

TEST(Suggest, PartsAddUpWhereDocumentsAreJoinedWithNeighbours) {
  expect_parts_add_up(suggested(small_idne(two_fields(), "1"), "judge court cell", kAll), Topics);
}

TEST(Suggest, MethodsWithoutTopicsGiveWords) {
  for (const std::string method : {"lsa", "tadw", "gvnrt"}) {
    SCOPED_TRACE(method);
    std::vector<std::string> settings{"dim", "4"};
    if (method == "tadw") settings.insert(settings.end(), {"features", "3"});
    const Suggestions suggestions = suggested(trained(two_fields(), method, settings), "judge court cell", kAll);
    // A document of TADW is half network: no sum over its words.
    expect_parts_add_up(suggestions, method == "tadw" ? 0 : Pairs);
    EXPECT_EQ(suggestions.labels.size(), 2u);
  }
}

TEST(Suggest, MethodsWithoutWordVectorsGiveLinksAlone) {
  const Model model = trained(two_fields(), "graph2gauss", {"dim", "4", "hidden", "8", "rounds", "3"});
  const Suggestions suggestions = suggested(model, "judge court cell");
  ASSERT_EQ(suggestions.links.size(), 5u);
  EXPECT_TRUE(suggestions.links[0].pairs.empty());
  EXPECT_FALSE(suggestions.links[0].words.empty()) << "documents keep their words whatever the method";
  EXPECT_EQ(suggestions.labels.size(), 2u);
}

TEST(Suggest, OfALongTextSomeWordsArePairedAndReasonsTakeNoMoreRoomThanAskedFor) {
  // Two documents of 400 words, and a text of all of them.
  Collection collection = two_fields();
  std::string text;
  for (const std::uint32_t i : {0u, 1u}) {
    std::vector<std::uint32_t> words;
    for (int n = 0; n < 400; ++n) {
      const std::string word{'w', static_cast<char>('a' + n % 20), static_cast<char>('a' + n / 20), "xy"[i]};
      words.push_back(collection.tokens.add(word));
      text += word + " ";
    }
    collection.ids.add("long " + std::to_string(i));
    collection.titles.emplace_back("long");
    collection.counts.add_row(count_words(words));
    collection.document_labels.end_row();
  }
  const Model model = trained(collection, "idne", {"dim", "8", "topics", "3", "steps", "5", "start", "random"});
  for (const SuggestedLink& link : suggested(model, text, {2, 22, 2, 1'000'000}).links) {
    EXPECT_LE(link.pairs.size(), 300u * 300u);
  }
  for (const SuggestedLink& link : suggested(model, text, {2, 22, 2, 7}).links) {
    EXPECT_LE(link.words.size(), 7u);
    EXPECT_LE(link.pairs.size(), 7u);
  }
}

TEST(Suggest, WhatIsMissingIsNeitherItselfNorThere) {
  const Collection collection = two_fields();
  const Model model = small_idne(collection);
  const TextEncoder encoder(model);
  const Suggester suggester(encoder);
  const Suggestions missing = suggester.suggest_missing(4, {2, 20, 3, 5});
  EXPECT_EQ(missing.links.size(), 17u) << "20 but for itself, 2 and 6";
  for (const SuggestedLink& link : missing.links) {
    EXPECT_TRUE(link.document != 4 && link.document != 2 && link.document != 6) << link.document;
  }
  const auto all = missing_links(suggester, 20, 3, {});
  EXPECT_GT(all.size(), 20u);
  for (std::size_t n = 0; n < all.size(); ++n) {
    EXPECT_NE(std::max(all[n].from, all[n].to) - std::min(all[n].from, all[n].to), 2u) << "linked";
    EXPECT_LE(all[n].score, all[n == 0 ? 0 : n - 1].score);
    for (std::size_t m = 0; m < n; ++m) {
      EXPECT_FALSE(all[m].from == all[n].to && all[m].to == all[n].from);
      EXPECT_FALSE(all[m].from == all[n].from && all[m].to == all[n].to);
    }
  }
}

TEST(Suggest, LittleTrustIsDueWhereLittleIsKnown) {
  const Model model = small_idne(two_fields());
  EXPECT_FALSE(suggested(model, "judge").doubts.empty());
  EXPECT_TRUE(suggested(model, "judge court law").doubts.empty());
}

TEST(Suggest, WordsSpeakForALabelAndAgainstAnother) {
  const Model model = small_idne(two_fields());
  for (const SuggestedLabel& label : suggested(model, "judge court law").labels) {
    ASSERT_FALSE(label.words.empty());
    EXPECT_EQ(label.words[0].part > 0, model.labels().names[label.label] == "law");
  }
}

TEST(Suggest, ATextWithoutKnownWordsGetsNothing) {
  const Suggestions suggestions = suggested(small_idne(two_fields()), "nothing known");
  EXPECT_TRUE(suggestions.labels.empty());
  EXPECT_TRUE(suggestions.links.empty());
  EXPECT_EQ(suggestions.doubts, std::vector<std::string>{"none of its words is known"});
}

TEST(Suggest, ACorpusWithoutLabelsGetsNoHead) {
  Collection collection = two_fields();
  collection.labels = StringTable();
  collection.document_labels = {std::vector<std::int64_t>(21), {}};
  const Model model = small_idne(collection);
  EXPECT_EQ(model.labels().weights.rows, 0u);
  const Suggestions suggestions = suggested(model, "judge");
  EXPECT_TRUE(suggestions.labels.empty());
  EXPECT_EQ(suggestions.links.size(), 5u);
}

}  // namespace
}  // namespace idne
