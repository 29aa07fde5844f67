#include "text/word_kinds.h"

#include <gtest/gtest.h>

namespace idne {
namespace {

TEST(WordKinds, NumbersAreDigitsOfAnyScriptAndNothingElse) {
  for (const char* word : {"0", "73", "1998", "٤٢"}) EXPECT_TRUE(is_number(word)) << word;
  for (const char* word : {"", "1990s", "mp3", "2nd", "x", "三"}) EXPECT_FALSE(is_number(word)) << word;
}

TEST(WordKinds, KeysAreLongAndMixed) {
  for (const char* word : {"1998", "9f86d081", "0x7ffe12ab", "d41d8cd98f00b204"}) {
    EXPECT_TRUE(is_number_or_key(word)) << word;
  }
  for (const char* word : {"decade", "defaced", "effaced1x", "h264", "a1b2", "0xff", "acceded0f0g"}) {
    EXPECT_FALSE(is_number_or_key(word)) << word;
  }
}

TEST(WordKinds, OneIdeographIsOneCharacterOfHan) {
  for (const char* word : {"王", "明", "𠮷"}) EXPECT_TRUE(is_one_ideograph(word)) << word;
  for (const char* word : {"", "a", "abc", "王小", "한", "の"}) EXPECT_FALSE(is_one_ideograph(word)) << word;
}

}  // namespace
}  // namespace idne
