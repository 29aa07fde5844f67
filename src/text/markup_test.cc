#include "text/markup.h"

#include <gtest/gtest.h>

namespace idne {
namespace {

TEST(EscapeMarkup, MarkupAndQuotesAreEscaped) {
  EXPECT_EQ(escape_markup("<b a=\"1\" c='2'>&amp;</b>"), "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;&lt;/b&gt;");
}

TEST(EscapeMarkup, ControlCharactersAreShownNotSent) {
  EXPECT_EQ(escape_markup(std::string_view("a\0b\x1b[31m\x7f", 9)), "a␀b␛[31m␡");
  EXPECT_EQ(escape_markup("\xc2\x9b"), "\uFFFD");
  EXPECT_EQ(escape_markup("a\tb\nc\r\nd\re"), "a\tb\nc\nd\ne");
  EXPECT_EQ(escape_markup("\xef\xbf\xbf \xef\xb7\x90"), "\uFFFD \uFFFD");
}

TEST(EscapeMarkup, BrokenBytesAreReplacedAndTheRestKept) {
  EXPECT_EQ(escape_markup("a\xff z"), "a\uFFFD z");
  EXPECT_EQ(escape_markup("\xe4\xb8"), "\uFFFD");
  EXPECT_EQ(escape_markup("\xed\xa0\x80<"), "\uFFFD\uFFFD\uFFFD&lt;");
  EXPECT_EQ(escape_markup("深層 שלום 🙂"), "深層 שלום 🙂");
}

}  // namespace
}  // namespace idne
