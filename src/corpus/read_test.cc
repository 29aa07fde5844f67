#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "corpus/corpus.h"
#include "corpus/read_test_corpora.h"
#include "idne/generate.h"
#include "temp_folder.h"

namespace idne {
namespace {

namespace fs = std::filesystem;

Collection read(const fs::path& path, int threads = 1) {
  return read_collection(path, {"none", false}, {threads, {}, {}});
}

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

TEST(Read, WholeNumbersAreIdsToo) {
  const TempFolder folder;
  folder.write("documents.jsonl",
               "{\"id\": 7, \"text\": \"x\", \"labels\": [2015]}\n{\"id\": -8, \"text\": \"x\", \"links\": [7]}\n");
  const Collection c = read(folder.path());
  EXPECT_EQ(strings_of(c.ids), (Strings{"7", "-8"}));
  EXPECT_EQ(strings_of(c.labels), Strings{"2015"});
  EXPECT_EQ(c.links.size(), 1u);
}

TEST(Read, WholeNumbersWithAPointAreIdsToo) {
  const TempFolder folder;
  folder.write("documents.jsonl",
               "{\"id\": 7.0, \"text\": \"x\", \"title\": null, \"labels\": null}\n"
               "{\"id\": -0.0, \"text\": \"x\", \"links\": [7.0]}\n");
  const Collection c = read(folder.path());
  EXPECT_EQ(strings_of(c.ids), (Strings{"7", "0"}));
  EXPECT_EQ(c.links.size(), 1u);
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
  const fs::path file = folder.write("a.jsonl", "{\"id\": \"a\", \"text\": \"The horse and the dog\"}\n");
  const Collection english = read_collection(file, {}, {});
  EXPECT_EQ(strings_of(english.tokens), (Strings{"horse", "dog"}));
  EXPECT_EQ(english.stop_words, "english");
  const Collection own = read_collection(file, {folder.write("stop.txt", "HORSE\n").string(), false}, {});
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

TEST(Read, AHundredThousandLabelsOfADocumentAreReadAsMany) {
  // Looked for one by one among those before, they would take minutes.
  const TempFolder folder;
  std::string labels;
  for (int n = 0; n < 300'000; ++n) labels += "\"l" + std::to_string(n % 200'000) + "\",";
  labels.pop_back();
  folder.write("documents.jsonl",
               document("a", ", \"labels\": [" + labels + "]") + document("b", R"(, "labels": ["l7"])"));
  const Collection c = read(folder.path());
  EXPECT_EQ(c.document_labels.row(0).size(), 200'000u);
  EXPECT_EQ(c.labels[static_cast<std::size_t>(c.document_labels.row(1)[0])], "l7");
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

}  // namespace
}  // namespace idne
