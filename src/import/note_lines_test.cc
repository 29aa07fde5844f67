#include "import/note_lines.h"

#include <gtest/gtest.h>

#include "import/markdown.h"

namespace idne {
namespace {

TEST(NoteLines, TitlesAreHeadingsOfTheFirstLevel) {
  EXPECT_EQ(read_note("## Part\ntext\n").title, "") << "the file's name then";
  EXPECT_EQ(read_note("## Part\n# Name\ntext\n").title, "Name");
  EXPECT_EQ(read_note("# Name\ntext\n# Part\n# Part\n").title, "Name");
  EXPECT_EQ(read_note("text\n# Part\n# Part\n").title, "") << "they head parts";
}

TEST(NoteLines, WhatIsWrittenForObsidianIsNoText) {
  const auto text = [](std::string_view note) { return read_note(note).text; };
  EXPECT_EQ(text("before ![[picture.png]] after\n"), "before  after");
  EXPECT_EQ(text("a %%secret%% b %% of\ntwo lines %% c\n"), "a  b c");
  EXPECT_EQ(text("100 %% left, never closed\n"), "100 %% left, never closed");
  EXPECT_EQ(text("run `%%time` and `%%bash` here\n"), "run %%time and %%bash here");
  EXPECT_EQ(text("> [!note]- Beware\n> of the dog\n"), "Beware of the dog");
  EXPECT_EQ(text("> [not] a callout\n"), "[not] a callout");
  EXPECT_EQ(text("a paragraph ^block-1\n\n^block-2\n\n2 ^ 3\n"), "a paragraph\n2 ^ 3");
  EXPECT_EQ(text("as [[other#^a1b2c3]] says, [[other#^d4|that]], [[#^e5]] and [[C#]]\n"),
            "as other says, that,  and C#");
  EXPECT_EQ(text("so $x_i^2$ grows\n\n$$\n\\sum_i x_i\n$$\n\nfrom $5 to $10\n"), "so   grows\nfrom $5 to $10");
}

}  // namespace
}  // namespace idne
