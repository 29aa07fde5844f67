#include "train/rare_words.h"

#include <gtest/gtest.h>

#include "temp_folder.h"

namespace idne {
namespace {

std::vector<std::string> rare_in(std::string_view documents, const ReadOptions& how) {
  const TempFolder folder;
  folder.write("documents.jsonl", documents);
  const Collection collection = read_collection(folder.path(), how, {});
  const VocabularyRule rule{3, 1};
  return rare_words(collection, words_of(collection, rule).joins, rule).words;
}

TEST(RareWords, AreBySpellingAndNoStopWords) {
  ReadOptions how;
  how.stop_words = "english";
  EXPECT_EQ(rare_in("{\"id\":\"a\",\"text\":\"zebra the lion zebra apple lion lion\"}\n", how),
            (std::vector<std::string>{"apple", "zebra"}));
}

TEST(RareWords, WhatIsJoinedIsOneWord) {
  std::string documents;
  for (int i = 0; i < 20; ++i) {
    documents += "{\"id\":\"" + std::to_string(i) + "\",\"text\":\"new york w" + std::to_string(i) + "\"}\n";
  }
  ReadOptions how;
  how.phrases = true;
  how.stop_words = how.language = "none";
  const std::vector<std::string> rare = rare_in(documents, how);
  EXPECT_EQ(rare.size(), 20u) << "neither of its parts occurs by itself";
}

}  // namespace
}  // namespace idne
