#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "idne/import.h"
#include "import/html_encoding.h"
#include "import/html_page.h"
#include "temp_folder.h"

namespace idne {
namespace {

namespace fs = std::filesystem;
using Strings = std::vector<std::string>;
using Json = nlohmann::json;

class HtmlSite : public testing::Test {
 protected:
  void write(const std::string& name, std::string_view text) {
    fs::create_directories((folder_.path("site") / name).parent_path());
    folder_.write("site/" + name, text);
  }
  std::map<std::string, Json> import() {
    CorpusWriter out(folder_.path("corpus"));
    import_html(folder_.path("site"), out, counts_, idne::Run{}, options_);
    out.commit();
    std::map<std::string, Json> documents;
    std::istringstream lines(folder_.read("corpus/documents.jsonl"));
    for (std::string line; std::getline(lines, line);) {
      const Json document = Json::parse(line);
      documents[document["id"]] = document;
    }
    return documents;
  }
  std::uint64_t count(std::string_view what) const {
    for (const auto& [name, number] : counts_.all()) {
      if (name == what) return number;
    }
    return 0;
  }

  TempFolder folder_;
  ImportCounts counts_;
  FolderOptions options_;
};

TEST(Html, TextAsAReaderSeesIt) {
  const HtmlPage page = read_html(
      "<!DOCTYPE html><html><head><title> A\n page </title><style>b{}</style>"
      "<META NAME='Keywords' content='one, two words,,'></head>"
      "<body><h1>Head</h1><p>H<sub>2</sub>O &amp; caf&eacute; &#233;<br>next<p>unclosed <b>bold<!-- no --></b>"
      "<script>if (a < b) document.write('<p>no</p>')</script><noscript>no</noscript><template><p>no</p></template>"
      "<svg><title>no</title><text>no</text></svg>"
      "<ul><li>one<li>two</ul><table><tr><td>x<td>y</table></body></html>");
  EXPECT_EQ(page.title, "A page");
  EXPECT_EQ(page.text, "Head\nH2O & café é\nnext\nunclosed bold\none\ntwo\nx y");
  EXPECT_EQ(page.keywords, (Strings{"one", "two words"}));
  EXPECT_FALSE(page.cut);
}

TEST(Html, OnlyTheMainPart) {
  const auto text = [](std::string_view html) { return read_html(html).text; };
  const std::string around = "<nav>menu <a href='n.html'>n</a></nav><header>head</header>";
  EXPECT_EQ(text(around + "<main>words<nav>inner</nav></main><footer>foot</footer>"), "words");
  EXPECT_EQ(text(around + "<article>one</article><article>two</article><aside>side</aside>"), "one\ntwo");
  EXPECT_EQ(text(around + "<main><article>one</article>two</main>"), "one\ntwo");
  EXPECT_EQ(text("<div role='navigation'>menu</div><div role='main'>words</div>"), "words") << "as Sphinx writes it";
  EXPECT_EQ(text(around + "<p>words</p>"), "head\nwords");
  EXPECT_EQ(read_html(around + "<p>words</p>").links, Strings{"n.html"});
  EXPECT_EQ(text("<div class='x navheader'>Prev Up Next</div><p>words</p>"), "words") << "as DocBook writes it";
  EXPECT_EQ(text("<nav>menu</nav>"), "menu") << "a page of nothing else";
  EXPECT_EQ(text("<main><nav>menu</nav></main><nav>more</nav><p>words</p>"), "words") << "a main part of nothing else";
  EXPECT_EQ(text("<main><nav>menu</nav></main>"), "menu");
  EXPECT_EQ(read_html(around + "<main><a href='m.html'>m</a></main>").links, Strings{"m.html"});
}

TEST(Html, BlocksOfNothingButLinksLeadAround) {
  const auto text = [](std::string_view html) { return read_html(html).text; };
  const std::string next =
      "<p>Next: <a href=a>The next part</a>, Up: <a href=b>Top</a> &nbsp; [<a href=i>Index</a>]</p>";
  EXPECT_EQ(text("<div class=header>" + next + "</div><h4>Part</h4><p>words"), "Part\nwords") << "as Texinfo writes it";
  EXPECT_EQ(text("<div class=nav-panel>" + next + "</div><p>words"), "words");
  EXPECT_EQ(read_html("<div class=header>" + next + "</div><p>words").links, (Strings{"a", "b", "i"}));
  EXPECT_EQ(text("<div id=path><a href=a>One</a> &gt; <a href=b>Two</a></div><p>words<div id=footer>1996</div>"),
            "words");
  EXPECT_EQ(text("<div class=header><div class=summary><a href=a>Types</a> | <a href=b>All members</a></div>"
                 "<div class=headertitle><div class=title>A Class</div></div></div><p>words"),
            "Types | All members\nA Class\nwords")
      << "as Doxygen writes it";
  EXPECT_EQ(text("<div id=header><h1><a href=a>Page</a></h1></div><p>words"), "Page\nwords");
  EXPECT_EQ(text("<div id=footer><h2>Footer</h2><p>What it is</div>"), "Footer\nWhat it is")
      << "named after its heading";
  EXPECT_EQ(text("<div class=header>What this page says, in <a href=a>short</a></div>"),
            "What this page says, in short");
}

TEST(Html, HeadAndBodyNeedNoTags) {
  const auto text = [](std::string_view body) {
    const HtmlPage page = read_html(
        "<!DOCTYPE html><html lang=en><meta charset=utf-8><title>T</title><style>b{}</style>" + std::string(body));
    EXPECT_EQ(page.title, "T");
    return page.text;
  };
  EXPECT_EQ(text("<section><p>one</p></section><p>two</p>"), "one\ntwo");
  EXPECT_EQ(text("<header><h1>one</h1></header><div>two</div>"), "one\ntwo");
  EXPECT_EQ(text("<details><summary>one</summary>two</details>"), "one\ntwo");
  EXPECT_EQ(text("<figure>one</figure><my-app>two</my-app><script>no()</script>"), "one\ntwo");
  EXPECT_EQ(text("one"), "one");
}

TEST(Html, CodeIsLeftOutUnlessItIsThePage) {
  const auto text = [](std::string_view html) { return read_html(html, CodeText::Drop).text; };
  EXPECT_EQ(text("<p>words about</p><pre>int main() {}</pre><p>more</p>"), "words about\nmore");
  EXPECT_EQ(read_html("<p>words</p><pre>code</pre>").text, "words\ncode");
  EXPECT_EQ(text("<p>RFC</p><pre>a whole document that somebody set this way</pre>"),
            "RFC\na whole document that somebody set this way");
  EXPECT_EQ(read_html("<p>words words</p><pre><a href='x.html'>x</a></pre>", CodeText::Drop).links, Strings{"x.html"});
}

TEST(Html, WithoutTitleTheFirstHeading) {
  EXPECT_EQ(read_html("<h1>The\n <i>heading</i></h1>text").title, "The heading");
  EXPECT_EQ(read_html("<svg><title>picture</title></svg>text").title, "");
}

TEST(Html, MarksBesideHeadingsAreNoText) {
  const HtmlPage page =
      read_html("<h1>One<a class='headerlink' href='#one'>\u00B6</a></h1>see <a href='#a'>#1</a>, \u00B6");
  EXPECT_EQ(page.title, "One");
  EXPECT_EQ(page.text, "One\nsee #1, \u00B6");
}

TEST(Html, MarkupInScriptsAndCommentsIsNone) {
  std::string many;
  for (int k = 0; k < 1000; ++k) many += " word";
  EXPECT_EQ(read_html("<!-- <x" + many + " ' --><p title='a > b'>one</p><script>if (a <b" + many + " ' ) {}</SCRIPT>" +
                      "<p>two <!-- left open" + many)
                .text.substr(0, 7),
            "one\ntwo");
  EXPECT_EQ(read_html("<p alt=\"" + many + "\">" + many + "</p>").text.size(), many.size() - 1);
}

TEST(Html, Encodings) {
  bool replaced = true;
  const auto text = [&](std::string_view bytes) { return read_html(html_to_utf8(bytes, replaced)).text; };
  EXPECT_EQ(text("<p>caf\xC3\xA9"), "café");
  EXPECT_EQ(text("<p>caf\xE9 \x93quoted\x94"), "café “quoted”") << "said nothing, no UTF-8";
  EXPECT_EQ(text("<meta charset=\"ISO-8859-1\"><p>caf\xE9 \x80"), "café €");
  EXPECT_EQ(text("<meta http-equiv=Content-Type content='text/html; charset=windows-1251'><p>\xEC\xE8\xF0"), "мир");
  EXPECT_EQ(text("<?xml version=\"1.0\" encoding=\"shift_jis\"?><html><p>\x93\xFA\x96\x7B</p></html>"), "日本");
  EXPECT_EQ(text("\xEF\xBB\xBF<meta charset=latin1><p>caf\xC3\xA9"), "café") << "the first bytes are before <meta>";
  EXPECT_EQ(text(std::string_view("\xFF\xFE<\0p\0>\0\xE9\0", 10)), "é");
  EXPECT_EQ(text("<meta charset=utf-16><p>caf\xC3\xA9"), "café");
  EXPECT_EQ(text("<meta charset=unheard-of><p>caf\xC3\xA9"), "café");
  EXPECT_EQ(text("<meta charset=unheard-of><p>caf\xE9"), "café");
  EXPECT_FALSE(replaced);
  EXPECT_EQ(text("<meta charset=utf-8><p>caf\xE9!"), "caf\uFFFD!");
  EXPECT_TRUE(replaced);
}

TEST_F(HtmlSite, WhatAllTitlesEndInIsLeftOut) {
  for (int n = 0; n < 9; ++n)
    write(fmt::format("{}.html", n), fmt::format("<title>Page {} — The Site 1.0</title>x", n));
  write("other.html", "<title>Another - one</title>x");
  auto pages = import();
  EXPECT_EQ(pages.at("3.html")["title"], "Page 3");
  EXPECT_EQ(pages.at("other.html")["title"], "Another - one");
}

TEST_F(HtmlSite, CommonEndsInBracketsAreLeftOut) {
  for (int n = 0; n < 9; ++n)
    write(fmt::format("{}.html", n), fmt::format("<title>Page {} (The (3 - b) Site)</title>x", n));
  EXPECT_EQ(import().at("3.html")["title"], "Page 3");
}

TEST_F(HtmlSite, CommonEndsAreLeftOutWithTheirBrackets) {
  for (int n = 0; n < 9; ++n) write(fmt::format("{}.html", n), fmt::format("<title>{} (a) - Site (3)</title>x", n));
  EXPECT_EQ(import().at("3.html")["title"], "3 (a)");
}

TEST_F(HtmlSite, FilesAreLeftOutAndFoldersAreLabels) {
  write("a.html", "<meta name=keywords content='k'>x");
  write("guide/b.html", "x");
  write("guide/old/c.html", "x");
  write("search/d.html", "x");
  options_ = {{"search", "*/old/*"}, true};
  auto pages = import();
  EXPECT_EQ(pages.size(), 2u);
  EXPECT_EQ(pages.at("guide/b.html")["labels"], Json({"guide"}));
  EXPECT_FALSE(pages.at("a.html").contains("labels"));
  EXPECT_EQ(count("files left out by --exclude"), 1u);
  EXPECT_EQ(count("folders left out by --exclude"), 1u);
}

TEST_F(HtmlSite, LinksBetweenPages) {
  write("index.html",
        "<title>Home</title><a href='docs/'>d</a> <a href=\"docs/a%20b.html#part\">a</a> <a href='/'>self</a>");
  write("docs/index.html",
        "<a href='../index.html?q=1'>up</a><a href='/docs/c'>c</a><a href='.'>self</a><a href='e'>e</a>"
        "<a href='https://x.org/'>o</a><a href='//x.org/'>o</a><a href='../../up.html'>o</a>"
        "<a href='gone.html'>g</a><a href='gone.html'>g</a><a href='f.pdf'>f</a>"
        "<a href='mailto:a@b.c'>m</a><a href='javascript:void(0)'>j</a><a href='#x'>x</a><a>none</a>");
  write("docs/a b.html", "<p>text");
  write("docs/c/index.htm", "<p>text");
  write("docs/e.html", "");
  write("docs/f.pdf", "");
  const auto pages = import();
  EXPECT_EQ(pages.size(), 5u);
  EXPECT_EQ(pages.at("index.html")["links"], (Json{"docs/index.html", "docs/a b.html"}));
  EXPECT_EQ(pages.at("docs/index.html")["links"], (Json{"index.html", "docs/c/index.htm", "docs/e.html"}));
  EXPECT_EQ(pages.at("index.html")["title"], "Home");
  EXPECT_EQ(pages.at("docs/e.html")["title"], "e.html");
  EXPECT_EQ(count("links out of the site"), 3u);
  EXPECT_EQ(count("links that lead nowhere"), 1u);
  EXPECT_EQ(count("links to files and folders that are no pages"), 1u);
  EXPECT_EQ(count("pages without text"), 1u);
}

TEST_F(HtmlSite, SymbolicLinksOutOfTheFolderAreNotFollowed) {
  write("real.html", "<p>text");
  write("../secret.html", "<p>secret");
  fs::create_symlink("real.html", folder_.path("site/in.html"));
  fs::create_symlink("../secret.html", folder_.path("site/out.html"));
  const auto pages = import();
  EXPECT_EQ(pages.size(), 2u);
  EXPECT_EQ(pages.at("in.html")["text"], "text");
  EXPECT_EQ(count("symbolic links out of the folder, not followed"), 1u);
}

TEST_F(HtmlSite, KeywordsAreLabels) {
  write("a.xhtml",
        "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><head><title>T</title>"
        "<meta name='keywords' content='x, y, x'/></head><body><p>text</p></body></html>");
  const auto pages = import();
  EXPECT_EQ(pages.at("a.xhtml")["labels"], (Json{"x", "y"}));
  EXPECT_EQ(pages.at("a.xhtml")["text"], "text");
}

TEST_F(HtmlSite, HostilePagesEnd) {
  const auto repeated = [](std::string_view piece, std::size_t times) {
    std::string text;
    for (std::size_t k = 0; k < times; ++k) text += piece;
    return text;
  };
  constexpr std::size_t kMany = 50000;
  for (const char* piece : {"<div>", "<p>", "<b>", "<a href=x>", "<table>", "<", "</", "<!--", "&", "&#", "<a ",
                            "<x y=\"", "<script>", "<main>", "<svg>", "</p>", "<td>", "<div></p>", "<font><p>"}) {
    for (const std::string& html : {repeated(piece, kMany), repeated(piece, kMany) + repeated("</i>", kMany)}) {
      EXPECT_LE(read_html(html).text.size(), html.size()) << piece;
    }
  }
  EXPECT_EQ(read_html(std::string(100, '\0') + "text").text, "text");
  EXPECT_EQ(read_html("").text, "");
  EXPECT_EQ(read_html(std::string_view("a\0b", 3)).text, "a b");
  write("deep.html", "<p>before" + repeated("<div>", kMany) + "after");
  std::string attributes = "<p>before<p";
  for (std::size_t k = 0; k < 100000; ++k) attributes += " a" + std::to_string(k) + "=1";
  write("attributes.html", attributes + ">after");
  write("cut.html", "<p>text <a href='x");
  const auto pages = import();
  EXPECT_EQ(pages.at("deep.html")["text"].get<std::string>().substr(0, 6), "before");
  EXPECT_EQ(pages.at("cut.html")["text"], "text");
  EXPECT_EQ(pages.at("attributes.html")["text"], "before\nafter");
  EXPECT_EQ(count("pages nested too deeply, read in part"), 1u);
}

}  // namespace
}  // namespace idne
