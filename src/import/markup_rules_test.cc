#include "import/markup_rules.h"

#include <gtest/gtest.h>
#include <libxml/HTMLparser.h>

#include "import/html_page.h"
#include "import/html_text.h"

namespace idne {
namespace {

TEST(MarkupRules, EntitiesAreThoseOfHtml4) {
  std::size_t known = 0;
  for (unsigned code = 1; code < 0x10000; ++code) {
    const htmlEntityDesc* entity = htmlEntityValueLookup(code);
    if (!entity) continue;
    EXPECT_EQ(html_character(entity->name), code) << entity->name;
    ++known;
  }
  EXPECT_EQ(known, 253u);  // with &apos;
  EXPECT_EQ(html_character("nosuch"), std::nullopt);
  EXPECT_EQ(html_character("AMP"), std::nullopt);
  EXPECT_EQ(html_character(""), std::nullopt);
}

TEST(MarkupRules, CharactersByNumber) {
  EXPECT_EQ(html_character("#233"), 233u);
  EXPECT_EQ(html_character("#xe9"), 233u);
  EXPECT_EQ(html_character("#XE9"), 233u);
  EXPECT_EQ(html_character("#0"), ' ');
  EXPECT_EQ(html_character("#7"), ' ');
  for (const char* none : {"#", "#x", "#xD800", "#x110000", "#-1", "#99999999999", "#1a", "#xg", "#65534"}) {
    EXPECT_EQ(html_character(none), std::nullopt) << none;
  }
}

TEST(MarkupRules, XmlHasFiveNamesAndNoForbiddenNumbers) {
  EXPECT_EQ(xml_character("lt"), '<');
  EXPECT_EQ(xml_character("gt"), '>');
  EXPECT_EQ(xml_character("amp"), '&');
  EXPECT_EQ(xml_character("quot"), '"');
  EXPECT_EQ(xml_character("apos"), '\'');
  EXPECT_EQ(xml_character("#10"), '\n');
  EXPECT_EQ(xml_character("#x1F600"), 0x1F600u);
  for (const char* none : {"nbsp", "eacute", "", "#", "#0", "#7", "#XE9", "#xFFFE", "#xD800", "#x110000"}) {
    EXPECT_EQ(xml_character(none), std::nullopt) << none;
  }
}

TEST(MarkupRules, KindsOfTags) {
  EXPECT_EQ(kind_of("b"), TagKind::Inline);
  EXPECT_EQ(kind_of("nosuch"), TagKind::Inline);
  EXPECT_EQ(kind_of(""), TagKind::Inline);
  EXPECT_EQ(kind_of("img"), TagKind::Space);
  EXPECT_EQ(kind_of("th"), TagKind::Cell);
  EXPECT_EQ(kind_of("address"), TagKind::Line);
  EXPECT_EQ(kind_of("ul"), TagKind::Line);
  EXPECT_EQ(kind_of("made-up"), TagKind::Line);
  EXPECT_EQ(kind_of("script"), TagKind::Unseen);
}

TEST(MarkupRules, SpaceIsTidied) {
  EXPECT_EQ(tidy_space(" a \t\r b\xC2\xA0\xC2\xA0"
                       "c\x01"
                       "d "),
            "a b c d");
  EXPECT_EQ(tidy_space("\n a \n\n b\xC2\xA0\n"), "a\nb");
  EXPECT_EQ(tidy_space("soft\xC2\xADhyphen\xC2\xAD s"), "softhyphen s");
  EXPECT_EQ(tidy_space("\xC2\xA9 \xC2"), "\xC2\xA9 \xC2");
  EXPECT_EQ(tidy_space("\xC2\xAD \xC2\xAD"), "");
}

TEST(MarkupRules, BothReadersOfHtmlAgree) {
  for (const char* html : {"<p>one</p><p>two</p>",
                           "H<sub>2</sub>O and <b>bo</b>ld",
                           "a<br>b<hr>c",
                           "a<img src=x>b",
                           "a<button>b</button>c",
                           "a<script>no()</script>b",
                           "a<style>no</style> b",
                           "<ul><li>a</li><li>b</li></ul>",
                           "a <svg><text>no</text></svg>b",
                           "a<noscript>no</noscript>b",
                           "a<template>no</template>b",
                           "a<iframe>no</iframe>b",
                           "a<object>no</object>b",
                           "caf&eacute; &amp; &lt;b&gt; &hellip; &int; &#233; &nosuch; AT&T",
                           "a&nbsp;&nbsp;b hy&shy;phen",
                           "a<!-- no -->b",
                           "<h1>a</h1>b<blockquote>c</blockquote>d",
                           "<div>a<span>b</span></div>c",
                           "a<x-card>b</x-card>c",
                           "<details><summary>a</summary>b</details>",
                           "<dl><dt>a</dt><dd>b</dd></dl>",
                           "<pre>a  b</pre>c",
                           "<i>a</i> <i>b</i>"}) {
    const std::string text = html_text(html, CodeText::Keep);
    EXPECT_FALSE(text.empty());
    EXPECT_EQ(text, read_html(html).text) << html;
  }
}

}  // namespace
}  // namespace idne
