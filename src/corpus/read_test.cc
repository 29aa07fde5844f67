#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "idne/corpus.h"
#include "idne/generate.h"
#include "temp_folder.h"

namespace idne {
namespace {

namespace fs = std::filesystem;

/// A document line with its id as text, and more fields if wanted: `, "links": ["b"]`.
std::string document(const std::string& id, const std::string& more = "") {
  return "{\"id\": \"" + id + "\", \"text\": \"text of " + id + "\"" + more + "}\n";
}

std::string documents(std::initializer_list<const char*> ids) {
  std::string text;
  for (const char* id : ids) text += document(id);
  return text;
}

Collection read(const fs::path& path, int threads = 1) {
  return read_collection(path, {"none", false}, {threads, {}, {}});
}

/// What went wrong, without the folder before the file's name.
std::string error_of(const TempFolder& folder, const fs::path& path, bool strict, int threads = 1) {
  try {
    read_collection(path, {"none", strict}, {threads, {}, {}});
  } catch (const Error& error) {
    std::string text = error.what();
    if (const std::string prefix = folder.path().string() + "/"; text.starts_with(prefix)) text.erase(0, prefix.size());
    return text;
  }
  return "no error";
}
std::string error_of(const TempFolder& folder) { return error_of(folder, folder.path(), false); }
std::string strict_error_of(const TempFolder& folder) { return error_of(folder, folder.path(), true); }

std::vector<std::tuple<std::uint32_t, std::uint32_t, float>> links_of(const Collection& c) {
  std::vector<std::tuple<std::uint32_t, std::uint32_t, float>> links;
  for (const Link& link : c.links) links.emplace_back(link.a, link.b, link.weight);
  return links;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> memberships_of(const Collection& c) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> memberships;
  for (const Membership& m : c.memberships) memberships.emplace_back(m.document, m.group);
  return memberships;
}

std::vector<std::string> strings_of(const StringTable& table) {
  return {table.strings().begin(), table.strings().end()};
}

using Strings = std::vector<std::string>;
using Links = std::vector<std::tuple<std::uint32_t, std::uint32_t, float>>;
using Memberships = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

void write_gzip(const fs::path& file, const std::string& text) {
  const gzFile out = gzopen(file.c_str(), "wb");
  ASSERT_EQ(gzwrite(out, text.data(), static_cast<unsigned>(text.size())), static_cast<int>(text.size()));
  ASSERT_EQ(gzclose(out), Z_OK);
}

std::string zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

TEST(Read, FolderHasDocumentsLinksAndGroups) {
  const TempFolder folder;
  folder.write("documents.jsonl", documents({"a", "b", "c"}));
  folder.write("links.tsv", "c\ta\n");
  folder.write("groups.tsv", "b\tteam\nc\tteam\n");
  const Collection c = read(folder.path());
  EXPECT_EQ(c.name, folder.path().string());
  EXPECT_EQ(strings_of(c.ids), (Strings{"a", "b", "c"}));
  EXPECT_EQ(links_of(c), (Links{{0, 2, 1}}));
  EXPECT_EQ(memberships_of(c), (Memberships{{1, 0}, {2, 0}}));
  EXPECT_EQ(c.dropped.text(), "nothing");
}

TEST(Read, OneFileIsACorpusWithoutTheFilesBesideIt) {
  const TempFolder folder;
  const fs::path file = folder.write("documents.jsonl", document("a", R"(, "links": ["b"])") + document("b"));
  folder.write("links.tsv", "no link\n");
  const Collection c = read(file);
  EXPECT_EQ(c.ids.size(), 2u);
  EXPECT_EQ(links_of(c), (Links{{0, 1, 1}}));
}

TEST(Read, WordsAreCountedInTheOrderOfComing) {
  const TempFolder folder;
  const Collection c = read(folder.write("a.jsonl",
                                         "{\"id\": \"a\", \"text\": \"Red fish, RED fish, blue\"}\n"
                                         "{\"id\": \"b\", \"text\": \"\"}\n"
                                         "{\"id\": \"c\", \"text\": \"one blue\"}\n"));
  EXPECT_EQ(strings_of(c.tokens), (Strings{"red", "fish", "blue", "one"}));
  ASSERT_EQ(c.counts.rows(), 3u);
  EXPECT_EQ(std::vector(c.counts.row(0).begin(), c.counts.row(0).end()),
            (std::vector<WordCount>{{0, 2}, {1, 2}, {2, 1}}));
  EXPECT_TRUE(c.counts.row(1).empty());
  EXPECT_EQ(c.counts.length(2), 2u);
}

TEST(Read, StopWordsAreLeftOut) {
  const TempFolder folder;
  const fs::path file = folder.write("a.jsonl", "{\"id\": \"a\", \"text\": \"The cat and the dog\"}\n");
  const Collection english = read_collection(file, {}, {});
  EXPECT_EQ(strings_of(english.tokens), (Strings{"cat", "dog"}));
  EXPECT_EQ(english.stop_words, "english");
  const Collection own = read_collection(file, {folder.write("stop.txt", "CAT\n").string(), false}, {});
  EXPECT_EQ(strings_of(own.tokens), (Strings{"the", "and", "dog"}));
  EXPECT_EQ(read(file).stop_words, "none");
}

TEST(Read, EscapesInJsonAreText) {
  const TempFolder folder;
  const Collection c =
      read(folder.write("a.jsonl", R"({"id": "a\"\u0000b", "text": "caf\u00e9\nbl\u00fc\tx\u0000yz \ud83d\ude00"})"));
  EXPECT_EQ(c.ids[0], std::string_view("a\"\0b", 4));
  EXPECT_EQ(strings_of(c.tokens), (Strings{"cafe", "blu", "yz"}));
}

TEST(Read, CompressedFilesAreReadAsTheyAre) {
  const TempFolder gz, zst;
  const std::string text = documents({"a", "b"});
  write_gzip(gz.path("documents.jsonl.gz"), text);
  write_gzip(gz.path("links.tsv.gz"), "a\tb\n");
  write_gzip(gz.path("groups.tsv.gz"), "a\tteam\n");
  zst.write("documents.jsonl.zst", zstd(text));
  zst.write("links.tsv.zst", zstd("a\tb\n"));
  zst.write("groups.tsv.zst", zstd("a\tteam\n"));
  for (const TempFolder* folder : {&gz, &zst}) {
    const Collection c = read(folder->path());
    EXPECT_EQ(strings_of(c.ids), (Strings{"a", "b"}));
    EXPECT_EQ(links_of(c), (Links{{0, 1, 1}}));
    EXPECT_EQ(memberships_of(c), (Memberships{{0, 0}}));
  }
  EXPECT_EQ(read(gz.path("documents.jsonl.gz")).ids.size(), 2u);
  EXPECT_EQ(read(zst.path("documents.jsonl.zst")).ids.size(), 2u);
}

TEST(Read, CutOffCompressedFileIsAnErrorWithItsName) {
  const TempFolder folder;
  write_gzip(folder.path("documents.jsonl.gz"), documents({"a", "b", "c"}));
  const std::string whole = folder.read("documents.jsonl.gz");
  folder.write("documents.jsonl.gz", whole.substr(0, whole.size() - 10));
  EXPECT_TRUE(error_of(folder).starts_with("documents.jsonl.gz: cannot read: ")) << error_of(folder);
  fs::remove(folder.path("documents.jsonl.gz"));
  folder.write("documents.jsonl.zst", zstd(documents({"a"})).substr(0, 20));
  EXPECT_EQ(error_of(folder), "documents.jsonl.zst: cannot read: the compressed file is cut off");
}

TEST(Read, FormsOfLinesDoNotMatter) {
  const TempFolder plain, odd;
  plain.write("documents.jsonl", document("a") + document("b"));
  plain.write("links.tsv", "a\tb\n");
  plain.write("groups.tsv", "a\tteam\nb\tteam\n");
  std::string a = document("a"), b = document("b");
  a.pop_back(), b.pop_back();
  odd.write("documents.jsonl", "\xEF\xBB\xBF" + a + "\r\n\r\n  \t\n\n" + b);
  odd.write("links.tsv",
            "\xEF\xBB\xBF"
            "a\tb\r\n\r\n");
  odd.write("groups.tsv",
            "\xEF\xBB\xBF"
            "a\tteam\r\n\nb\tteam");
  const Collection x = read(plain.path()), y = read(odd.path());
  EXPECT_EQ(strings_of(x.ids), strings_of(y.ids));
  EXPECT_EQ(x.titles, y.titles);
  EXPECT_EQ(strings_of(x.tokens), strings_of(y.tokens));
  EXPECT_EQ(links_of(x), links_of(y));
  EXPECT_EQ(memberships_of(x), memberships_of(y));
  EXPECT_EQ(y.dropped.text(), "nothing");
}

TEST(Read, BlankLinesCountInLineNumbers) {
  const TempFolder folder;
  folder.write("documents.jsonl", "\n\r\n" + document("a") + "\n{\n");
  EXPECT_TRUE(error_of(folder).starts_with("documents.jsonl:5: ")) << error_of(folder);
}

TEST(Read, LineLongerThanABlockIsOneDocument) {
  const TempFolder folder;
  std::string text;
  for (int k = 0; k < 200000; ++k) text += "word ";  // 1 MB; a block is a quarter of that
  const fs::path file =
      folder.write("a.jsonl", document("a") + "{\"id\": \"b\", \"text\": \"" + text + "\"}\n" + document("c") + "{");
  EXPECT_TRUE(error_of(folder, file, false).starts_with("a.jsonl:4: ")) << error_of(folder, file, false);
  std::string whole = folder.read("a.jsonl");
  whole.pop_back();
  for (const int threads : {1, 3}) {
    const Collection c = read(folder.write("a.jsonl", whole), threads);
    EXPECT_EQ(strings_of(c.ids), (Strings{"a", "b", "c"}));
    EXPECT_EQ(c.counts.length(1), 200000u);
  }
}

TEST(Read, TitleIsKept) {
  const TempFolder folder;
  const Collection c =
      read(folder.write("a.jsonl", document("a", R"(, "title": "A\n title")") + document("b", R"(, "title": "")") +
                                       document("c", R"(, "title": null)") + document("d")));
  EXPECT_EQ(c.titles, (Strings{"A title", "text of b", "text of c", "text of d"}));
}

TEST(Read, OpeningIsCutBetweenWordsAndCharacters) {
  const TempFolder folder;
  std::string words, accents = "x";
  for (int k = 0; k < 30; ++k) words += "letters ";
  for (int k = 0; k < 60; ++k) accents += "é";
  const auto line = [](const std::string& id, const std::string& text) {
    return "{\"id\": \"" + id + "\", \"text\": \"" + text + "\"}\n";
  };
  const Collection c = read(folder.write("a.jsonl", line("a", "  many \\n\\t " + words) + line("b", accents) +
                                                        line("c", std::string(80, 'x')) + line("d", " \\n ")));
  std::string opening = "many";
  for (int k = 0; k < 9; ++k) opening += " letters";
  EXPECT_EQ(c.titles[0], opening + "…");
  EXPECT_EQ(c.titles[1], accents.substr(0, 79) + "…");  // 1 + 39 · 2 bytes: the 80th would halve a letter
  EXPECT_EQ(c.titles[2], std::string(80, 'x'));
  EXPECT_EQ(c.titles[3], "");
}

TEST(Read, LabelsAreKeptInOrderAndRepeatsJoined) {
  const TempFolder folder;
  const Collection c = read(folder.write("a.jsonl", document("a", R"(, "labels": ["x", "y", "x"])") +
                                                        document("b", R"(, "labels": [])") +
                                                        document("c", R"(, "labels": ["z", "x"])") + document("d")));
  EXPECT_EQ(strings_of(c.labels), (Strings{"x", "y", "z"}));
  ASSERT_EQ(c.document_labels.rows(), 4u);
  const auto row = [&](std::size_t i) {
    return std::vector(c.document_labels.row(i).begin(), c.document_labels.row(i).end());
  };
  EXPECT_EQ(row(0), (std::vector<std::int32_t>{0, 1}));
  EXPECT_TRUE(row(1).empty());
  EXPECT_EQ(row(2), (std::vector<std::int32_t>{2, 0}));
  EXPECT_TRUE(row(3).empty());
}

TEST(Read, InlineLinksMayNameLaterDocuments) {
  const TempFolder folder;
  const Collection c = read(folder.write(
      "a.jsonl", document("a", R"(, "links": ["c", "b"])") + document("b", R"(, "links": ["c"])") + document("c")));
  EXPECT_EQ(links_of(c), (Links{{0, 1, 1}, {0, 2, 1}, {1, 2, 1}}));
}

TEST(Read, InlineGroupsJoinThoseOfTheFile) {
  const TempFolder folder;
  folder.write("documents.jsonl", document("a", R"(, "groups": ["x", "y"])") + document("b"));
  folder.write("groups.tsv", "b\ty\nb\tz\n");
  EXPECT_EQ(memberships_of(read(folder.path())), (Memberships{{0, 0}, {0, 1}, {1, 1}, {1, 2}}));
}

TEST(Read, LinksHaveWeights) {
  const TempFolder folder;
  folder.write("documents.jsonl", documents({"a", "b", "c"}));
  folder.write("links.tsv", "a\tb\t2.5\nb\tc\nc\ta\t1e-3\n");
  EXPECT_EQ(links_of(read(folder.path())), (Links{{0, 1, 2.5f}, {0, 2, 1e-3f}, {1, 2, 1}}));
}

TEST(Read, FirstOfRepeatedLinksIsKept) {
  const TempFolder folder;
  folder.write("documents.jsonl", documents({"a", "b"}));
  folder.write("links.tsv", "b\ta\t3\na\tb\t5\n");
  EXPECT_EQ(links_of(read(folder.path())), (Links{{0, 1, 3}}));
}

TEST(Read, EachKindOfDroppedIsCounted) {
  const TempFolder folder;
  folder.write("documents.jsonl", document("a", R"(, "links": ["b", "a", "?", "b"], "groups": ["x", "x"])") +
                                      document("b", R"(, "links": ["a"])"));
  folder.write("links.tsv", "a\tb\nb\tb\n?\ta\na\t?\n?\t?\n");
  folder.write("groups.tsv", "?\tx\na\tx\na\ty\n");
  const Collection c = read(folder.path());
  EXPECT_EQ(c.dropped.unknown_links, 4u);
  EXPECT_EQ(c.dropped.self_links, 2u);
  EXPECT_EQ(c.dropped.repeated_links, 3u);
  EXPECT_EQ(c.dropped.unknown_members, 1u);
  EXPECT_EQ(c.dropped.repeated_members, 2u);
  EXPECT_EQ(c.dropped.all(), 12u);
  EXPECT_EQ(links_of(c), (Links{{0, 1, 1}}));
  EXPECT_EQ(memberships_of(c), (Memberships{{0, 0}, {0, 1}}));
}

TEST(Dropped, IsToldInWords) {
  Dropped dropped;
  EXPECT_EQ(dropped.text(), "nothing");
  dropped.unknown_links = 3;
  dropped.self_links = 1;
  EXPECT_EQ(dropped.text(), "3 links to unknown ids, 1 self-link");
  EXPECT_EQ((Dropped{1, 2, 1, 1, 1}.text()),
            "1 link to an unknown id, 2 self-links, 1 repeated link, 1 group member with an unknown id, "
            "1 repeated group member");
}

TEST(ReadStrict, GoodCorpusIsRead) {
  const TempFolder folder;
  folder.write("documents.jsonl", document("a", R"(, "links": ["b"], "groups": ["x"])") + documents({"b", "c"}));
  folder.write("links.tsv", "b\tc\n");
  folder.write("groups.tsv", "b\tx\n");
  EXPECT_EQ(strict_error_of(folder), "no error");
}

TEST(ReadStrict, InlineLinksAreCheckedWithTheirLine) {
  const TempFolder folder;
  folder.write("documents.jsonl", document("a") + document("b", R"(, "links": ["a", "?"])"));
  EXPECT_EQ(strict_error_of(folder), "documents.jsonl:2: a link to the unknown id \"?\"");
  folder.write("documents.jsonl", document("a") + "\n" + document("b", R"(, "links": ["b"])"));
  EXPECT_EQ(strict_error_of(folder), "documents.jsonl:3: a link from \"b\" to itself");
  folder.write("documents.jsonl", document("a", R"(, "links": ["b"])") + document("b", R"(, "links": ["a"])"));
  EXPECT_EQ(strict_error_of(folder), "documents.jsonl:2: a repeated link");
  folder.write("documents.jsonl", document("a", R"(, "groups": ["x", "y", "x"])"));
  EXPECT_EQ(strict_error_of(folder), "documents.jsonl:1: a repeated membership");
}

TEST(ReadStrict, LinksFileIsCheckedWithItsLine) {
  const TempFolder folder;
  folder.write("documents.jsonl", documents({"a", "b", "c"}));
  folder.write("links.tsv", "a\tb\n\na\t?\n");
  EXPECT_EQ(strict_error_of(folder), "links.tsv:3: a link to the unknown id \"?\"");
  folder.write("links.tsv", "a\tb\n?\ta\n");
  EXPECT_EQ(strict_error_of(folder), "links.tsv:2: a link to the unknown id \"?\"");
  folder.write("links.tsv", "b\tb\n");
  EXPECT_EQ(strict_error_of(folder), "links.tsv:1: a link from \"b\" to itself");
  folder.write("links.tsv", "b\tc\na\tb\nc\tb\nb\ta\n");
  EXPECT_EQ(strict_error_of(folder), "links.tsv:3: a repeated link");
}

TEST(ReadStrict, GroupsFileIsCheckedWithItsLine) {
  const TempFolder folder;
  folder.write("documents.jsonl", documents({"a", "b"}));
  folder.write("groups.tsv", "a\tx\n?\tx\n");
  EXPECT_EQ(strict_error_of(folder), "groups.tsv:2: a member with the unknown id \"?\"");
  folder.write("groups.tsv", "b\tx\na\tx\nb\tx\n");
  EXPECT_EQ(strict_error_of(folder), "groups.tsv:3: a repeated membership");
}

TEST(ReadStrict, RepeatOfAnInlineLinkOrGroupIsInTheOtherFile) {
  const TempFolder folder;
  folder.write("documents.jsonl",
               documents({"c"}) + document("a", R"(, "links": ["b"], "groups": ["x"])") + documents({"b"}));
  folder.write("links.tsv", "a\tc\nb\ta\n");
  EXPECT_EQ(strict_error_of(folder), "links.tsv:2: a repeated link");
  fs::remove(folder.path("links.tsv"));
  folder.write("groups.tsv", "a\tx\n");
  EXPECT_EQ(strict_error_of(folder), "groups.tsv:1: a repeated membership");
}

TEST(ReadStrict, RepeatInTheDocumentsComesBeforeOneInTheLinksFile) {
  const TempFolder folder;
  folder.write("documents.jsonl",
               document("a", R"(, "links": ["b"])") + documents({"b"}) + document("c", R"(, "links": ["b", "b"])"));
  folder.write("links.tsv", "a\tb\n");
  EXPECT_EQ(strict_error_of(folder), "documents.jsonl:3: a repeated link");
}

struct BadLine {
  const char* line;
  const char* error;
};

TEST(ReadErrors, BadDocumentLinesAreNamedWithFileAndLine) {
  const BadLine lines[] = {
      {"{\"id\": \"b\", \"text\": ", "not a JSON object on one line ("},
      {"nonsense", "not a JSON object on one line ("},
      {R"({"id": "b", "text": "x"} {"id": "c", "text": "x"})", "not a JSON object on one line ("},
      {R"({"id": "b", "text": "\ud800"})", "not a JSON object on one line ("},
      {"{\"id\": \"b\", \"text\": \"\xFF\"}", "the text is not valid UTF-8; convert the file to UTF-8"},
      {"[]", "a JSON object such as {"},
      {"\"text\"", "a JSON object such as {"},
      {"7", "a JSON object such as {"},
      {R"({"text": "x"})", "\"id\" is missing; a string is needed"},
      {R"({"id": "", "text": "x"})", "\"id\" is empty; every document needs an id of its own"},
      {R"({"id": 7, "text": "x"})", "\"id\" must be a string"},
      {R"({"id": null, "text": "x"})", "\"id\" must be a string"},
      {R"({"id": "a", "text": "x"})", "the id \"a\" was there already; ids must differ"},
      {R"({"id": "b"})", "\"text\" is missing; a string is needed"},
      {R"({"id": "b", "text": null})", "\"text\" must be a string"},
      {R"({"id": "b", "text": ["x"]})", "\"text\" must be a string"},
      {R"({"id": "b", "text": "x", "title": 7})", "\"title\" must be a string"},
      {R"({"id": "b", "text": "x", "labels": "y"})", "\"labels\" must be a list of strings"},
      {R"({"id": "b", "text": "x", "labels": ["y", 7]})", "\"labels\" must be a list of strings"},
      {R"({"id": "b", "text": "x", "links": {"a": 1}})", "\"links\" must be a list of strings"},
      {R"({"id": "b", "text": "x", "links": [1]})", "\"links\" must be a list of strings"},
      {R"({"id": "b", "text": "x", "groups": [null]})", "\"groups\" must be a list of strings"},
  };
  const TempFolder folder;
  for (const BadLine& bad : lines) {
    folder.write("documents.jsonl", document("a") + bad.line + "\n" + document("z"));
    EXPECT_TRUE(error_of(folder).starts_with(std::string("documents.jsonl:2: ") + bad.error)) << bad.line << "\n"
                                                                                              << error_of(folder);
  }
}

TEST(ReadErrors, BadLinkLinesAreNamedWithFileAndLine) {
  const std::string form = "two ids with a tab between them, and perhaps a tab and a weight, are needed";
  const TempFolder folder;
  folder.write("documents.jsonl", documents({"a", "b"}));
  for (const char* line : {"a", "a b", "a\tb\t1\t1", "a\t", "\tb", "a\t\t1"}) {
    folder.write("links.tsv", std::string("a\tb\n") + line + "\n");
    EXPECT_EQ(error_of(folder), "links.tsv:2: " + form) << line;
  }
  for (const std::string weight : {"0", "-1", "nan", "inf", "-inf", "heavy", "1x", "", " 1", "1,5", "1e99"}) {
    folder.write("links.tsv", "a\tb\t" + weight + "\n");
    EXPECT_EQ(error_of(folder), "links.tsv:1: the weight \"" + weight + "\" must be a number above 0");
  }
}

TEST(ReadErrors, BadGroupLinesAreNamedWithFileAndLine) {
  const TempFolder folder;
  folder.write("documents.jsonl", documents({"a", "b"}));
  for (const char* line : {"a", "a\tx\t1", "a\t", "\tx"}) {
    folder.write("groups.tsv", std::string("a\tx\n\n") + line + "\n");
    EXPECT_EQ(error_of(folder), "groups.tsv:3: an id and a group with a tab between them are needed") << line;
  }
}

TEST(ReadErrors, NothingToReadIsAnError) {
  const TempFolder folder;
  EXPECT_EQ(error_of(folder), folder.path().string() + ": no documents.jsonl (nor .gz, .zst) in this folder");
  EXPECT_EQ(error_of(folder, folder.path("missing"), false), "missing: no such file or folder");
  folder.write("documents.jsonl", "\n \n");
  EXPECT_EQ(error_of(folder), "documents.jsonl: no documents; one JSON object a line is needed");
}

/// Documents of about a kilobyte, so that a block holds some 250; `change` gives another line where it wants.
std::string many_documents(std::size_t count, const std::function<std::string(std::size_t)>& change) {
  std::string text;
  const std::string filling(1000, 'x');
  for (std::size_t k = 1; k <= count; ++k) {
    const std::string other = change(k);
    text += other.empty() ? "{\"id\": \"" + std::to_string(k) + "\", \"text\": \"" + filling + "\"}\n" : other;
  }
  return text;
}

TEST(ReadErrors, FirstErrorOfTheFileIsReportedWhateverTheThreads) {
  const TempFolder folder;
  // The second block has two kinds of error, later blocks more.
  folder.write("documents.jsonl", many_documents(2000, [](std::size_t k) -> std::string {
                 if (k == 301) return document("300");
                 return k == 302 || k > 900 ? "{\n" : "";
               }));
  for (const int threads : {1, 2, 3}) {
    EXPECT_EQ(error_of(folder, folder.path(), false, threads),
              "documents.jsonl:301: the id \"300\" was there already; ids must differ");
  }
}

TEST(ReadErrors, BadLineBeforeTheCutIsReportedWhateverTheThreads) {
  const TempFolder folder;
  const std::string text = many_documents(1500, [](std::size_t k) { return k == 600 ? "[]\n" : ""; });
  const std::string whole = zstd(text);
  folder.write("documents.jsonl.zst", whole.substr(0, whole.size() - 1));
  for (const int threads : {1, 2, 3}) {
    const std::string error = error_of(folder, folder.path(), false, threads);
    EXPECT_TRUE(error.starts_with("documents.jsonl.zst:600: ")) << error;
  }
}

TEST(ReadErrors, FirstErrorOfTheLinksFileIsReportedWhateverTheThreads) {
  const TempFolder folder;
  folder.write("documents.jsonl", documents({"a", "b"}));
  std::string links;
  for (int k = 1; k <= 400000; ++k) links += k == 70001 ? "a\t?\n" : k == 70002 || k > 200000 ? "bad\n" : "a\tb\n";
  folder.write("links.tsv", links);
  for (const int threads : {1, 2, 3}) {
    EXPECT_EQ(error_of(folder, folder.path(), true, threads), "links.tsv:70001: a link to the unknown id \"?\"");
  }
}

TEST(Read, SameCollectionWithAnyThreads) {
  const TempFolder folder;
  GenerateOptions options;
  options.documents = 6000;  // 2.5 MB: ten blocks
  generate_corpus(options, folder.path(), {});
  std::string groups;
  for (int k = 0; k < 6000; k += 2) groups += std::to_string(k) + "\tgroup " + std::to_string(k % 50) + "\n";
  folder.write("groups.tsv", groups);
  ASSERT_GT(fs::file_size(folder.path("documents.jsonl")), 8u << 18);
  const Collection one = read(folder.path(), 1);
  ASSERT_EQ(one.ids.size(), 6000u);
  for (const int threads : {2, 3}) {
    const Collection more = read(folder.path(), threads);
    EXPECT_EQ(strings_of(one.ids), strings_of(more.ids));
    EXPECT_EQ(one.titles, more.titles);
    EXPECT_EQ(strings_of(one.labels), strings_of(more.labels));
    EXPECT_EQ(one.document_labels.offsets, more.document_labels.offsets);
    EXPECT_EQ(one.document_labels.values, more.document_labels.values);
    EXPECT_EQ(strings_of(one.tokens), strings_of(more.tokens));
    ASSERT_EQ(one.counts.rows(), more.counts.rows());
    for (std::size_t i = 0; i < one.counts.rows(); ++i) {
      ASSERT_TRUE(std::ranges::equal(one.counts.row(i), more.counts.row(i))) << i;
    }
    EXPECT_EQ(links_of(one), links_of(more));
    EXPECT_EQ(memberships_of(one), memberships_of(more));
    EXPECT_EQ(one.dropped.text(), more.dropped.text());
  }
}

TEST(Read, StoppedRunIsInterrupted) {
  const TempFolder folder;
  folder.write("documents.jsonl", documents({"a"}));
  EXPECT_THROW(read_collection(folder.path(), {}, idne::Run{1, {}, [] { return true; }}), Interrupted);
}

TEST(ForEachDocument, BytesComeInOrderAndIdsAreOptional) {
  const TempFolder folder;
  const fs::path file = folder.write(
      "a.jsonl", many_documents(1500, [](std::size_t k) -> std::string {
        return k == 2 ? "{\"text\": \"no id\"}\n" : k == 3 ? "{\"id\": \"1\", \"text\": \"same id\"}\n\n" : "";
      }));
  for (const int threads : {1, 2, 3}) {
    std::string ids;
    std::size_t count = 0;
    for_each_document(
        file, idne::Run{threads, {}, {}},
        [](const NewDocument& document, Tokenizer& tokenizer, std::string& out) {
          Token token;
          tokenizer.start(document.text);
          EXPECT_TRUE(tokenizer.next(token));
          out.append(document.id).append(":").append(token.word.substr(0, 4)).append("\n");
        },
        [&](std::string_view bytes, std::size_t documents) {
          ids += bytes;
          count += documents;
        });
    EXPECT_EQ(count, 1500u);
    EXPECT_TRUE(ids.starts_with("1:xxxx\n:no\n1:same\n4:xxxx\n")) << ids.substr(0, 50);
    EXPECT_TRUE(ids.ends_with("\n1499:xxxx\n1500:xxxx\n"));
  }
}

TEST(ForEachDocument, MissingTextIsAnErrorWithFileAndLine) {
  const TempFolder folder;
  const fs::path file = folder.write("a.jsonl", document("a") + "{\"id\": \"b\"}\n");
  try {
    for_each_document(
        file, {}, [](const NewDocument&, Tokenizer&, std::string&) {}, [](std::string_view, std::size_t) {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), file.string() + ":2: \"text\" is missing; a string is needed");
  }
}

TEST(ForEachDocument, GivesTheLinks) {
  const TempFolder folder;
  const fs::path file = folder.write("a.jsonl", "{\"text\": \"a\", \"links\": [\"x\", \"y\"]}\n{\"text\": \"b\"}\n");
  std::string links;
  for_each_document(
      file, {},
      [](const NewDocument& document, Tokenizer&, std::string& out) {
        for (const auto& id : document.links) out.append(id);
        out.push_back(';');
      },
      [&](std::string_view bytes, std::size_t) { links += bytes; });
  EXPECT_EQ(links, "xy;;");
}

}  // namespace
}  // namespace idne
