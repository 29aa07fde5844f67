#include "evaluate/hidden.h"

#include <gtest/gtest.h>

#include "temp_folder.h"

namespace idne {
namespace {

Collection five_documents() {
  const TempFolder folder;
  folder.write("documents.jsonl",
               R"({"id": "a", "text": "lava ash", "labels": ["fire"], "links": ["b", "c"]}
{"id": "b", "title": "B", "text": "ash rain", "labels": ["water"], "groups": ["g"]}
{"id": "c", "text": "rain rain sea", "labels": ["water", "salt"], "links": ["d"], "groups": ["g"]}
{"id": "d", "text": "sea fish", "labels": ["salt", "fire"], "groups": ["g", "h"]}
{"id": "e", "text": "coral", "labels": ["reef"], "groups": ["h"]}
)");
  return read_collection(folder.path(), {}, {});
}

TEST(PartOf, IsAsIfTheOthersHadNeverBeenThere) {
  const Collection all = five_documents();
  const Collection part = part_of(all, std::vector<std::uint32_t>{1, 2, 3});
  EXPECT_EQ(part.ids.strings(), (std::vector<std::string_view>{"b", "c", "d"}));
  EXPECT_EQ(part.titles[0], "B");
  EXPECT_EQ(part.labels.size(), 3u);
  EXPECT_FALSE(part.labels.find("reef"));
  EXPECT_FALSE(part.tokens.find("lava"));
  EXPECT_FALSE(part.tokens.find("coral"));
  ASSERT_EQ(part.counts.rows(), 3u);
  ASSERT_EQ(part.document_labels.rows(), 3u);
  for (const WordCount& entry : part.counts.row(1)) {
    EXPECT_EQ(entry.count, part.tokens[entry.word] == "rain" ? 2u : 1u);
  }
  const auto label = [&](std::size_t document, std::size_t k) {
    return part.labels[static_cast<std::size_t>(part.document_labels.row(document)[k])];
  };
  EXPECT_EQ(label(0, 0), "water");
  EXPECT_EQ(label(2, 0), "salt");
  EXPECT_EQ(label(2, 1), "fire");
  ASSERT_EQ(part.links.size(), 1u);
  EXPECT_EQ(part.links[0].a + part.links[0].b, 1u + 2u);
  EXPECT_EQ(part.memberships.size(), 4u);  // three in g, one left in h
}

TEST(HiddenTruth, GroupsCountAsLinksAndHiddenDocumentsAreNobodysTruth) {
  const Collection all = five_documents();
  const Split split{{2, 4}, {0, 1, 3}};  // c and e are hidden; a, b and d are 0, 1 and 2 of what is seen
  const Collection seen = part_of(all, split.rest);
  const HiddenTruth truth = truth_of_hidden(all, split, seen);
  EXPECT_EQ(truth.links[0], (std::vector<std::uint32_t>{0, 1, 2}));  // a by a link, b by g, d by both, once
  EXPECT_EQ(truth.links[1], (std::vector<std::uint32_t>{2}));        // d by h
  std::vector<std::uint32_t> wanted{*seen.labels.find("water"), *seen.labels.find("salt")};
  std::sort(wanted.begin(), wanted.end());
  EXPECT_EQ(truth.labels[0], wanted);
  EXPECT_TRUE(truth.labels[1].empty()) << "training never saw 'reef'";
}

TEST(KnownWords, AreThoseOfTheVocabularySorted) {
  const Collection all = five_documents();
  StringTable vocabulary;
  vocabulary.add("sea");
  vocabulary.add("ash");
  vocabulary.add("rain");
  const std::vector<std::uint32_t> documents{2, 4};
  const auto known = known_words(all, documents, vocabulary, {});
  EXPECT_EQ(known[0], (std::vector<WordCount>{{0, 1}, {2, 2}}));
  EXPECT_TRUE(known[1].empty());
}

}  // namespace
}  // namespace idne
