#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <vector>

#include "corpus/corpus.h"
#include "corpus/read_test_corpora.h"
#include "temp_folder.h"

namespace idne {
namespace {

namespace fs = std::filesystem;

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

TEST(ForEachDocument, PiecesOfAnySizeGiveTheSameAndProgressTellsTheDocuments) {
  const TempFolder folder;
  const fs::path file = folder.write("a.jsonl", many_documents(700, [](std::size_t) { return std::string(); }));
  std::vector<std::string> found;
  for (const std::size_t bytes : {std::size_t{100}, std::size_t{1} << 14, std::size_t{1} << 18}) {
    Progress last;
    idne::Run run{3, [&](const Progress& progress) { last = progress; }, {}};
    found.emplace_back();
    for_each_document(
        file, run, [](const NewDocument& document, Tokenizer&, std::string& out) { out += document.id; },
        [&](std::string_view text, std::size_t) { found.back() += text; }, {"trying", bytes});
    EXPECT_EQ(last.stage, "trying");
    EXPECT_EQ(last.documents, 700u);
    EXPECT_EQ(last.done, last.total);
  }
  EXPECT_TRUE(found[0].starts_with("12345678910"));
  EXPECT_EQ(found[0], found[1]);
  EXPECT_EQ(found[0], found[2]);
}

TEST(ForEachDocument, CanBeStoppedBetweenTwoDocuments) {
  const TempFolder folder;
  const fs::path file = folder.write("a.jsonl", documents({"a", "b", "c"}));
  std::atomic<int> worked{0};
  const idne::Run run{1, {}, [&] { return worked > 1; }};
  EXPECT_THROW(for_each_document(
                   file, run, [&](const NewDocument&, Tokenizer&, std::string&) { ++worked; },
                   [](std::string_view, std::size_t) {}),
               Interrupted);
  EXPECT_EQ(worked, 2);
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
