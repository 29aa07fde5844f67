#include "import/wikitext.h"

#include <gtest/gtest.h>

namespace idne {
namespace {

using Strings = std::vector<std::string>;

WikiPage page(std::string_view source) { return read_wikitext(source, WikiNames()); }
std::string text(std::string_view source) { return page(source).text; }

TEST(Wikitext, LinksAreWordsAndTargets) {
  const WikiPage read = page("A [[cat]], two [[Dog|dogs]], [[big_horse#Size|a horse]] and [[Cow]]s.");
  EXPECT_EQ(read.text, "A cat, two dogs, a horse and Cows.");
  EXPECT_EQ(read.links, (Strings{"Cat", "Dog", "Big horse", "Cow"}));
}

TEST(Wikitext, LinksThatLeadToNoPage) {
  const WikiPage read = page("[[#History]] [[Help:Me|help]] [[:Category:Cats]] [[:File:x.png|a file]] [[de:Katze]]");
  EXPECT_EQ(read.text, "#History help Category:Cats a file");
  EXPECT_TRUE(read.links.empty());
  EXPECT_TRUE(read.categories.empty());
}

TEST(Wikitext, ATitleWithAColonIsAPage) { EXPECT_EQ(page("[[Alien: Covenant]]").links, Strings{"Alien: Covenant"}); }

TEST(Wikitext, CategoriesAreLabels) {
  const WikiPage read = page("Text[[Category:Big cats|Lion]]\n[[category: small_cats ]][[Category:]]");
  EXPECT_EQ(read.text, "Text");
  EXPECT_EQ(read.categories, (Strings{"Big cats", "Small cats"}));
  WikiNames german;
  german.add(WikiNames::kCategories, "Kategorie");
  german.add(WikiNames::kFiles, "Datei");
  const WikiPage other = read_wikitext("[[kategorie:Tier]][[Datei:x.webp|mini|Bild]][[Bild:y.JPG|mini|Bild]]a", german);
  EXPECT_EQ(other.categories, Strings{"Tier"});
  EXPECT_EQ(other.text, "a");
}

TEST(Wikitext, TemplatesAndTablesAreLeftOutButNotTheirLinks) {
  const WikiPage read =
      page("a{{box|b={{c|d}}|[[Paris|e]]}} f\n{| class=x\n|-\n| cell [[Rome]] {{t\n|}}\n{|\n| in\n|}\n|}\ng");
  EXPECT_EQ(read.text, "a f\ng");
  EXPECT_EQ(read.links, (Strings{"Paris", "Rome"}));
  EXPECT_EQ(text("a {{{1|b}}} c {{{{{1}}}}} d {{x|{{{y}}}}} e {{{!}} f"), "a c d e f");
}

TEST(Wikitext, WhatNeverClosesStays) {
  EXPECT_EQ(text("a {{b c"), "a b c");
  EXPECT_EQ(text("a [[b c\n\nd [[e]]"), "a b c\nd e");
  EXPECT_EQ(text("a }} b ]] c |} d"), "a }} b ]] c |} d");
  EXPECT_EQ(text("a <ref>b"), "a b");
  EXPECT_EQ(text("a <!-- b"), "a");
  EXPECT_EQ(text("{{a [[b }} c]]"), "c]]");
}

TEST(Wikitext, FilesAreLeftOutWithTheirCaptions) {
  const WikiPage read = page("a [[File:x.jpg|thumb|200px|A [[lion]] and {{x}} [http://a.b c]]] b [[Image:y.png]]");
  EXPECT_EQ(read.text, "a b");
  EXPECT_EQ(read.links, Strings{"Lion"});
}

TEST(Wikitext, NotesFormulasAndCommentsAreLeftOut) {
  EXPECT_EQ(text("a<ref name=\"x\" /> b<ref>note [[c]]</ref> c<ref name=y>{{cite|d}}</ref>."), "a b c.");
  EXPECT_EQ(text("a <math>\\frac{{x}}{y}</math> b <!-- {{ --> c<references />"), "a b c");
  EXPECT_EQ(text("<gallery>\nFile:a.jpg|b\n</gallery><source lang=c>x[[1]]</source>d"), "d");
  EXPECT_TRUE(page("<ref>[[Note]]</ref>").links.empty());
}

TEST(Wikitext, NowikiIsText) {
  const WikiPage read = page("a <nowiki>[[b]] {{c}} &amp; ''d''</nowiki> e<nowiki />f");
  EXPECT_EQ(read.text, "a [[b]] {{c}} & ''d'' ef");
  EXPECT_TRUE(read.links.empty());
}

TEST(Wikitext, QuotesHeadingsAndListMarks) {
  EXPECT_EQ(text("'''Lion''' ''leo'' '''''x''''' rock 'n' roll ''''y'''"), "Lion leo x rock 'n' roll 'y");
  EXPECT_EQ(text("== History ==\n===Of {{x}}[[cats]]===  \nx = y\n=a"), "History\nOf cats\nx = y\n=a");
  EXPECT_EQ(text("* a\n** b\n# c\n:; d\n----\n e"), "a\nb\nc\nd\ne");
}

TEST(Wikitext, AddressesGoAndTheirWordsStay) {
  EXPECT_EQ(text("see [http://a.b/c?d=e the site], [https://x] (http://y.z) [//q r] [1] end"),
            "see the site, () r [1] end");
  EXPECT_EQ(text("the half of it"), "the half of it");
}

TEST(Wikitext, MagicWordsTagsAndEntities) {
  EXPECT_EQ(text("__NOTOC__a __KEIN_INHALTSVERZEICHNIS__ b __init__ c_d"), "a b __init__ c_d");
  EXPECT_EQ(text("a<br />b <span style=\"x\">c</span>&nbsp;&ndash; 3 < 4"), "a\nb c – 3 < 4");
  EXPECT_EQ(page("[[AT&amp;T]]").links, Strings{"AT&T"});
}

TEST(WikiNames, TitlesHaveOneForm) {
  WikiNames names;
  EXPECT_EQ(names.title("  big__cat_ #x"), "Big cat");
  EXPECT_EQ(names.title("éclair"), "Éclair");
  EXPECT_EQ(names.title("\xFF"), "\xFF");
  EXPECT_EQ(names.title("#x"), "");
  names.set_case_sensitive(true);
  EXPECT_EQ(names.title("cat"), "cat");
}

TEST(Redirect, NamesItsTarget) {
  EXPECT_EQ(redirect_target("#REDIRECT [[Big cat#x]]\n{{R}}", false), "Big cat#x");
  EXPECT_EQ(redirect_target("\n#redirect: [[a|b]]", false), "a");
  EXPECT_EQ(redirect_target("#WEITERLEITUNG [[a]]", true), "a");
  for (const char* none : {"#WEITERLEITUNG [[a]]", "# [[a]]", "#redirect", "#redirect [[", "#redirect [[a", ""}) {
    EXPECT_EQ(redirect_target(none, false), "") << none;
  }
}

/// Each would take hours if the time grew with the square of the length, or overflow a stack that calls grow.
TEST(Wikitext, LongHostileTextsTakeLinearTime) {
  for (const char* piece : {"[[",   "{{",   "{",      "{{a",   "[[a|", "<ref>",    "<a",         "\n{|",
                            "\n|}", "}}",   "]]",     "'",     "__A",  "[http://", "\n=a",       "<!-",
                            "{{[[", "[[{{", "\n{|{{", "[[a]]", "&",    "http",     "<ref></re>", "\n|}}{{"}) {
    std::string source;
    while (source.size() < 500000) source += piece;
    EXPECT_LE(text(source).size(), source.size()) << piece;
    for (const char* closing : {"]]", "}}", "\n|}"}) {
      std::string nested = source + "x";
      while (nested.size() < 1000000) nested += closing;
      EXPECT_LE(text(nested).size(), nested.size()) << piece << closing;
    }
  }
}

}  // namespace
}  // namespace idne
