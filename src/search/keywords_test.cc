#include "idne/keywords.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <thread>

#include "search/search_test_models.h"
#include "small_corpus.h"

namespace idne {
namespace {

using Strings = std::vector<std::string>;

/// A model of these texts, words between spaces; two dimensions.
Model text_model(const Strings& texts, const Strings& titles, const Strings& ids) {
  const Corpus corpus = small_corpus(texts, {});
  std::vector<float> vectors;
  for (std::size_t i = 0; i < texts.size(); ++i) vectors.insert(vectors.end(), {1.0f, static_cast<float>(i)});
  Model model = model_of(vectors, 2);
  ModelMaker(model).set_strings(layout::kWordStrings, corpus.vocabulary.words.strings());
  ModelMaker(model).set_strings(layout::kDocumentTitles, titles);
  ModelMaker(model).set_strings(layout::kDocumentIds, ids);
  ModelMaker(model).set(layout::kDocumentWords, corpus.counts);
  return model;
}

const Strings kTexts{"moon tide moon water", "tide water sea sea sea", "comet orbit moon", "", "water"};
const Strings kTitles{"The Moon", "Salt Lakes of Zanzibar", "Moon and Comets", "Untitled", "Wet"};
const Strings kIds{"astronomy-1", "sea-2", "astronomy-12", "empty", "Sea"};

KeywordIndex small_index() { return KeywordIndex(text_model(kTexts, kTitles, kIds)); }

Strings rows_of(const std::vector<KeywordHit>& hits) {
  Strings rows;
  for (const KeywordHit& hit : hits) rows.push_back(std::to_string(hit.row));
  return rows;
}

/// BM25 from its formula, over lists of words.
double plain_bm25(const std::vector<Strings>& documents, std::size_t row, const Strings& query) {
  double mean = 0, score = 0;
  for (const Strings& words : documents)
    mean += static_cast<double>(words.size()) / static_cast<double>(documents.size());
  for (const std::string& word : query) {
    double with = 0;
    for (const Strings& words : documents) with += std::ranges::count(words, word) > 0;
    const auto count = static_cast<double>(std::ranges::count(documents[row], word));
    const double idf = std::log(1 + (static_cast<double>(documents.size()) - with + 0.5) / (with + 0.5));
    const double length = static_cast<double>(documents[row].size()) / mean;
    score += idf * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * length));
  }
  return score;
}

Model stemmed(Model model, const char* languages) {
  ModelMaker(model).info().options["stem"] = true;
  ModelMaker(model).info().options["language"] = std::string(languages);
  return model;
}

TEST(KeywordIndex, FunctionWordsOfTitlesAreLeftOutWhateverTheirStems) {
  const KeywordIndex index(stemmed(text_model({"moon", "sea"}, {"Moons because of it", "Sea"}, {"a", "b"}), "english"));
  EXPECT_TRUE(index.search("because", 10).empty());
  EXPECT_EQ(rows_of(index.search("moons", 10)), Strings{"0"});
}

TEST(KeywordIndex, AQueryIsTriedInEachOfTheModelsLanguages) {
  const KeywordIndex index(
      stemmed(text_model({"schaltung moon", "network", "sea"}, {"x1", "y1", "z1"}, {"a", "b", "c"}), "english,german"));
  EXPECT_EQ(rows_of(index.search("Schaltungen", 10)), Strings{"0"});
  EXPECT_EQ(rows_of(index.search("Networks", 10)), Strings{"1"});
}

TEST(KeywordIndex, ScoresAreBm25OverTextTitleAndId) {
  const std::vector<Strings> documents{{"moon", "tide", "moon", "water", "moon", "astronomy"},
                                       {"tide", "water", "sea", "sea", "sea", "salt", "lakes", "zanzibar", "sea"},
                                       {"comet", "orbit", "moon", "moon", "comets", "astronomy", "12"},
                                       {"untitled", "empty"},
                                       {"water", "wet", "sea"}};
  const auto hits = small_index().search("moon tide water", 10);
  ASSERT_EQ(hits.size(), 4u);
  for (const KeywordHit& hit : hits) {
    EXPECT_NEAR(hit.score, plain_bm25(documents, hit.row, {"moon", "tide", "water"}), 1e-9) << hit.row;
  }
  EXPECT_TRUE(std::ranges::is_sorted(hits, std::greater<>(), &KeywordHit::score));
  EXPECT_EQ(hits[0].row, 0u);
  EXPECT_EQ(hits[0].words, (Strings{"moon", "tide", "water"}));
}

TEST(KeywordIndex, FindsRareNamesOfTitles) {
  const auto hits = small_index().search("ZANZIBAR", 10);
  ASSERT_EQ(rows_of(hits), Strings{"1"});
  EXPECT_EQ(hits[0].words, Strings{"zanzibar"});
}

TEST(KeywordIndex, IdsComeFirst) {
  const KeywordIndex index = small_index();
  const auto hits = index.search(" Astronomy-1 ", 10);
  ASSERT_EQ(rows_of(hits), (Strings{"0", "2"}));
  EXPECT_EQ(hits[0].name_match, NameMatch::Id);
  EXPECT_EQ(hits[1].name_match, NameMatch::IdPrefix);
  // "sea" is a frequent word of document 1, but the id of document 4.
  EXPECT_EQ(rows_of(index.search("sea", 10)), (Strings{"4", "1"}));
  EXPECT_EQ(rows_of(index.search("se", 10)), (Strings{"1", "4"}));
}

TEST(KeywordIndex, ALastWordMayBeUnfinished) {
  const KeywordIndex index = small_index();
  EXPECT_EQ(rows_of(index.search("zanz", 10)), Strings{"1"});
  EXPECT_EQ(index.search("zanz", 10)[0].words, Strings{"zanz"});
  EXPECT_TRUE(index.search("zanz ", 10).empty()) << "a finished word";
  EXPECT_TRUE(index.search("zanz qqq", 10).empty()) << "not the last word";
  EXPECT_EQ(rows_of(index.search("com", 10)), Strings{"2"});
}

TEST(KeywordIndex, ALastWordThatIsAWordMayGoOnToo) {
  const KeywordIndex index(text_model({"vol lava", "volcano lava", "sea"}, {"One", "Two", "Three"}, {"a", "b", "c"}));
  EXPECT_EQ(rows_of(index.search("vol", 10)), (Strings{"0", "1"})) << "the word itself first";
  EXPECT_EQ(rows_of(index.search("vol ", 10)), Strings{"0"});
  EXPECT_EQ(index.search("vol", 10)[0].score, index.search("vol ", 10)[0].score);
}

TEST(KeywordIndex, TitlesComeFirstThenWhatBeginsLikeThem) {
  const KeywordIndex index(
      text_model({"war war war ii world world", "world", "war world", "c", "c", "c"},
                 {"Poison gas in World War I", "World War II", "World War II in the Air", "C++", "C", "C#"},
                 {"a", "b", "c1", "d", "e", "f"}));
  EXPECT_EQ(rows_of(index.search("world war ii", 10)), (Strings{"1", "2", "0"}));
  EXPECT_EQ(index.search("world war ii", 10)[0].name_match, NameMatch::Title);
  EXPECT_EQ(index.search("World-War  II", 10)[0].name_match, NameMatch::FoldedName);
  EXPECT_EQ(index.search("world war", 10)[0].name_match, NameMatch::TitlePrefix);
  EXPECT_EQ(rows_of(index.search("C++", 1)), Strings{"3"}) << "as it is written";
  EXPECT_EQ(rows_of(index.search("c", 1)), Strings{"4"});
  EXPECT_EQ(rows_of(index.search("C#", 1)), Strings{"5"});
}

TEST(KeywordIndex, TitlesWithoutLettersAreFoundAsTheyAre) {
  const KeywordIndex index(text_model({"a moon", "the sea", "lava"}, {"🎉🎊", "...", "🎉🎊🎈"}, {"a", "...x", "c"}));
  EXPECT_EQ(rows_of(index.search(" 🎉🎊 ", 10)), (Strings{"0", "2"}));
  EXPECT_EQ(rows_of(index.search("...", 10)), Strings{"1"});
  EXPECT_EQ(index.search("...", 1)[0].name_match, NameMatch::Title);
  EXPECT_TRUE(index.search("!", 10).empty());
}

TEST(KeywordIndex, OneTypoIsForgiven) {
  const KeywordIndex index = small_index();
  for (const char* query :
       {"Salt Lakes of Zanzbar", "Salt Lakess of Zanzibar", "Slat Lakes of Zanzibar", "salt lakes of zanzibar?"}) {
    EXPECT_EQ(rows_of(index.search(query, 1)), Strings{"1"}) << query;
  }
  EXPECT_EQ(rows_of(index.search("astronmy-12", 1)), Strings{"2"}) << "of an id";
  EXPECT_EQ(rows_of(index.search("zanzibra ", 10)), Strings{"1"}) << "of a word that no document has";
  EXPECT_TRUE(index.search("wat ", 10).empty()) << "short words are too many";
  const KeywordIndex animals(text_model({"house", "cheese"}, {"Garden", "Mouse"}, {"a", "b"}));
  EXPECT_EQ(rows_of(animals.search("house", 10)), Strings{"0"}) << "a word that documents have is meant as it is";
}

TEST(KeywordIndex, ALongWordThatHardlyAnyDocumentHasMayBeATypo) {
  const KeywordIndex index(
      text_model({"telescpoe", "telescope telescope", "telescope"}, {"One", "Two", "Three"}, {"a", "b", "c"}));
  EXPECT_EQ(rows_of(index.search("telescpoe ", 10)), (Strings{"0", "1", "2"})) << "the word as it is first";
  EXPECT_EQ(rows_of(index.search("telescope ", 10)), (Strings{"1", "2", "0"}));
  EXPECT_EQ(index.found_words("telescpoe ", "Two telescopes, a telescope"), Strings{"telescope"});
}

TEST(KeywordIndex, FunctionWordsAreNotTakenForTypos) {
  const KeywordIndex index(text_model({"width moon", "sea"}, {"One", "Two"}, {"a", "b"}));
  EXPECT_TRUE(index.search("with ", 10).empty());
  EXPECT_EQ(rows_of(index.search("widht ", 10)), Strings{"0"});
}

TEST(KeywordIndex, WhatHasAllWordsComesBeforeWhatHasThemMoreOften) {
  const KeywordIndex index(
      text_model({"moon moon moon moon", "tide tide tide", "moon tide sea sea sea sea sea sea sea"},
                 {"One", "Two", "Three"}, {"a", "b", "c"}));
  const auto hits = index.search("moon qqqqqq tide ", 10);
  ASSERT_EQ(hits.size(), 3u);
  EXPECT_EQ(hits[0].row, 2u);
  EXPECT_TRUE(hits[0].has_all) << "but for what no document has";
  EXPECT_FALSE(hits[1].has_all);
}

TEST(KeywordIndex, NamesAreKnownWithPunctuationAroundThem) {
  const KeywordIndex index(text_model({"gimp plugin", "image", "compiler", "language", "g"},
                                      {"GIMP plugins — for gimp", "image editor", "compiler for C++", "C", "gnome"},
                                      {"gimp-plugins", "gimp", "g++", "c", "g"}));
  for (const char* query : {"gimp.", "\"gimp\"", "gimp,", "(GIMP)?", "gimp —"}) {
    EXPECT_EQ(rows_of(index.search(query, 1)), Strings{"1"}) << query;
  }
  EXPECT_EQ(rows_of(index.search("g++.", 1)), Strings{"2"});
  EXPECT_EQ(rows_of(index.search("gimp plugins", 1)), Strings{"0"}) << "an id but for a hyphen";
  EXPECT_EQ(index.search("gimp", 1)[0].name_match, NameMatch::Id);
}

TEST(KeywordIndex, SnippetsShowTheWordsWhereTheyAreThickest) {
  const KeywordIndex index = small_index();
  std::string text;
  for (int n = 0; n < 40; ++n) text += "filler words stand here ";
  text += "the Moon raises\n\ntides in the water ";
  for (int n = 0; n < 40; ++n) text += "and more filler follows ";
  const auto shown = [&](std::string_view query) {
    std::string line;
    for (const SnippetPart& part : index.snippet(query, text, 60)) {
      line += part.match ? "[" + part.text + "]" : part.text;
    }
    return line;
  };
  EXPECT_EQ(shown("moon wat"), "… here the [Moon] raises tides in the [water] and more filler …");
  EXPECT_EQ(shown("qqq"), "");
  EXPECT_EQ(index.found_words("moon tid", text), (Strings{"Moon", "tides"}));
  EXPECT_TRUE(index.snippet("moon", "", 60).empty());
  const auto cut = index.snippet("moon", "\xe6\x9c\x88 moon \xe6\x9c", 10);
  ASSERT_FALSE(cut.empty());
  EXPECT_EQ(cut[1].text, "moon");
}

TEST(KeywordIndex, TiesGoByRow) {
  const Strings same(20, "moon");
  Strings ids;
  for (int i = 0; i < 20; ++i) ids.push_back(std::string(1, static_cast<char>('a' + i)));
  const KeywordIndex index(text_model(same, Strings(20), ids));
  const auto hits = index.search("moon", 7);
  ASSERT_EQ(hits.size(), 7u);
  for (std::size_t n = 0; n < hits.size(); ++n) EXPECT_EQ(hits[n].row, n);
}

TEST(KeywordIndex, OddQueriesAreHarmless) {
  const KeywordIndex index = small_index();
  for (const std::string& query : Strings{"", " ", "\n\t", "the of and", "!?", "\xff\xfe\x80", std::string("\0\0", 2),
                                          "qqqq", std::string(1 << 20, 'x')}) {
    EXPECT_TRUE(index.search(query, 10).empty()) << query.substr(0, 10);
  }
  EXPECT_EQ(rows_of(index.search("\xff tide \xc3", 1)).size(), 1u);
  EXPECT_TRUE(index.search("moon", 0).empty());
  std::string many;
  for (int n = 0; n < 10000; ++n) many += fmt::format("w{} moon ", n);
  EXPECT_EQ(rows_of(index.search(many, 10)), (Strings{"0", "2"}));
}

TEST(KeywordIndex, RareWordsOfTextsAreFoundWhereTextsAreGiven) {
  const Strings texts{"The moon of the Arduino Duemilanove, duemilanove!", "A moon, and the signalfd", "Tides"};
  const Model model = text_model({"moon", "moon", "tide"}, {"Red", "Green", "Blue"}, {"a", "b", "c"});
  const KeywordIndex index(model, [&](std::size_t row) { return std::string_view(texts[row]); });
  EXPECT_EQ(rows_of(index.search("Duemilanove ", 10)), Strings{"0"});
  EXPECT_EQ(rows_of(index.search("signal", 10)), Strings{"1"});
  EXPECT_TRUE(index.search("the of ", 10).empty()) << "function words are not kept";
  EXPECT_TRUE(KeywordIndex(model).search("duemilanove", 10).empty());
  const std::vector<Strings> words{{"moon", "arduino", "duemilanove", "duemilanove", "red"},
                                   {"moon", "signalfd", "green"},
                                   {"tide", "tides", "blue"}};
  for (const KeywordHit& hit : index.search("moon ", 10)) {
    EXPECT_NEAR(hit.score, plain_bm25(words, hit.row, {"moon"}), 1e-9) << "words of bags are counted once";
  }
}

TEST(KeywordIndex, NoDocumentsNoHits) { EXPECT_TRUE(KeywordIndex(text_model({}, {}, {})).search("moon", 10).empty()); }

TEST(KeywordIndex, ModelsThatKeepNoTextsHaveTitles) {
  Model model = model_of({1, 2}, 1);
  ModelMaker(model).set_strings(layout::kWordStrings, Strings{"moon"});
  ModelMaker(model).set_strings(layout::kDocumentTitles, Strings{"Moon", "Sun"});
  ModelMaker(model).set_strings(layout::kDocumentIds, Strings{"a", "b"});
  EXPECT_EQ(rows_of(KeywordIndex(model).search("sun", 10)), Strings{"1"});
}

TEST(KeywordIndex, SearchesAtOnceAgree) {
  const KeywordIndex index = small_index();
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int n = 0; n < 200; ++n) EXPECT_EQ(rows_of(index.search("sea", 10)), (Strings{"4", "1"}));
    });
  }
}

TEST(MergeHits, AddsReciprocalRanks) {
  const std::vector<KeywordHit> words{{7, 3.0, {"a"}}, {5, 2.0, {"b"}}};
  const std::vector<Hit> meaning{{5, 0.9f}, {1, 0.8f}};
  const auto hits = merge_hits(words, meaning, 10);
  ASSERT_EQ(hits.size(), 3u);
  EXPECT_EQ(hits[0].row, 5u);
  EXPECT_DOUBLE_EQ(hits[0].score, 1.0 / 62 + 1.0 / 61);
  EXPECT_EQ(hits[0].words, Strings{"b"});
  EXPECT_EQ(hits[0].cosine, 0.9f);
  EXPECT_EQ(hits[1].row, 7u);
  EXPECT_DOUBLE_EQ(hits[1].score, 1.0 / 61);
  EXPECT_EQ(hits[1].cosine, std::nullopt);
  EXPECT_EQ(hits[2].row, 1u);
  EXPECT_TRUE(hits[2].words.empty());
  EXPECT_EQ(merge_hits(words, meaning, 1).size(), 1u);
  EXPECT_TRUE(merge_hits({}, {}, 10).empty());
}

TEST(MergeHits, TiesGoByRowAndWhatIsNamedComesFirst) {
  const std::vector<Hit> meaning{{2, 0.9f}, {3, 0.8f}};
  EXPECT_EQ(merge_hits(std::vector<KeywordHit>{{9, 1.0, {}}}, meaning, 10)[0].row, 2u);
  const std::vector<KeywordHit> words{{9, 9.0, {}, NameMatch::Id}, {2, 1.0, {}}};
  EXPECT_EQ(merge_hits(words, meaning, 10)[0].row, 9u);
  const std::vector<KeywordHit> all{{5, 1.0, {}, NameMatch::NearName}, {9, 1.0, {}, NameMatch::None, true}};
  const auto hits = merge_hits(all, meaning, 10);
  EXPECT_EQ(hits[0].row, 5u);
  EXPECT_EQ(hits[1].row, 9u) << "all words before meaning";
}

TEST(MergedSearch, AZeroVectorLeavesItToTheWords) {
  const Model model = text_model(kTexts, kTitles, kIds);
  const KeywordIndex keywords(model);
  const DocumentIndex documents = DocumentIndex::build(model, {});
  for (const auto& vector : {std::vector<float>{}, std::vector<float>{0, 0}}) {
    const auto hits = merged_search(keywords, documents, "zanzibar", vector, 10);
    ASSERT_EQ(hits.size(), 1u);
    EXPECT_EQ(hits[0].row, 1u);
  }
  const auto hits = merged_search(keywords, documents, "zanzibar", std::vector<float>{1, 1}, 10);
  EXPECT_EQ(hits.size(), kTexts.size());
  EXPECT_EQ(hits[0].row, 1u);
  EXPECT_NEAR(hits[0].cosine.value(), 1, 1e-6);
}

}  // namespace
}  // namespace idne
