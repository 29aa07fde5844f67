#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "idne/import.h"
#include "packed.h"
#include "temp_folder.h"

namespace idne {
namespace {

using Json = nlohmann::json;

/// Like an export of the German Wikipedia: names of its own for namespaces, redirects of all kinds, pages of other
/// namespaces, an earlier revision, a second slot.
const std::string kWiki = R"(<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="de">
  <siteinfo>
    <sitename>Wikipedia</sitename><base>https://de.wikipedia.org/wiki/X</base><case>first-letter</case>
    <namespaces>
      <namespace key="0" case="first-letter" />
      <namespace key="4" case="first-letter">Wikipedia</namespace>
      <namespace key="6" case="first-letter">Datei</namespace>
      <namespace key="14" case="first-letter">Kategorie</namespace>
    </namespaces>
  </siteinfo>
  <page><title>Löwe</title><ns>0</ns><id>1</id>
    <revision><id>10</id><model>wikitext</model><text xml:space="preserve">alt [[Alt]]</text></revision>
    <revision><id>11</id><contributor><username>text</username><id>3</id></contributor><comment>[[x]]</comment>
      <model>wikitext</model><format>text/x-wiki</format>
      <text bytes="99" xml:space="preserve">{{Box|Art=[[großkatze]]}}
'''Löwen''' jagen [[zebra]]s &amp;ndash; &lt;ref&gt;[[Quelle]]&lt;/ref&gt; [[Ring A|im Ring]], [[nirgends]], [[Löwe|sich]] &amp;amp; [[kette#Ende|Kette]].
[[Datei:L.jpg|mini|ein [[Panther]]]]
[[Kategorie:Katzen]][[kategorie:tiere_Afrikas|Lowe]]</text>
      <content><role>other</role><text>not this</text></content>
    </revision></page>
  <page><title>Großkatze</title><ns>0</ns><id>2</id><redirect title="Panther" /><revision><text>#WEITERLEITUNG [[Panther]]</text></revision></page>
  <page><title>Kette</title><ns>0</ns><id>3</id><redirect title="Großkatze" /><revision><text>#WEITERLEITUNG [[Großkatze]]</text></revision></page>
  <page><title>Ring A</title><ns>0</ns><id>4</id><redirect title="Ring B" /><revision><text /></revision></page>
  <page><title>Ring B</title><ns>0</ns><id>5</id><revision><text>#REDIRECT [[Ring A]]</text></revision></page>
  <page><title>Panther</title><ns>0</ns><id>6</id><revision><text>Panther [[Löwe]]</text></revision></page>
  <page><title>Zebra</title><id>7</id><revision><text>Zebra</text></revision></page>
  <page><title>Kategorie:Katzen</title><ns>14</ns><id>8</id><revision><text>x</text></revision></page>
  <page><title>Wikipedia:Seite</title><id>9</id><revision><text>x</text></revision></page>
  <page><title>Leer</title><ns>0</ns><id>10</id><revision><text deleted="deleted" /></revision></page>
  <page><title>Panther</title><ns>0</ns><id>11</id><revision><text>again</text></revision></page>
  <page><title> </title><ns>0</ns><id>12</id><revision><text>x</text></revision></page>
  <page><title>Daten</title><ns>0</ns><id>13</id><revision><model>json</model><text>{}</text></revision></page>
</mediawiki>
)";

struct Imported {
  std::map<std::string, Json> documents;
  std::map<std::string, std::uint64_t> counts;
};

Imported import_from(const std::filesystem::path& file, int threads = 2) {
  const TempFolder folder;
  ImportCounts counts;
  CorpusWriter out(folder.path("corpus"));
  Run run;
  run.threads = threads;
  import_mediawiki(file, out, counts, run);
  out.commit();
  Imported result;
  std::istringstream lines(folder.read("corpus/documents.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    Json document = Json::parse(line);
    result.documents[document["id"].get<std::string>()] = document;
  }
  result.counts.insert(counts.all().begin(), counts.all().end());
  return result;
}

Imported import_text(std::string_view wiki, int threads = 2) {
  const TempFolder folder;
  return import_from(folder.write("wiki.xml", wiki), threads);
}

/// What an import of the file says is wrong with it, from the file's name on.
std::string wiki_fault(const std::filesystem::path& file) {
  try {
    import_from(file);
  } catch (const Error& error) {
    const std::string what = error.what(), name = file.filename().string();
    return what.substr(std::min(what.find(name), what.size()));
  }
  return "no fault";
}

std::string in_wiki(const std::string& pages) { return "<mediawiki>" + pages + "</mediawiki>"; }
std::string wiki_page(const std::string& title, const std::string& text) {
  return "<page><title>" + title + "</title><ns>0</ns><revision><text>" + text + "</text></revision></page>\n";
}

TEST(MediaWiki, PagesWithTextLinksAndCategories) {
  for (const int threads : {1, 2}) {
    const Imported got = import_text(kWiki, threads);
    ASSERT_EQ(got.documents.size(), 3u);
    EXPECT_EQ(got.documents.at("Löwe"), Json::parse(R"({"id": "Löwe", "title": "Löwe",
        "text": "Löwen jagen zebras – im Ring, nirgends, sich & Kette.",
        "labels": ["Katzen", "Tiere Afrikas"], "links": ["Panther", "Zebra"]})"));
    EXPECT_EQ(got.documents.at("Panther"),
              Json::parse(R"({"id": "Panther", "title": "Panther", "text": "Panther Löwe", "links": ["Löwe"]})"));
    EXPECT_EQ(got.documents.at("Zebra"), Json::parse(R"({"id": "Zebra", "title": "Zebra", "text": "Zebra"})"));
  }
}

TEST(MediaWiki, CountsWhatIsLeftOut) {
  const std::map<std::string, std::uint64_t> expected{{"redirects", 4},
                                                      {"pages of other namespaces", 2},
                                                      {"empty pages", 1},
                                                      {"pages with the title of an earlier page", 1},
                                                      {"pages without a title", 1},
                                                      {"pages that are no wikitext", 1},
                                                      {"links to pages that are not there", 2}};
  EXPECT_EQ(import_text(kWiki).counts, expected);
}

TEST(MediaWiki, OldExportsHaveNoNamespacesAndBareRedirects) {
  const Imported got = import_text(
      "<mediawiki><page><title>A</title><redirect /><revision><text>#OHJAUS [[b]]</text></revision></page>"
      "<page><title>B</title><revision><text>x</text></revision></page>"
      "<page><title>C: D</title><revision><text>[[a]]</text></revision></page>"
      "<page><title>Talk:C</title><revision><text>y</text></revision></page></mediawiki>");
  EXPECT_EQ(got.documents.size(), 2u);
  EXPECT_EQ(got.documents.at("C: D")["links"], Json{"B"});
}

TEST(MediaWiki, AWikiMayTellAppleFromapple) {
  const std::string pages = wiki_page("apple", "fruit") + wiki_page("x", "[[Apple]] [[apple]]");
  EXPECT_EQ(import_text(in_wiki(pages)).documents.at("x")["links"], Json{"apple"});
  const Imported strict =
      import_text(in_wiki("<siteinfo><case>case-sensitive</case></siteinfo>" + pages + wiki_page("Apple", "firm")));
  EXPECT_EQ(strict.documents.at("x")["links"], (Json{"Apple", "apple"}));
}

TEST(MediaWiki, ReadsBzip2OfSeveralStreams) {
  const auto bzip2 = [](std::string_view text) { return FilePacker::compressed(text, ".bz2"); };
  const std::string packed = bzip2(kWiki.substr(0, 2000)) + bzip2(kWiki.substr(2000));
  const TempFolder folder;
  EXPECT_EQ(import_from(folder.write("a.xml.bz2", packed)).documents.size(), 3u);
  for (const std::size_t size : {packed.size() / 4, 3 * packed.size() / 4, packed.size() - 1, std::size_t{0}}) {
    const std::string said = wiki_fault(folder.write("b.xml.bz2", packed.substr(0, size)));
    EXPECT_TRUE(said.starts_with("b.xml.bz2: cannot read: ")) << said;
  }
  EXPECT_EQ(wiki_fault(folder.write("c.xml.bz2", "no bzip2 at all")),
            "c.xml.bz2: cannot read: is no .bz2 file, or is cut off");
  EXPECT_EQ(wiki_fault(folder.path("none.xml.bz2")), "none.xml.bz2: cannot read: No such file or directory");
}

TEST(MediaWiki, ReadsTheOneFileOfAnArchive) {
  const TempFolder folder;
  EXPECT_EQ(import_from(folder.write("a.7z", FilePacker::seven_zip({{"wiki.xml", kWiki}}))).documents.size(), 3u);
}

TEST(MediaWiki, BrokenFilesAreErrorsWithTheirPlace) {
  for (const auto& [text, says] :
       std::map<std::string, std::string>{{kWiki.substr(0, 1500), "is not well-formed XML"},
                                          {"<mediawiki>\n</page>", "wiki.xml:2:3: is not well-formed XML"},
                                          {"<html/>", "begins with <html>"},
                                          {"", "no element found"}}) {
    try {
      import_text(text);
      ADD_FAILURE() << "took " << text;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
    }
  }
}

TEST(MediaWiki, ManyPagesInSeveralBatches) {
  std::string pages;
  const std::string words(100000, 'w');
  for (int n = 0; n < 300; ++n) pages += wiki_page(fmt::format("p{}", n), fmt::format("{}[[p{}]]", words, n + 1));
  const Imported got = import_text(in_wiki(pages));
  EXPECT_EQ(got.documents.size(), 300u);
  EXPECT_EQ(got.documents.at("p298")["links"], Json{"p299"});
  EXPECT_EQ(got.counts.at("links to pages that are not there"), 1u);
}

}  // namespace
}  // namespace idne
