#include "text/strings.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace idne {
namespace {

TEST(InSmallLetters, AnyScript) {
  EXPECT_EQ(in_small_letters("Gerät MCMC ÉTÉ Ночь 夜"), "gerät mcmc été ночь 夜");
  EXPECT_EQ(in_small_letters(""), "");
}

TEST(Strings, TrimsAsciiSpaceAlone) {
  EXPECT_EQ(trimmed(" \t\r\n a b\f\v"), "a b");
  EXPECT_EQ(trimmed(" \n"), "");
  EXPECT_EQ(trimmed("\u00A0x\u00A0"), "\u00A0x\u00A0");  // no-break spaces are text
}

TEST(Strings, LowersAsciiAlone) {
  EXPECT_EQ(lower_ascii("AbZ-Ä[@"), "abz-Ä[@");
  EXPECT_TRUE(equal_but_for_case("Content-Length", "content-lengtH"));
  EXPECT_FALSE(equal_but_for_case("a", "ab"));
  EXPECT_FALSE(equal_but_for_case("[", "{"));  // differ by the same bit as letters do
}

TEST(Strings, BrokenUtf8BecomesReplacementCharacters) {
  EXPECT_FALSE(is_utf8("a\xff"));
  EXPECT_EQ(valid_utf8("a\xff\xfe z"), "a\uFFFD\uFFFD z");
  EXPECT_EQ(valid_utf8("naïve 深"), "naïve 深");
}

TEST(Strings, JsonQuotedEscapesWhatJsonMustNotHold) {
  EXPECT_EQ(json_quoted("a\"b\\c/d"), R"("a\"b\\c/d")");
  EXPECT_EQ(json_quoted(std::string_view("\0\x1f\n\t\r\b\f\x7f", 8)), "\"\\u0000\\u001f\\n\\t\\r\\b\\f\x7f\"");
  EXPECT_EQ(json_quoted("é\xff"), "\"é\uFFFD\"");
}

TEST(Strings, TsvCellsStayDifferentAndHaveNoControlCharacters) {
  EXPECT_EQ(tsv_cell("a\tb"), "a\\tb");
  EXPECT_EQ(tsv_cell("a\nb"), "a\\nb");
  EXPECT_EQ(tsv_cell("a\\tb"), "a\\\\tb");
  EXPECT_EQ(tsv_cell("\x1b[31m\x7f"), "\\x1b[31m\\x7f");
  EXPECT_EQ(tsv_cell("a\u0085b\u0080\u009F"), "a\\x85b\\x80\\x9f");  // a line end to Python, and C1's others
  EXPECT_EQ(tsv_cell("a\u2028b\u2029"), "a\\u2028b\\u2029");
  EXPECT_EQ(tsv_cell("é 深\u00A0🙂"), "é 深\u00A0🙂");
  EXPECT_EQ(tsv_cell("a\xff"), "a\uFFFD");
}

TEST(Strings, WideCharactersTakeTwoColumnsAndMarksNone) {
  EXPECT_EQ(columns_of("abc"), 3u);
  EXPECT_EQ(columns_of("深層"), 4u);
  EXPECT_EQ(columns_of("e\u0301"), 1u);
  EXPECT_EQ(columns_of("ｆｕ"), 4u);
  EXPECT_EQ(columns_of("🙂"), 2u);
  EXPECT_EQ(columns_of("Gerät …"), 7u);
}

TEST(Strings, WhatIsNeverSeenTakesNoColumn) {
  for (const char* unseen : {"\u200B", "\u200C", "\u200D", "\u2060", "\uFE0F", "\uFEFF"}) {
    EXPECT_EQ(columns_of(fmt::format("a{}b", unseen)), 2u) << unseen;
  }
  EXPECT_EQ(columns_of("a\u3000b\u2014"), 5u);  // a wide space and a dash are seen
  EXPECT_EQ(columns_of("\u3164"), 2u);          // a filler that is left blank, but has its place
}

TEST(Strings, CutsBetweenCharactersAndKeepsWithinTheColumns) {
  EXPECT_EQ(cut_to_columns("深層学習", 8), "深層学習");
  EXPECT_EQ(cut_to_columns("深層学習", 7), "深層学…");
  EXPECT_EQ(cut_to_columns("深層学習", 6), "深層…");  // a third would need the seventh column for the dots
  EXPECT_EQ(cut_to_columns("e\u0301e\u0301e\u0301", 2), "e\u0301…");
  EXPECT_EQ(bytes_within("ab深c", 3), 2u);
  EXPECT_EQ(bytes_within("", 3), 0u);
}

}  // namespace
}  // namespace idne
