#include "import/markdown.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "idne/import.h"
#include "import/front_matter.h"
#include "temp_folder.h"

namespace idne {
namespace {

namespace fs = std::filesystem;
using Strings = std::vector<std::string>;
using Json = nlohmann::json;

/// A folder of notes, and what an import makes of it.
class Vault {
 public:
  void write(const std::string& name, std::string_view text) {
    fs::create_directories(notes().append(name).parent_path());
    folder_.write("notes/" + name, text);
  }
  fs::path notes() const { return folder_.path("notes"); }

  void import() {
    CorpusWriter out(folder_.path("corpus"));
    import_markdown(notes(), out, counts_, Run{});
    out.commit();
    std::istringstream lines(folder_.read("corpus/documents.jsonl"));
    for (std::string line; std::getline(lines, line);) {
      const Json document = Json::parse(line);
      order_.push_back(document["id"]);
      documents_[document["id"]] = document;
    }
  }
  Strings ids() const { return order_; }
  Json operator[](const std::string& id) const { return documents_.at(id); }
  Strings links(const std::string& id) const { return documents_.at(id).value("links", Strings()); }
  Strings labels(const std::string& id) const { return documents_.at(id).value("labels", Strings()); }
  std::uint64_t count(std::string_view what) const {
    for (const auto& [name, number] : counts_.all()) {
      if (name == what) return number;
    }
    return 0;
  }

 private:
  TempFolder folder_;
  ImportCounts counts_;
  std::map<std::string, Json> documents_;
  Strings order_;
};

Strings targets(const Note& note) {
  Strings result;
  for (const NoteLink& link : note.links) result.push_back((link.wiki ? "wiki " : "") + link.target);
  return result;
}

TEST(Markdown, NotesLinksAndLabels) {
  Vault vault;
  vault.write("A.md", "---\ntags: [one, two]\n---\n# Alpha\nSee [[B]] and [c](sub/C.md) #three\n");
  vault.write("B.md", "Beta links [[A|alias]] and [[missing note]]\n");
  vault.write("sub/C.md", "Gamma\n");
  vault.import();
  EXPECT_EQ(vault.ids(), (Strings{"A", "B", "sub/C"}));
  EXPECT_EQ(vault.labels("A"), (Strings{"one", "two", "three"}));
  EXPECT_EQ(vault.links("A"), (Strings{"B", "sub/C"}));
  EXPECT_EQ(vault.links("B"), Strings{"A"});
  EXPECT_EQ(vault["A"]["title"], "Alpha");
  EXPECT_EQ(vault["B"]["title"], "B");
  EXPECT_EQ(vault["A"]["text"], "Alpha\nSee B and c #three");
  EXPECT_EQ(vault["B"]["text"], "B\nBeta links alias and missing note") << "its name is part of it";
  EXPECT_EQ(vault.count("links that lead nowhere"), 1u);
}

TEST(Markdown, TextHasNoMarkup) {
  const Note note = read_note(
      "Title\n=====\n\n"
      "Some *stressed* __words__, `inline code`, ~~old~~ [link words](http://x.org \"t\") ![a picture](p.png).\n"
      "```cpp\nfenced #include\n```\n~~~\ntilde\n~~~\n\n    indented code\n\n"
      "<!-- a comment\n\nof two paragraphs -->\n"
      "<div class=\"x\">\ninside <b>html</b> caf&eacute;\n<script>run()</script></div>\n\n"
      "| left | right |\n|---|---|\n| *cell* | a \\| b |\n\n"
      "> quoted\n\n- [x] done\n- item\n\nA<br>B &amp; &#233; &#xE9; https://bare.org/a#b <https://angle.org>\n");
  EXPECT_EQ(note.title, "Title");
  EXPECT_EQ(note.text,
            "Title\nSome stressed words, inline code, old link words a picture.\n"
            "inside html café\nleft right\ncell a | b\nquoted\ndone\nitem\nA B & é é");
  EXPECT_TRUE(note.tags.empty());
  EXPECT_FALSE(note.cut);
}

TEST(Markdown, BlocksInItemsOfListsAreLinesOfTheirOwn) {
  EXPECT_EQ(read_note("- one\n  - two\n    1. three\n- four\n  > five\n").text, "one\ntwo\nthree\nfour\nfive");
  EXPECT_EQ(read_note("- one\n  ```\n  code\n  ```\n  two\n- # three\n  four\n").text, "one\ntwo\nthree\nfour");
  EXPECT_EQ(read_note("- one\n  # two\n").title, "two");
}

TEST(Markdown, LinksOfAllKinds) {
  const Note note = read_note(
      "[[Note]] [[Note|alias]] [[Note#part]] [[folder/Note]] ![[embed]] [c](sub/C.md) [d](../x.md#part \"title\")\n"
      "[e](<a b.md>) [f](a%20c.md) [g][ref] [ref] <a href=\"h.md\">h</a> ![no](picture.png)\n"
      "`[[code]]` \\[[escaped]]\n\n```\n[[code]] [x](code.md)\n```\n\n<p><a href='block.md'>b</a></p>\n\n[ref]: "
      "r.md\n");
  EXPECT_EQ(targets(note),
            (Strings{"wiki Note", "wiki Note", "wiki Note#part", "wiki folder/Note", "wiki embed", "sub/C.md",
                     "../x.md#part", "a b.md", "a%20c.md", "r.md", "r.md", "h.md", "block.md"}));
}

TEST(Markdown, BarsOfLinksInTables) {
  const Note note = read_note(
      "| a | b |\n|---|---|\n| [[C\\|cell text]] and ![[pic.png\\|50]] x | ![[y\\|z |\n| p ]] | [[D]] ![[E]] q |\n");
  EXPECT_EQ(note.text, "a b\ncell text and  x ![[y|z\np ]] D  q");
  EXPECT_EQ(targets(note), (Strings{"wiki C", "wiki pic.png", "wiki D", "wiki E"}));
  EXPECT_EQ(read_note("[[A|b|c]] ![[d|e]] ![[f\n]]").text, "b|c  ![[f ]]");
}

TEST(Markdown, LongWikiLinks) {
  const std::string name(150, 'n');
  EXPECT_EQ(targets(read_note("see [[" + name + "|short]] there")), Strings{"wiki " + name});
}

TEST(Markdown, WikiLinksInTables) {
  Vault vault;
  vault.write("A.md", "| a | b |\n|---|---|\n| [[B\\|bee]] | [[C]] |\n");
  vault.write("B.md", "b");
  vault.write("C.md", "c");
  vault.import();
  EXPECT_EQ(vault.links("A"), (Strings{"B", "C"}));
}

TEST(Markdown, TagsInTheText) {
  const auto tags = [](std::string_view text) { return read_note(text).tags; };
  EXPECT_EQ(tags("#one, #two/three. (#no) **#four** #five_six-7\n#eight\n"),
            (Strings{"one", "two/three", "four", "five_six-7", "eight"}));
  EXPECT_EQ(tags("#größe #標籤 #café☕"), (Strings{"größe", "標籤", "café☕"}));
  EXPECT_EQ(tags("# Heading\n## Other #inside\n"), Strings{"inside"});
  EXPECT_EQ(tags("#123 # #/ a#b `#code` \\#escaped &#39; http://x.org/#part [#link](x.md) [[#part]]\n\n    #code\n"),
            Strings{});
  EXPECT_EQ(tags("#1984book #trailing/ #"), (Strings{"1984book", "trailing"}));
}

TEST(FrontMatter, WaysToWriteTags) {
  const auto tags = [](const std::string& lines) { return read_front_matter("---\n" + lines + "\n---\n").tags; };
  const Strings ab{"a", "b"};
  EXPECT_EQ(tags("tags: [a, b]"), ab);
  EXPECT_EQ(tags("tags: ['a', \"b\"]"), ab);
  EXPECT_EQ(tags("tags: [\n  a,\n  b\n]"), ab);
  EXPECT_EQ(tags("tags:\n  - a\n  - b"), ab);
  EXPECT_EQ(tags("tags:\n- a\n- \"#b\"\nother: x"), ab);
  EXPECT_EQ(tags("tags: a, b"), ab);
  EXPECT_EQ(tags("tags: a b # comment"), ab);
  EXPECT_EQ(tags("Tags: \"a, b\""), ab);
  EXPECT_EQ(tags("tags: #a #b"), ab);
  EXPECT_EQ(tags("tag: a/c"), Strings{"a/c"});
  EXPECT_EQ(tags("tags: [\"a, b\"]"), Strings{"a, b"});
  EXPECT_EQ(tags("tags:"), Strings{});
  EXPECT_EQ(tags("tags: []"), Strings{});
  EXPECT_EQ(tags("tags: null"), Strings{});
  EXPECT_EQ(tags("meta:\n  tags: [x]"), Strings{});
}

TEST(FrontMatter, TitlesAndAliases) {
  const auto title = [](const std::string& lines) {
    return read_front_matter("---\r\n" + lines + "\r\n---\r\n").title;
  };
  EXPECT_EQ(title("title: Foo: bar"), "Foo: bar");
  EXPECT_EQ(title("date: {{date}}\r\ntitle: \"a \\\"b\\\"\""), "a \"b\"");
  EXPECT_EQ(title("title: 'it''s'"), "it's");
  EXPECT_EQ(title("title: >-\r\n  two\r\n  lines"), "two lines");
  EXPECT_EQ(read_front_matter("---\naliases: [a b, c]\n---\n").aliases, (Strings{"a b", "c"}));
  EXPECT_EQ(read_front_matter("---\nalias: a b, c\n---\n").aliases, (Strings{"a b", "c"}));
  const FrontMatter toml = read_front_matter("+++\ntitle = \"T\"\ntags = [\"a\", \"b\"]\n+++\ntext");
  EXPECT_EQ(toml.title, "T");
  EXPECT_EQ(toml.tags, (Strings{"a", "b"}));
}

TEST(FrontMatter, OnlyAtTheTopAndClosed) {
  EXPECT_EQ(read_front_matter("---\ntitle: a\n").end, 0u);
  EXPECT_EQ(read_front_matter("text\n---\ntitle: a\n---\n").end, 0u);
  EXPECT_EQ(read_note("\xEF\xBB\xBF---\ntitle: a\n---\ntext").text, "text");
  EXPECT_EQ(read_note("---\ntitle: a\n---\n# Heading\n").title, "a");
}

TEST(Markdown, MdxProgramsAreNoText) {
  const std::string text =
      "import A from './a'\nexport const b = {\n  c: 1\n}\n\n# T\n\n<A>words</A>\n\n```js\n\nimport x\n```\nend\n";
  EXPECT_EQ(read_note(text, true).text, "T\nwords\nend");
  EXPECT_NE(read_note(text, false).text.find("import"), std::string::npos);
}

TEST(Markdown, WikiLinksFindNotes) {
  Vault vault;
  vault.write("B.md",
              "[[x/Deep]] [[deep]] [[Café]] [[nick name]] [[B]] [[#part]] [[/x/Deep]] [[image.png]] [[x/B.md]]");
  vault.write("x/Deep.md", "[[B]] [[../y/B]]");
  vault.write("x/B.md", "x");
  vault.write("y/B.md", "y");
  vault.write("cafe\xCC\x81.md", "---\naliases: [Nick Name]\n---\naccent stored apart");
  vault.write("pictures/image.png", "");
  vault.import();
  EXPECT_EQ(vault.links("B"), (Strings{"x/Deep", "cafe\xCC\x81", "x/B"}));
  EXPECT_EQ(vault.links("x/Deep"), (Strings{"B", "y/B"})) << "an exact path is before a near one";
  EXPECT_EQ(vault.count("links to files and folders that are no notes"), 1u);
  EXPECT_EQ(vault.count("links that lead nowhere"), 0u);
}

TEST(Markdown, OfSeveralNotesTheNearest) {
  Vault vault;
  vault.write("a/b/from.md", "[[Name]]");
  vault.write("c/from.md", "[[Name]]");
  vault.write("a/b/x/name.md", "");
  vault.write("a/name.md", "");
  vault.write("d/name.md", "");
  vault.import();
  EXPECT_EQ(vault.links("a/b/from"), Strings{"a/b/x/name"});
  EXPECT_EQ(vault.links("c/from"), Strings{"a/name"});
}

TEST(Markdown, PathsFindNotes) {
  Vault vault;
  vault.write("docs/a.md",
              "[1](../top.md) [2](b%20c.md#x) [3](/top) [4](sub/) [5](sub) [6](b%20c.html?q) [7](Unique.md) [8](#here)"
              "[9](../../out.md) [10](https://x.org) [11](mailto:a@b.c) [12](gone.md) [13](data.csv) [14](//x.org/y)");
  vault.write("docs/b c.md", "");
  vault.write("docs/sub/README.md", "");
  vault.write("docs/data.csv", "");
  vault.write("far/unique.markdown", "");
  vault.write("top.md", "");
  vault.import();
  EXPECT_EQ(vault.links("docs/a"), (Strings{"top", "docs/b c", "docs/sub/README", "far/unique"}));
  EXPECT_EQ(vault.count("links out of the folder"), 3u);
  EXPECT_EQ(vault.count("links that lead nowhere"), 1u);
  EXPECT_EQ(vault.count("links to files and folders that are no notes"), 1u);
  EXPECT_EQ(vault.count("empty notes"), 4u);
}

TEST(Markdown, FilesThatAreNoNotes) {
  Vault vault;
  for (const char* name : {"a.md", "b.MARKDOWN", "c.mdx", ".obsidian/d.md", ".git/e.md", "node_modules/f.md", ".g.md",
                           "h.txt", "sub/node_modules/i.md", "md"}) {
    vault.write(name, "text");
  }
  fs::create_directory_symlink(vault.notes(), vault.notes() / "loop");
  fs::create_symlink("nowhere", vault.notes() / "broken.md");
  fs::create_symlink("a.md", vault.notes() / "link.md");
  ASSERT_EQ(::mkfifo((vault.notes() / "pipe.md").c_str(), 0600), 0);
  vault.import();
  EXPECT_EQ(vault.ids(), (Strings{"a", "b", "c", "link"}));
  EXPECT_EQ(vault.count("symbolic links to folders, not followed"), 1u);
  EXPECT_EQ(vault.count("files that cannot be read, passed over"), 1u);
}

TEST(Markdown, SymbolicLinksOutOfTheFolderAreNotFollowed) {
  Vault vault;
  vault.write("sub/real.md", "text");
  vault.write("../secret.md", "secret");
  vault.write("../notes-private/secret.md", "secret");
  const auto link = [&](const fs::path& target, const char* name) { fs::create_symlink(target, vault.notes() / name); };
  link("sub/real.md", "in.md");
  link(fs::absolute(vault.notes() / "sub/real.md"), "in-absolute.md");
  link("../secret.md", "out.md");
  link(fs::absolute(vault.notes() / "../secret.md"), "out-absolute.md");
  link("../notes-private/secret.md", "out-beside.md");
  link("out.md", "out-in-two-steps.md");
  link("../secret.md", "picture.png");
  vault.import();
  EXPECT_EQ(vault.ids(), (Strings{"in-absolute", "in", "sub/real"}));
  EXPECT_EQ(vault.count("symbolic links out of the folder, not followed"), 4u);
  EXPECT_EQ(vault.count("files that cannot be read, passed over"), 0u);
}

TEST(Markdown, TheFolderItselfMayBeALink) {
  Vault vault;
  vault.write("a.md", "text");
  fs::create_symlink("a.md", vault.notes() / "link.md");
  const TempFolder other;
  fs::create_directory_symlink(vault.notes(), other.path("notes"));
  ImportCounts counts;
  CorpusWriter out(other.path("corpus"));
  import_markdown(other.path("notes"), out, counts, idne::Run{});
  EXPECT_EQ(out.documents(), 2u);
  EXPECT_TRUE(counts.all().empty());
}

TEST(Markdown, TwoNotesNeverHaveOneId) {
  Vault vault;
  for (const char* name : {"a.md", "a.mdx", "a.markdown", "a.mdx.md", "\xFF.md", "\xFE.md"}) vault.write(name, "text");
  vault.import();
  EXPECT_EQ(vault.ids().size(), 6u);
  auto ids = vault.ids();
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(std::unique(ids.begin(), ids.end()), ids.end());
  EXPECT_EQ(vault["a"]["text"], "a\ntext");
}

TEST(Markdown, OtherEncodings) {
  Vault vault;
  vault.write("a.md", "caf\xE9 [[b\xE9]]\ncaf\xC3\xA9");
  vault.write("b\u00E9.md", std::string_view("\xFF\xFE#\0 \0\xE9\0\n\0", 10));
  vault.write("c.md", std::string_view("\xFE\xFF\0-\0-\0-\0\n\0a\0l\0i\0a\0s\0:\0 \0\xE9\0\n\0-\0-\0-\0\n\0x", 38));
  vault.write("d.md", "[[\u00E9]]");
  vault.import();
  EXPECT_EQ(vault["a"]["text"], "a\ncafé bé café");
  EXPECT_EQ(vault.links("a"), Strings{"bé"});
  EXPECT_EQ(vault["bé"]["text"], "é");
  EXPECT_EQ(vault["c"]["text"], "c\nx");
  EXPECT_EQ(vault.links("d"), Strings{"c"}) << "aliases, too";
  EXPECT_EQ(vault.count("notes that are no UTF-8, taken for Windows-1252"), 1u);
}

TEST(Markdown, HostileNotesEnd) {
  const auto repeated = [](std::string_view piece, std::size_t times) {
    std::string text;
    for (std::size_t k = 0; k < times; ++k) text += piece;
    return text;
  };
  constexpr std::size_t kMany = 50000;
  for (const char* piece :
       {">",   "> ",   "- ", "* ", "1. ",  "[", "![",      "[[",        "](",       "*a_",   "`", "``` ", "<",
        "<a ", "<!--", "&",  "#",  "[a](", "|", "\n|-|\n", "<div>\n\n", "[a]: b\n", "[[a]]", "$", "~",    "http://"}) {
    const std::string text = repeated(piece, kMany);
    EXPECT_LE(read_note(text).text.size(), text.size()) << piece;
  }
  EXPECT_EQ(read_note(repeated("- ", kMany) + "a" + repeated("\n", kMany)).text, "a");
  EXPECT_EQ(read_note(repeated("<div>", kMany)).text, "");
  std::string stairs;
  for (std::size_t depth = 0; depth < 1000; ++depth) stairs += std::string(2 * depth, ' ') + "- x\n";
  EXPECT_EQ(read_note(stairs + repeated("\n", kMany)).text.substr(0, 4), "x\nx\n");
  const Note note = read_note("[a]: <" + repeated("\\!", kMany) + ">\n\n" + repeated("[a] ", kMany));
  EXPECT_TRUE(note.cut);
  EXPECT_LT(note.links.size(), 100u);
}

TEST(Markdown, NoFolderNoNotes) {
  Vault vault;
  EXPECT_THROW(vault.import(), Error);
  fs::create_directory(vault.notes());
  EXPECT_THROW(vault.import(), Error) << "nothing to import";
}

}  // namespace
}  // namespace idne
