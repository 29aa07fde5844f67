#include "text/families.h"

#include <gtest/gtest.h>

namespace idne {
namespace {

TEST(WordFamilies, AreInflectionsInTheCorpussLanguages) {
  const std::vector<std::string_view> words{"network",  "shark", "sharks", "1998",
                                            "networks", "haus",  "hauses", "9f86d081"};
  const auto english = word_families(words, parse_languages("english"));
  EXPECT_EQ(english, (std::vector<std::uint32_t>{0, 1, 1, kNoFamily, 0, 5, 5, kNoFamily}));
  const std::vector<std::string_view> german{"gerat", "gerate", "geraten"};
  const auto families = word_families(german, parse_languages("german"));
  EXPECT_EQ(families[1], families[0]);
  EXPECT_EQ(word_families(words, 0), english) << "English if nobody knows";
}

TEST(WordFamilies, FunctionWordsOfKnownLanguagesNameNothing) {
  const std::vector<std::string_view> words{"war", "wars", "avons", "cat"};
  EXPECT_EQ(word_families(words, parse_languages("english,german"))[0], kNoFamily);
  EXPECT_EQ(word_families(words, parse_languages("english"))[0], 0u);
  EXPECT_EQ(word_families({"the", "cat"}, 0)[0], 0u) << "where nobody looked, words stay as they are";
  EXPECT_EQ(word_families(words, parse_languages("french"))[2], kNoFamily);
}

TEST(WordFamilies, WhatTwoLanguagesJoinIsOne) {
  const std::vector<std::string_view> words{"nations", "nation", "nationen"};
  const auto families = word_families(words, parse_languages("english,german"));
  EXPECT_EQ(families, (std::vector<std::uint32_t>{0, 0, 0}));
  EXPECT_TRUE(word_families({}, 0).empty());
}

}  // namespace
}  // namespace idne
