#include "text/joins.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace idne {
namespace {

std::vector<std::string> applied(const Joins& joins, std::vector<std::string_view> run) {
  std::vector<std::string> words;
  for (const Joins::Part& part : joins.apply(run)) words.emplace_back(part.word);
  return words;
}
using Words = std::vector<std::string>;

TEST(Joins, TheFirmestPairIsJoinedFirst) {
  Joins joins;
  joins.add("new", "york");
  joins.add("york", "city");
  joins.add("new york", "times");
  EXPECT_EQ(applied(joins, {"old", "new", "york", "city"}), (Words{"old", "new york", "city"}));
  EXPECT_EQ(applied(joins, {"york", "city"}), (Words{"york city"}));
  EXPECT_EQ(applied(joins, {"new", "york", "times"}), (Words{"new york times"}));
  EXPECT_EQ(applied(joins, {"new", "times"}), (Words{"new", "times"}));
  EXPECT_EQ(applied(joins, {}), Words{});
}

/// The firmest rule of all is applied from left to right, and then the firmest of what is left.
Words joined_plainly(const Joins& joins, Words words) {
  while (true) {
    std::size_t firmest = joins.size();
    for (std::size_t k = 0; k + 1 < words.size(); ++k) {
      for (std::size_t rule = 0; rule < firmest; ++rule) {
        if (joins.left(rule) == words[k] && joins.right(rule) == words[k + 1]) firmest = rule;
      }
    }
    if (firmest == joins.size()) return words;
    Words next;
    for (std::size_t k = 0; k < words.size(); ++k) {
      const bool here = k + 1 < words.size() && joins.left(firmest) == words[k] && joins.right(firmest) == words[k + 1];
      next.emplace_back(here ? joins.joined(firmest) : words[k]);
      k += here;
    }
    words = std::move(next);
  }
}

TEST(Joins, AreWhatTheFirmestRuleAfterTheOtherGives) {
  std::mt19937 random(7);
  const std::vector<std::string> letters{"a", "b", "c", "d", "天", "地"};
  const auto letter = [&] { return letters[random() % letters.size()]; };
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<std::pair<std::string, std::string>> rules;
    for (int n = 0; n < 8; ++n) {
      const bool longer = !rules.empty() && random() % 2 == 0;
      const auto& other = longer ? rules[random() % rules.size()] : std::pair(letter(), letter());
      const std::string joined = joined_words(other.first, other.second);
      rules.push_back(!longer ? other : random() % 2 ? std::pair(joined, letter()) : std::pair(letter(), joined));
    }
    std::ranges::shuffle(rules, random);  // so that what comes of a weak rule may be joined by a firm one
    Joins joins;
    for (const auto& [left, right] : rules) joins.add(left, right);
    Words words;
    for (int n = 0; n < 40; ++n) words.push_back(letter());
    const std::vector<std::string_view> run(words.begin(), words.end());
    EXPECT_EQ(applied(joins, run), joined_plainly(joins, words));
  }
}

TEST(Joins, PartsKnowTheirPlaces) {
  Joins joins;
  joins.add("b", "c");
  const std::vector<std::string_view> run{"a", "b", "c", "d"};
  const auto parts = joins.apply(run);
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(parts[1].begin, 1u);
  EXPECT_EQ(parts[1].end, 3u);
  EXPECT_EQ(parts[2].begin, 3u);
}

TEST(Joins, IdeographsAreJoinedWithoutASpace) {
  EXPECT_EQ(joined_words("new", "york"), "new york");
  EXPECT_EQ(joined_words("王", "小明"), "王小明");
  EXPECT_EQ(joined_words("王", "bank"), "王 bank");
}

TEST(Joins, PhrasesGoOverSpacesAndHyphensAndNotOverPunctuation) {
  const auto follow = [](std::string_view text, bool phrases) {
    Tokenizer tokenizer;
    Token token;
    tokenizer.start(text);
    EXPECT_TRUE(tokenizer.next(token));
    const std::string before(token.word);
    const std::size_t end = token.end;
    EXPECT_TRUE(tokenizer.next(token));
    return follows(text, token, end, before, phrases);
  };
  for (const char* text : {"new york", "new-york", "new\nyork", "new  york"}) EXPECT_TRUE(follow(text, true)) << text;
  for (const char* text : {"new, york", "new. York", "new\n\nyork", "new a york"}) {
    EXPECT_FALSE(follow(text, true)) << text;
  }
  EXPECT_FALSE(follow("new york", false));
}

class LearnedJoins : public testing::Test {
 protected:
  void document(std::vector<std::vector<std::string_view>> all) {
    for (const auto& words : all) {
      std::vector<std::uint32_t> run;
      for (const std::string_view word : words) run.push_back(tokens_.add(word));
      runs_.add_run(run, {});
    }
    runs_.end_document();
  }
  Joins learned(std::uint64_t min_count) const {
    std::vector<std::uint32_t> all(runs_.documents());
    std::iota(all.begin(), all.end(), 0u);
    return learn_joins(tokens_, runs_, all, min_count);
  }
  StringTable tokens_;
  Runs runs_;
};

TEST_F(LearnedJoins, AreThoseThatStandTogetherOftenerThanByChance) {
  for (int n = 0; n < 12; ++n) {
    document({{"hong", "kong", n % 2 ? "is" : "has"}, {"is", "has"}, {"has", "is"}, {"has", "has"}, {"is", "is"}});
  }
  const Joins joins = learned(5);
  ASSERT_GE(joins.size(), 1u);
  EXPECT_EQ(joins.joined(0), "hong kong");
  EXPECT_EQ(applied(joins, {"is", "has"}), (Words{"is", "has"}));
}

TEST_F(LearnedJoins, RarePairsAndPairsOfOneDocumentAreNone) {
  document({{"hong", "kong"}, {"hong", "kong"}, {"hong", "kong"}, {"a", "b"}});
  EXPECT_TRUE(learned(2).empty());
  document({{"hong", "kong"}, {"c", "d"}});
  EXPECT_FALSE(learned(2).empty());
  EXPECT_TRUE(learned(5).empty());
}

TEST_F(LearnedJoins, NamesOfFourCharactersComeTogetherInTwoRounds) {
  for (int n = 0; n < 6; ++n)
    document({{"弗", "洛", "伊", "德"}, {"天", "地"}, {"人", "水"}, {"地", "人"}, {"水", "天"}});
  EXPECT_EQ(applied(learned(3), {"弗", "洛", "伊", "德"}), (Words{"弗洛伊德"}));
}

TEST_F(LearnedJoins, NumbersAreNotJoinedWithNumbers) {
  for (int n = 0; n < 6; ++n) document({{"19", "98"}, {"windows", "95"}, {"x", "y"}, {"y", "x"}});
  const Joins joins = learned(3);
  EXPECT_EQ(applied(joins, {"19", "98"}), (Words{"19", "98"}));
  EXPECT_EQ(applied(joins, {"windows", "95"}), (Words{"windows 95"}));
}

}  // namespace
}  // namespace idne
