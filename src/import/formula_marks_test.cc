#include "import/formula_marks.h"

#include <gtest/gtest.h>

#include "import/markdown.h"

namespace idne {
namespace {

TEST(FormulaMarks, MoneyIsNoFormula) {
  const auto text = [](std::string_view note) { return read_note(note).text; };
  EXPECT_EQ(text("I paid 100$ for it and then 200$ more"), "I paid 100$ for it and then 200$ more");
  EXPECT_EQ(text("$ 40 a seat and $ 50 later; US$30 or A$50 and $HOME or $PATH"),
            "$ 40 a seat and $ 50 later; US$30 or A$50 and $HOME or $PATH");
  EXPECT_EQ(text("from $5 to $10, *$15*, and $x$20 words"), "from $5 to $10, $15, and $x$20 words");
  EXPECT_EQ(text("for $ 3 if ($x_i$) is $f(\\$a + b)$-th, `$HOME` $$y $ z$$ 5$"), "for $ 3 if ( ) is  -th, $HOME   5$");
  EXPECT_EQ(text("- $5\n- 10$ and $20\n\n| $1 |\n|---|\n| 2$ <b>$3</b> |"), "$5\n10$ and $20\n$1\n2$ $3");
  const Note links = read_note("[[Cost $ 5]] [a]($b.md) <a href='$c d.md'>");
  EXPECT_EQ(links.links, (std::vector<NoteLink>{{"Cost $ 5", true}, {"$b.md"}, {"$c d.md"}}));
  EXPECT_EQ(text("<p>\n$ 5 and $ 6</p>"), "$ 5 and $ 6");
  EXPECT_EQ(text("a <https://y.org/$e> b https://y.org/$e/f $ 5"), "a  b  $ 5");
  EXPECT_EQ(read_note("# A $ 5 b\n").title, "A $ 5 b");
}

}  // namespace
}  // namespace idne
