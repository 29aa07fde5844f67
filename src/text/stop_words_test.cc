#include "text/stop_words.h"

#include <gtest/gtest.h>

#include "idne/error.h"
#include "temp_folder.h"

namespace idne {
namespace {

TEST(StopWords, EnglishHasGrammarAndNoMeaning) {
  const StopWords stop = StopWords::from("english");
  EXPECT_EQ(stop.name, "english");
  for (const char* word : {"the", "and", "doesn", "ll", "others", "whatever", "wouldn", "towards"}) {
    EXPECT_TRUE(stop.words.find(word)) << word;
  }
  for (const char* word : {"network", "time", "think", "theword", ""}) EXPECT_FALSE(stop.words.find(word)) << word;
}

TEST(StopWords, NoneIsEmpty) {
  const StopWords stop = StopWords::from("none");
  EXPECT_EQ(stop.name, "none");
  EXPECT_EQ(stop.words.size(), 0u);
}

TEST(StopWords, FileWordsAreInTheFormOfTextWords) {
  const TempFolder folder;
  const StopWords stop = StopWords::from(folder.write("stop.txt", "The\r\nÉté\nwon't"));
  EXPECT_TRUE(stop.words.find("the"));
  EXPECT_TRUE(stop.words.find("ete"));
  EXPECT_TRUE(stop.words.find("won"));
  EXPECT_EQ(stop.words.size(), 3u);
}

TEST(StopWords, NameTellsTheWordsOfAFileWhateverTheirOrderAndCase) {
  const TempFolder folder;
  const std::string name = StopWords::from(folder.write("a.txt", "one\ntwo\n")).name;
  EXPECT_EQ(StopWords::from(folder.write("b.txt", "TWO\n\none\none")).name, name);
  EXPECT_NE(StopWords::from(folder.write("c.txt", "one\nsix\n")).name, name);
  EXPECT_NE(StopWords::from(folder.write("d.txt", "onetwo\n")).name, name);
  EXPECT_TRUE(name.starts_with("2 words, xxh3:")) << name;
}

TEST(StopWords, ListsAreJoined) {
  const TempFolder folder;
  const StopWords two = StopWords::from("german,english");
  EXPECT_EQ(two.name, "english,german");
  for (const char* word : {"the", "und", "fur"}) EXPECT_TRUE(two.words.find(word)) << word;
  const StopWords more = StopWords::from("english," + folder.write("my.txt", "network").string() + ",german");
  for (const char* word : {"the", "und", "network"}) EXPECT_TRUE(more.words.find(word)) << word;
  EXPECT_NE(more.name.find("words, xxh3:"), std::string::npos) << more.name;
}

TEST(StopWords, EmptyFileIsAnEmptyList) {
  const TempFolder folder;
  EXPECT_EQ(StopWords::from(folder.write("stop.txt", "")).words.size(), 0u);
}

TEST(StopWords, MissingFileOrFolderIsAnErrorWithItsName) {
  const TempFolder folder;
  for (const auto& source : {folder.path("missing.txt"), folder.path()}) {
    try {
      StopWords::from(source);
      FAIL() << source;
    } catch (const Error& error) {
      EXPECT_TRUE(std::string_view(error.what()).starts_with(source.string() + ": ")) << error.what();
    }
  }
}

}  // namespace
}  // namespace idne
