#include <gtest/gtest.h>

#include <string>

#include "corpus/corpus.h"
#include "corpus/read_test_corpora.h"
#include "temp_folder.h"

namespace idne {
namespace {

namespace fs = std::filesystem;

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
      {R"({"id": 7.5, "text": "x"})", "\"id\" must be a string"},
      {R"({"id": null, "text": "x"})", "\"id\" must be a string, not null"},
      {R"({"id": 1e16, "text": "x"})", "\"id\" must be a string"},
      {R"({"id": "a", "text": "x"})", "the id \"a\" was there already; ids must differ"},
      {R"({"id": "b"})", "\"text\" is missing; a string is needed"},
      {R"({"id": "b", "text": null})", "\"text\" must be a string, not null"},
      {R"({"id": "b", "text": ["x"]})", "\"text\" must be a string"},
      {R"({"id": "b", "text": "x", "title": 7})", "\"title\" must be a string"},
      {R"({"id": "b", "text": "x", "labels": "y"})", "\"labels\" must be a list of strings"},
      {R"({"id": "b", "text": "x", "labels": ["y", 7.5]})", "\"labels\" must be a list of strings"},
      {R"({"id": "b", "text": "x", "links": {"a": 1}})", "\"links\" must be a list of strings"},
      {R"({"id": "b", "text": "x", "links": [true]})", "\"links\" must be a list of strings"},
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
  for (const std::string weight : {"0", "-1", "nan", "inf", "-inf", "heavy", "1x", "", " 1", "1,5", "1e99", "2e12"}) {
    folder.write("links.tsv", "a\tb\t" + weight + "\n");
    EXPECT_EQ(error_of(folder),
              "links.tsv:1: the weight \"" + weight + "\" must be a number above 0, and at most 1e+12");
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

TEST(ReadErrors, AFileThatIsThereTwiceIsAnError) {
  const TempFolder folder;
  folder.write("documents.jsonl", documents({"a", "b"}));
  folder.write("documents.jsonl.gz", documents({"c"}));
  EXPECT_EQ(error_of(folder),
            folder.path().string() + ": both documents.jsonl and documents.jsonl.gz are in this folder; one is needed");
  fs::remove(folder.path("documents.jsonl.gz"));
  folder.write("links.tsv.gz", "a\tb\n");
  EXPECT_EQ(error_of(folder), "no error");
  folder.write("links.tsv.zst", "");
  EXPECT_TRUE(error_of(folder).ends_with(": both links.tsv.gz and links.tsv.zst are in this folder; one is needed"));
}

TEST(ReadErrors, NothingToReadIsAnError) {
  const TempFolder folder;
  EXPECT_EQ(error_of(folder), folder.path().string() + ": no documents.jsonl (nor .gz, .zst) in this folder");
  EXPECT_EQ(error_of(folder, folder.path("missing"), false), "missing: no such file or folder");
  folder.write("documents.jsonl", "\n \n");
  EXPECT_EQ(error_of(folder), "documents.jsonl: no documents; one JSON object per line is needed");
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

}  // namespace
}  // namespace idne
