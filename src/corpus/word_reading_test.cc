#include "corpus/word_reading.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "corpus/corpus.h"
#include "temp_folder.h"

namespace idne {
namespace {

const char* kGerman = "die Katze war in der Küche und hat mit dem Hund nicht gespielt";
const char* kEnglish = "the cats would rather die in the war than be with the dog that they have seen";

class WordReadingTest : public testing::Test {
 protected:
  Collection read(const std::vector<std::string>& texts, ReadOptions options = {}, int threads = 1) {
    std::string lines;
    for (std::size_t k = 0; k < texts.size(); ++k) {
      lines += "{\"id\": \"" + std::to_string(k) + "\", \"text\": \"" + texts[k] + "\"}\n";
    }
    folder_.write("documents.jsonl", lines);
    return read_collection(folder_.path(), options, {threads, {}, {}});
  }
  static std::vector<std::string> words(const Collection& collection, std::size_t document) {
    std::vector<std::string> words;
    for (const WordCount& entry : collection.counts.row(document)) words.emplace_back(collection.tokens[entry.word]);
    std::ranges::sort(words);
    return words;
  }
  static bool has(const Collection& collection, std::size_t document, const std::string& word) {
    const auto all = words(collection, document);
    return std::ranges::find(all, word) != all.end();
  }
  static std::string shown(const Collection& collection, std::string_view word) {
    const auto token = collection.tokens.find(word);
    return token ? std::string(collection.forms.of(*token, word)) : "(not there)";
  }
  TempFolder folder_;
};

TEST_F(WordReadingTest, AWordIsContentInOneLanguageAndGrammarInAnother) {
  const Collection both = read({kGerman, kEnglish, kGerman, kEnglish});
  EXPECT_EQ(both.language, "english,german");
  EXPECT_EQ(both.stop_words, both.language);
  EXPECT_EQ(words(both, 0), (std::vector<std::string>{"gespielt", "hund", "katze", "kuche"}));
  EXPECT_TRUE(has(both, 1, "die"));
  EXPECT_TRUE(has(both, 1, "war"));
  EXPECT_FALSE(has(both, 1, "they"));
}

TEST_F(WordReadingTest, PassagesInASecondLanguageLoseTheirFunctionWords) {
  const std::string note =
      "Gestern haben wir den alten Verstärker wieder in Betrieb genommen und die Röhren gemessen. Das Netzteil war "
      "nicht mehr in Ordnung, aber die Kondensatoren sind noch gut, und so haben wir nur die Sicherung getauscht. ";
  const std::string passage =
      "There are still many of these parts on the shelf, but they should not be used with this.";
  std::vector<std::string> texts(8, note);
  for (std::size_t n = 0; n < 4; ++n) texts[n] += passage;
  const Collection mixed = read(texts);
  EXPECT_EQ(mixed.language, "english,german");
  for (const char* word : {"there", "are", "they", "still", "und", "wir"}) EXPECT_FALSE(has(mixed, 0, word)) << word;
  EXPECT_TRUE(has(mixed, 0, "shelf"));
  ASSERT_EQ(mixed.languages.found.size(), 1u) << "no document is in the second one";
  EXPECT_EQ(mixed.languages.unclear, 0u);
  EXPECT_EQ(words(read(texts, {"auto", false, "english,german"}), 0), words(mixed, 0));
}

TEST_F(WordReadingTest, WhatIsUnclearDropsTheFunctionWordsOfAllLanguages) {
  const Collection both = read({kGerman, kEnglish, kGerman, kEnglish, "die cat"});
  EXPECT_EQ(words(both, 4), (std::vector<std::string>{"cat"}));
}

TEST_F(WordReadingTest, OneLanguageIsReadAsItsListAlone) {
  const std::vector<std::string> texts{kEnglish, "die war", "son pour", kEnglish};
  const Collection told = read(texts), given = read(texts, {"english"}),
                   named = read(texts, {"auto", false, "english"});
  EXPECT_EQ(told.language, "english");
  EXPECT_EQ(told.stop_words, "english");
  for (std::size_t i = 0; i < texts.size(); ++i) {
    EXPECT_EQ(words(told, i), words(given, i));
    EXPECT_EQ(words(told, i), words(named, i));
  }
  EXPECT_EQ(given.language, "none") << "a list that is given is the whole list";
  EXPECT_EQ(named.language, "english");
}

TEST_F(WordReadingTest, WhereNothingIsToldEnglishIsLeftOut) {
  const Collection none = read({"gene cell the protein", "court judge"});
  EXPECT_EQ(none.language, "english");
  EXPECT_FALSE(has(none, 0, "the"));
  EXPECT_TRUE(none.languages.found.empty());
  EXPECT_EQ(none.languages.unclear, 2u);
}

TEST_F(WordReadingTest, NoLanguageLeavesAllWords) {
  EXPECT_TRUE(has(read({kEnglish}, {"auto", false, "none"}), 0, "the"));
}

TEST_F(WordReadingTest, LanguagesAreCounted) {
  const Collection both = read({kGerman, kEnglish, kGerman, "x"});
  ASSERT_EQ(both.languages.found.size(), 2u);
  EXPECT_EQ(both.languages.found[0].name, "German");
  EXPECT_EQ(both.languages.found[0].documents, 2u);
  EXPECT_EQ(both.languages.unclear, 1u);
}

TEST_F(WordReadingTest, AScriptThatNoLanguageHasIsNoticed) {
  std::string greek;
  for (int n = 0; n < 25; ++n) greek += "λόγος ";
  const Collection read_greek = read({greek, kEnglish});
  EXPECT_EQ(read_greek.languages.unlisted, 1u);
  EXPECT_EQ(read({std::string(kEnglish)}).languages.unlisted, 0u);
}

TEST_F(WordReadingTest, WordsAreShownAsTheyAreMostlyWritten) {
  const Collection forms = read(
      {"ein Gerät, das Gerät, ein gerat. Kabel hier", "the Bayesian way, a bayesian, Bayesian", "und Los Angeles"});
  EXPECT_EQ(shown(forms, "gerat"), "Gerät");
  EXPECT_EQ(shown(forms, "bayesian"), "Bayesian");
  EXPECT_EQ(shown(forms, "kabel"), "kabel") << "it is at the beginning of a sentence";
}

TEST_F(WordReadingTest, StemsJoinInflectionsByLanguageAndShowTheMostFrequent) {
  ReadOptions options;
  options.stem = true;
  const Collection stems = read({std::string(kEnglish) + " Networks networks network", kGerman,
                                 std::string(kGerman) + " Schaltung Schaltungen Schaltungen", kEnglish},
                                options);
  ASSERT_TRUE(stems.tokens.find("network"));
  EXPECT_FALSE(stems.tokens.find("networks"));
  EXPECT_EQ(shown(stems, "network"), "networks");
  EXPECT_EQ(shown(stems, "schaltung"), "Schaltungen");
  EXPECT_TRUE(stems.stem);
}

TEST_F(WordReadingTest, NumbersAreDroppedOnRequest) {
  ReadOptions options;
  EXPECT_TRUE(has(read({"a year 1998 mp3"}, options), 0, "1998"));
  options.drop_numbers = true;
  EXPECT_EQ(words(read({"a year 1998 mp3 9f86d081"}, options), 0), (std::vector<std::string>{"mp3", "year"}));
}

TEST_F(WordReadingTest, PhrasesAreCountedInsteadOfTheirWords) {
  ReadOptions options;
  options.phrases = true;
  std::vector<std::string> texts;
  const auto other = [](std::size_t n) { return "thing" + std::string(1, static_cast<char>('a' + n % 20)); };
  for (std::size_t n = 0; n < 30; ++n) {
    std::string text = "They went to New York; ";
    if (n % 3 == 0) text += "new " + other(n) + ", york " + other(n + 7) + "; ";
    for (std::size_t k = 0; k < 6; ++k) text += other(n * (k + 3) + k * k) + " ";
    texts.push_back(std::move(text));
  }
  const Collection phrases = read(texts, options);
  const Corpus corpus = make_corpus(phrases, {2, 1});
  const auto word = corpus.vocabulary.words.find("new york");
  ASSERT_TRUE(word);
  EXPECT_EQ(corpus.vocabulary.counts[*word], 30u);
  const auto alone = corpus.vocabulary.words.find("york");
  ASSERT_TRUE(alone);
  EXPECT_EQ(corpus.vocabulary.counts[*alone], 10u);
  const auto shown = shown_words(phrases, corpus.vocabulary, corpus.joins);
  EXPECT_EQ(shown[*word], "New York");
  EXPECT_EQ(shown[*corpus.vocabulary.words.find("new")], "new") << "most of its capitals are in New York";
  EXPECT_TRUE(make_corpus(read(texts), {2, 1}).joins.empty());
}

TEST_F(WordReadingTest, PhrasesHaveTheCapitalsOfTheirWordsInAnyScript) {
  ReadOptions options;
  options.phrases = true;
  std::vector<std::string> texts;
  const std::vector<std::string> others{"maison", "jardin", "fenêtre", "porte", "table"};
  for (std::size_t n = 0; n < 20; ++n) {
    texts.push_back("Dans une école étrangère, avec " + others[n % 5] + ", " + others[n % 3] + " " + others[n % 4] +
                    ", à Нижний Новгород, pour " + others[n % 2]);
  }
  const Collection phrases = read(texts, options);
  const Corpus corpus = make_corpus(phrases, {2, 1});
  const auto shown = shown_words(phrases, corpus.vocabulary, corpus.joins);
  for (const char* phrase : {"école étrangère", "Нижний Новгород"}) {
    EXPECT_NE(std::ranges::find(shown, phrase), shown.end()) << phrase;
  }
}

TEST_F(WordReadingTest, ChineseNamesComeTogetherWithoutAnyOption) {
  std::vector<std::string> texts;
  for (int n = 0; n < 8; ++n) texts.push_back(n % 2 ? "昨天蒯韪去学校了" : "我和蒯韪在北京工作");
  const Corpus corpus = make_corpus(read(texts), {2, 1});
  EXPECT_TRUE(corpus.vocabulary.words.find("蒯韪"));
  EXPECT_FALSE(corpus.vocabulary.words.find("蒯"));
}

TEST_F(WordReadingTest, TheNumberOfThreadsChangesNothing) {
  std::vector<std::string> texts;
  for (int n = 0; n < 3000; ++n) texts.push_back(std::string(n % 3 ? kEnglish : kGerman) + " Wort" + std::to_string(n));
  ReadOptions options;
  options.stem = options.phrases = true;
  const Collection one = read(texts, options, 1), four = read(texts, options, 4);
  EXPECT_EQ(one.tokens.strings(), four.tokens.strings());
  EXPECT_EQ(one.language, four.language);
  for (std::size_t i = 0; i < texts.size(); ++i) ASSERT_EQ(words(one, i), words(four, i));
}

TEST_F(WordReadingTest, AWordMayOccurOftenerThanSixteenBitsTell) {
  std::string text = kEnglish;
  for (int n = 0; n < 70000; ++n) text += " the they have that with this die";
  const Collection both = read({kGerman, kEnglish, kGerman, text});
  const auto token = both.tokens.find("die");
  ASSERT_TRUE(token);
  const auto row = both.counts.row(3);
  const auto entry = std::ranges::find(row, *token, &WordCount::word);
  ASSERT_NE(entry, row.end());
  EXPECT_EQ(entry->count, 70001u);
}

TEST_F(WordReadingTest, MoreWordsThanAThreadKeepsInMindAreNumberedInTheirOrder) {
  constexpr std::size_t kDocuments = 30, kWords = 15000;  // several blocks, several lexicons
  std::vector<std::string> texts(kDocuments, "common");
  for (std::size_t n = 0; n < kDocuments * kWords; ++n) texts[n / kWords] += " w" + std::to_string(n);
  for (const int threads : {1, 4}) {
    const Collection all = read(texts, {}, threads);
    ASSERT_EQ(all.tokens.size(), kDocuments * kWords + 1);
    ASSERT_EQ(all.counts.rows(), kDocuments);
    for (std::size_t i = 0; i < kDocuments; ++i) {
      ASSERT_EQ(all.counts.row(i).size(), kWords + 1);
      EXPECT_EQ(all.counts.row(i)[0], (WordCount{0, 1}));
      const WordCount last = all.counts.row(i)[kWords];
      EXPECT_EQ(last, (WordCount{static_cast<std::uint32_t>((i + 1) * kWords), 1}));
      EXPECT_EQ(all.tokens[last.word], "w" + std::to_string((i + 1) * kWords - 1));
    }
  }
}

}  // namespace
}  // namespace idne
