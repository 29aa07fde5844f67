#include "import/html_text.h"

#include <gtest/gtest.h>

namespace idne {
namespace {

std::string text(std::string_view html) { return html_text(html, CodeText::Drop); }

TEST(HtmlText, TagsGoAndWordsStayWhole) {
  EXPECT_EQ(text("<p>Do I need a <b>vi</b>sa?</p>"), "Do I need a visa?");
  EXPECT_EQ(text("one<br/>two<BR>three"), "one\ntwo\nthree");
  EXPECT_EQ(text("<ul>\n<li>a</li>\n<li>b</li></ul>"), "a\nb");
  EXPECT_EQ(text("<table><tr><td>a</td><td>b</td></tr></table>"), "a\nb");
}

TEST(HtmlText, WhiteSpaceIsOneSpaceOrOneLine) {
  EXPECT_EQ(text("  a \t b&nbsp;&nbsp;c  "), "a b c");
  EXPECT_EQ(text("<p>a</p>\n\n <p> b</p>\n"), "a\nb");
  EXPECT_EQ(text(""), "");
  EXPECT_EQ(text(" <p> </p> "), "");
}

TEST(HtmlText, EntitiesAreCharacters) {
  EXPECT_EQ(text("&lt;b&gt; &amp; &quot;x&quot; it&#39;s &#x27;y&#X27;"), "<b> & \"x\" it's 'y'");
  EXPECT_EQ(text("caf&eacute; &Uuml;ber &szlig; &yuml; &alpha;&omega; &Omega; &hellip;"), "café Über ß ÿ αω Ω …");
  EXPECT_EQ(text("&#128512;"), "😀");
  EXPECT_EQ(text("hy&shy;phen"), "hyphen");
  EXPECT_EQ(text("&amp;lt;"), "&lt;");  // once, not twice
}

TEST(HtmlText, WhatIsNoEntityStays) {
  for (const char* same : {"AT&T", "a & b", "&", "&;", "&nosuch;", "&#;", "&#x;", "&#xD800;", "&#1114112;", "&#-1;",
                           "&#99999999999;", "&amp"}) {
    EXPECT_EQ(text(same), same);
  }
}

TEST(HtmlText, WhatIsNoTagStays) {
  for (const char* same : {"a < b", "1<2", "<", "</", "x <", "<>", "a <b", "i <3 you", "a <b and c"}) {
    EXPECT_EQ(text(same), same);
  }
  EXPECT_EQ(text("if a <b then <i>c</i>"), "if a <b then c");
}

TEST(HtmlText, AGreaterSignInAQuotedAttributeDoesNotEndTheTag) {
  EXPECT_EQ(text("<a href=\"x\" title=\"a > b\">link</a>"), "link");
  EXPECT_EQ(text("<a title='a > b'>link</a>"), "link");
  EXPECT_EQ(text("<a title=\"never ends>link</a>"), "link");
}

TEST(HtmlText, CodeIsDroppedOrKept) {
  const std::string_view html =
      "<p>Call <code>f(&amp;x)</code> here:</p><PRE class=c><code>int &lt;i&gt;;\n</code></PRE>end";
  EXPECT_EQ(html_text(html, CodeText::Drop), "Call here:\nend");
  EXPECT_EQ(html_text(html, CodeText::Keep), "Call f(&x) here:\nint <i>;\nend");
  EXPECT_EQ(text("<codes>kept</codes>"), "kept");
  EXPECT_EQ(text("a<code>b</codex>c</code>d"), "a d");
  EXPECT_EQ(text("a <code>never closed"), "a never closed");
}

TEST(HtmlText, CommentsAndScriptsAreDropped) {
  EXPECT_EQ(text("a<!-- language: <b>c</b> -->b"), "ab");
  EXPECT_EQ(text("a<!-- never closed"), "a");
  EXPECT_EQ(text("a<script>if (x < 1) {}</script><style>p > a {}</style> b"), "a b");
}

/// Each would take hours if the time grew with the square of the length.
TEST(HtmlText, LongHostileTextsTakeLinearTime) {
  for (const char* piece :
       {"<a ", "<", "<code>", "<a=\">\" ", "<a='", "&", "<!-", "</", "<code></cod>", "<a=\"<b>\" "}) {
    std::string html;
    while (html.size() < 1000000) html += piece;
    EXPECT_LE(text(html).size(), html.size()) << piece;
    EXPECT_LE(text(html + ">").size(), html.size() + 1) << piece;
  }
}

}  // namespace
}  // namespace idne
