#include "idne/suggest.h"

#include <gtest/gtest.h>

#include <cmath>

#include "idne/corpus.h"

namespace idne {
namespace {

/// Twenty documents of two fields, whose words differ; document 0 has both labels if `several`.
Collection two_fields(bool several = false) {
  Collection collection;
  const std::vector<std::vector<std::string>> words{{"gene", "cell", "protein"}, {"court", "judge", "law"}};
  for (std::uint32_t i = 0; i < 20; ++i) {
    collection.ids.add(std::string{'d', static_cast<char>('a' + i)});
    collection.titles.emplace_back("title");
    std::vector<std::uint32_t> text;
    for (std::uint32_t n = 0; n < 5; ++n) text.push_back(collection.tokens.add(words[i % 2][(i / 2 + n * n) % 3]));
    collection.counts.add_row(count_words(text));
    collection.labels.add(i % 2 ? "law" : "bio");
    collection.document_labels.values.push_back(static_cast<std::int32_t>(i % 2));
    if (several && i == 0) collection.document_labels.values.push_back(1);
    collection.document_labels.end_row();
    if (i >= 2) collection.links.push_back({i - 2, i, 1});
  }
  if (several) collection.labels.add("law");
  return collection;
}

Model trained(const Collection& collection, const std::string& method, const std::vector<std::string>& settings) {
  Options options(find_method(method).options());
  for (std::size_t k = 0; k + 1 < settings.size(); k += 2) options.set(settings[k], settings[k + 1]);
  Model model = train(collection, find_method(method), options, {1, 1.0}, {});
  add_label_head(model, collection, {});
  return model;
}

Model small_idne(const Collection& collection, const std::string& neighbours = "0") {
  return trained(collection, "idne",
                 {"dim", "8", "topics", "3", "steps", "30", "start", "random", "neighbours", neighbours});
}

Suggestions suggested(const Model& model, const std::string& text, SuggestionCounts counts = {}) {
  const TextEncoder encoder(model);
  Tokenizer tokenizer;
  return suggest(model, encoder, encoder.words(text, tokenizer), counts, 1);
}

const SuggestionCounts kAll{100, 100, 100, 100};

template <class Parts>
double sum_of(const Parts& parts) {
  double sum = 0;
  for (const auto& part : parts) sum += part.part;
  return sum;
}

void expect_parts_add_up(const Suggestions& suggestions, bool topics) {
  ASSERT_EQ(suggestions.links.size(), 20u);
  for (const SuggestedLink& link : suggestions.links) {
    EXPECT_NEAR(sum_of(link.words), link.score, 1e-5);
    EXPECT_NEAR(topics ? sum_of(link.topics) : link.score, link.score, 1e-5);
    EXPECT_NEAR(link.pairs.empty() ? link.score : sum_of(link.pairs), link.score, 1e-5);
  }
}

TEST(Suggest, TheLabelOfItsWordsComesFirstAndLabelsSumToOne) {
  const Model model = small_idne(two_fields());
  const Suggestions suggestions = suggested(model, "Judge, court and law!");
  ASSERT_EQ(suggestions.labels.size(), 2u);
  EXPECT_EQ(model.strings("labels.names")[suggestions.labels[0].label], "law");
  EXPECT_GT(suggestions.labels[0].probability, 0.5);
  EXPECT_NEAR(suggestions.labels[0].probability + suggestions.labels[1].probability, 1, 1e-12);
}

TEST(Suggest, WithSeveralLabelsADocumentEachStandsForItself) {
  const Suggestions suggestions = suggested(small_idne(two_fields(true)), "judge gene");
  ASSERT_EQ(suggestions.labels.size(), 2u);
  EXPECT_GT(std::abs(suggestions.labels[0].probability + suggestions.labels[1].probability - 1), 1e-9);
}

TEST(Suggest, LinksAreByCosineWithPartsThatAddUp) {
  const Suggestions suggestions = suggested(small_idne(two_fields()), "judge court cell", kAll);
  for (std::size_t n = 1; n < suggestions.links.size(); ++n) {
    EXPECT_LE(suggestions.links[n].score, suggestions.links[n - 1].score);
  }
  expect_parts_add_up(suggestions, true);
}

TEST(Suggest, PartsAddUpWhereDocumentsAreJoinedWithNeighbours) {
  expect_parts_add_up(suggested(small_idne(two_fields(), "1"), "judge court cell", kAll), true);
}

TEST(Suggest, WordPairsComeWithTheModelsWords) {
  const Model model = small_idne(two_fields());
  const Suggestions suggestions = suggested(model, "judge court cell", kAll);
  expect_parts_add_up(suggestions, true);
  for (const SuggestedLink& link : suggestions.links) EXPECT_FALSE(link.pairs.empty());
}

TEST(Suggest, MethodsWithoutTopicsGiveWords) {
  for (const std::string method : {"lsa", "tadw", "gvnrt"}) {
    SCOPED_TRACE(method);
    std::vector<std::string> settings{"dim", "4"};
    if (method == "tadw") settings.insert(settings.end(), {"features", "3"});
    const Suggestions suggestions = suggested(trained(two_fields(), method, settings), "judge court cell", kAll);
    expect_parts_add_up(suggestions, false);
    EXPECT_TRUE(suggestions.links[0].topics.empty());
    EXPECT_FALSE(suggestions.links[0].words.empty());
    EXPECT_EQ(suggestions.labels.size(), 2u);
  }
}

TEST(Suggest, MethodsWithoutWordVectorsGiveLinksAlone) {
  const Model model = trained(two_fields(), "graph2gauss", {"dim", "4", "hidden", "8", "rounds", "3"});
  const Suggestions suggestions = suggested(model, "judge court cell");
  ASSERT_EQ(suggestions.links.size(), 5u);
  EXPECT_TRUE(suggestions.links[0].words.empty());
  EXPECT_EQ(suggestions.labels.size(), 2u);
}

TEST(Suggest, ATextWithoutKnownWordsGetsNothing) {
  const Suggestions suggestions = suggested(small_idne(two_fields()), "nothing known");
  EXPECT_TRUE(suggestions.labels.empty());
  EXPECT_TRUE(suggestions.links.empty());
}

TEST(Suggest, ACorpusWithoutLabelsGetsNoHead) {
  Collection collection = two_fields();
  collection.labels = StringTable();
  collection.document_labels = {std::vector<std::int64_t>(21), {}};
  const Model model = small_idne(collection);
  EXPECT_FALSE(model.has("labels.weights"));
  const Suggestions suggestions = suggested(model, "judge");
  EXPECT_TRUE(suggestions.labels.empty());
  EXPECT_EQ(suggestions.links.size(), 5u);
}

TEST(Suggest, AHeadThatDoesNotFitIsAnError) {
  Model model = small_idne(two_fields());
  model.add("labels.weights", std::vector<float>(6), {2, 3});
  EXPECT_THROW(suggested(model, "judge"), Error);
}

}  // namespace
}  // namespace idne
