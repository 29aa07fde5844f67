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
  const KeywordIndex index(
      stemmed(text_model({"moon", "sea"}, {"Because of the Moons", "Sea"}, {"a", "b"}), "english"));
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
  EXPECT_EQ(hits[0].id_match, IdMatch::Whole);
  EXPECT_EQ(hits[1].id_match, IdMatch::Prefix);
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
  // "comet" is a word itself: "comets" does not count.
  EXPECT_EQ(index.search("comet", 10)[0].score, index.search("comet ", 10)[0].score);
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
  EXPECT_EQ(rows_of(index.search(many, 10)), rows_of(index.search("moon ", 10)));
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

TEST(MergeHits, TiesGoByRowAndWholeIdsComeFirst) {
  const std::vector<Hit> meaning{{2, 0.9f}, {3, 0.8f}};
  EXPECT_EQ(merge_hits(std::vector<KeywordHit>{{9, 1.0, {}}}, meaning, 10)[0].row, 2u);
  const std::vector<KeywordHit> words{{9, 9.0, {}, IdMatch::Whole}, {2, 1.0, {}}};
  EXPECT_EQ(merge_hits(words, meaning, 10)[0].row, 9u);
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
