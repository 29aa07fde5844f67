#include <gtest/gtest.h>

#include "idne/corpus.h"
#include "temp_folder.h"

namespace idne {
namespace {

TEST(Given, DocumentsOfMemoryAreReadAsThoseOfAFile) {
  const TempFolder folder;
  folder.write("documents.jsonl",
               "{\"id\":\"a\",\"text\":\"The Moon and the tide\",\"labels\":[\"sky\",\"sky\"],\"groups\":[\"g\"]}\n"
               "{\"id\":\"b\",\"text\":\"A judge of the court\",\"title\":\"Law\"}\n"
               "{\"id\":\"c\",\"text\":\"\",\"labels\":[\"none\"],\"groups\":[\"g\"]}\n");
  folder.write("links.tsv", "b\ta\t2\na\tb\nc\tc\n");
  const Collection read = read_collection(folder.path(), {}, {});
  GivenDocuments given;
  given.ids = {"a", "b", "c"};
  given.texts = {"The Moon and the tide", "A judge of the court", ""};
  given.titles = {"", "Law", ""};
  given.labels = {{"sky", "sky"}, {}, {"none"}};
  given.groups = {{"g"}, {}, {"g"}};
  given.links = {{1, 0, 2}, {0, 1}, {2, 2}};
  const Collection made = collect_documents(std::move(given), {}, {});
  EXPECT_EQ(made.titles, read.titles);
  EXPECT_EQ(made.digests, read.digests);
  EXPECT_EQ(made.tokens.strings(), read.tokens.strings());
  EXPECT_EQ(made.labels.strings(), read.labels.strings());
  EXPECT_EQ(made.document_labels.values, read.document_labels.values);
  EXPECT_EQ(made.dropped.text(), read.dropped.text());
  EXPECT_EQ(made.link_owners, read.link_owners);
  EXPECT_EQ(made.memberships.size(), read.memberships.size());
  ASSERT_EQ(made.links.size(), 1u);
  EXPECT_EQ(made.links[0].weight, read.links[0].weight);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(std::ranges::equal(made.counts.row(i), read.counts.row(i)));
  }
}

TEST(Given, CountsNeedNoTexts) {
  GivenDocuments given;
  given.ids = {"a", "b"};
  given.words.add("moon");
  given.words.add("tide");
  given.counts.add_row(std::vector<WordCount>{{0, 2}, {1, 1}});
  given.counts.add_row({});
  const Collection made = collect_documents(std::move(given), {}, {});
  EXPECT_EQ(made.tokens.size(), 2u);
  EXPECT_EQ(made.counts.length(0), 3u);
  EXPECT_EQ(made.language, "none");
}

TEST(Given, WhatCannotBeUsedSaysWhere) {
  const auto failure = [](GivenDocuments given) {
    try {
      collect_documents(std::move(given), {}, {});
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(failure({}), "documents: there are none");
  GivenDocuments given;
  given.ids = {"a", "a"};
  given.texts = {"x", "y"};
  EXPECT_EQ(failure(std::move(given)), "documents:2: the id \"a\" was there already; ids must differ");
  given = {};
  given.ids = {"a", "b"};
  given.texts = {"x", "y"};
  given.links = {{0, 2}};
  EXPECT_EQ(failure(std::move(given)), "links:1: it is between the documents 0 and 2, and they are numbered 0 … 1");
}

}  // namespace
}  // namespace idne
