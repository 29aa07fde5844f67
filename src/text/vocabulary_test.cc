#include "text/vocabulary.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "corpus/corpus.h"
#include "idne/error.h"

namespace idne {
namespace {

/// Documents by their words, and the vocabulary of some of them.
struct Texts {
  StringTable tokens;
  CountMatrix counts;

  explicit Texts(const std::vector<std::vector<std::string>>& documents) {
    for (const auto& document : documents) {
      std::vector<std::uint32_t> words;
      for (const std::string& word : document) words.push_back(tokens.add(word));
      counts.add_row(count_words(words));
    }
  }
  KeptWords keep(const VocabularyRule& rule) const {
    std::vector<std::uint32_t> all(counts.rows());
    std::iota(all.begin(), all.end(), 0u);
    return keep_words(tokens, counts, all, rule);
  }
};

std::vector<std::string> words_of(const KeptWords& kept) {
  return {kept.vocabulary.words.strings().begin(), kept.vocabulary.words.strings().end()};
}

using Strings = std::vector<std::string>;

TEST(CountWords, RepeatsAreJoinedAndSorted) {
  EXPECT_EQ(count_words({7, 2, 7, 7}), (std::vector<WordCount>{{2, 1}, {7, 3}}));
  EXPECT_TRUE(count_words({}).empty());
}

TEST(CountMatrix, RowsAndLengths) {
  CountMatrix counts;
  EXPECT_EQ(counts.rows(), 0u);
  counts.add_row(std::vector<WordCount>{{3, 2}, {5, 4}});
  counts.add_row({});
  ASSERT_EQ(counts.rows(), 2u);
  EXPECT_EQ(counts.row(0)[1], (WordCount{5, 4}));
  EXPECT_EQ(counts.length(0), 6u);
  EXPECT_TRUE(counts.row(1).empty());
  EXPECT_EQ(counts.length(1), 0u);
  EXPECT_EQ(counts.entries(), 2u);
}

TEST(Vocabulary, FiveTimesIsEnoughAndFourIsNot) {
  const Texts texts({{"five", "five", "five", "five", "five", "four", "four", "four", "four"}, {}, {}, {}});
  EXPECT_EQ(words_of(texts.keep({})), Strings{"five"});
}

TEST(Vocabulary, CountsAreAddedOverDocuments) {
  const Texts texts({{"five", "five", "four"}, {"five", "five", "four"}, {"five", "four", "four"}});
  EXPECT_EQ(words_of(texts.keep({5, 1})), Strings{"five"});
}

TEST(Vocabulary, AQuarterOfTheDocumentsIsAllowedAndMoreIsNot) {
  const Texts texts({{"quarter", "more"}, {"quarter", "more"}, {"more"}, {}, {}, {}, {}, {}});
  EXPECT_EQ(words_of(texts.keep({1, 0.25})), Strings{"quarter"});
}

TEST(Vocabulary, SharesAreExactWhereProductsAreNot) {
  for (std::size_t percent = 1; percent < 100; ++percent) {
    std::vector<std::vector<std::string>> documents(100);
    for (std::size_t d = 0; d < 100; ++d) {
      if (d < percent) documents[d].push_back("edge");
      if (d < percent + 1) documents[d].push_back("over");
    }
    const KeptWords kept = Texts(documents).keep({1, std::stod("0." + std::to_string(100 + percent).substr(1))});
    EXPECT_EQ(words_of(kept), Strings{"edge"}) << percent;
  }
  EXPECT_EQ(words_of(Texts({{"all"}, {"all"}}).keep({1, 1.0})), Strings{"all"});
}

TEST(Vocabulary, OrderIsCountThenSpelling) {
  const Texts texts({{"pear", "fig", "apple", "fig", "zoo", "zoo", "zoo", "éa"}});
  const KeptWords kept = texts.keep({1, 1});
  EXPECT_EQ(words_of(kept), (Strings{"zoo", "fig", "apple", "pear", "éa"}));
  EXPECT_EQ(kept.vocabulary.counts, (std::vector<std::uint64_t>{3, 2, 1, 1, 1}));
}

TEST(Vocabulary, DocumentsAreRewrittenOverKeptWords) {
  const Texts texts({{"rare", "common", "often", "often"}, {"rarer"}, {"common", "often"}});
  const KeptWords kept = texts.keep({2, 1});
  EXPECT_EQ(words_of(kept), (Strings{"often", "common"}));
  ASSERT_EQ(kept.counts.rows(), 3u);
  EXPECT_EQ(std::vector(kept.counts.row(0).begin(), kept.counts.row(0).end()),
            (std::vector<WordCount>{{0, 2}, {1, 1}}));
  EXPECT_TRUE(kept.counts.row(1).empty());  // a document without words stays
  EXPECT_EQ(kept.counts.row(2).size(), 2u);
}

TEST(Vocabulary, OnlyTheGivenDocumentsCount) {
  const Texts texts({{"seen", "hidden"}, {"hidden", "hidden"}, {"seen"}});
  const KeptWords kept = keep_words(texts.tokens, texts.counts, std::vector<std::uint32_t>{2, 0}, {1, 1});
  EXPECT_EQ(words_of(kept), (Strings{"seen", "hidden"}));
  EXPECT_EQ(kept.vocabulary.counts, (std::vector<std::uint64_t>{2, 1}));
  ASSERT_EQ(kept.counts.rows(), 2u);
  EXPECT_EQ(kept.counts.row(0).size(), 1u);
  EXPECT_EQ(kept.counts.row(1).size(), 2u);
}

TEST(Vocabulary, WordsThatNoDocumentHasAreNotKept) {
  Texts texts({{"word"}});
  texts.tokens.add("never");
  EXPECT_EQ(words_of(texts.keep({0, 1})), Strings{"word"});
}

TEST(Vocabulary, NoDocumentsNoWords) { EXPECT_TRUE(words_of(Texts({}).keep({0, 1})).empty()); }

TEST(MakeCorpus, NoKeptWordIsAnErrorWithARemedy) {
  Collection collection;
  collection.name = "corpus";
  collection.ids.add("a");
  collection.counts.add_row(std::vector<WordCount>{{collection.tokens.add("once"), 1}});
  try {
    make_corpus(collection, {5, 0.25});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "corpus: no word occurs at least 5 times and in at most 25 % of the documents; "
                 "try --min-count 1 or --max-share 1");
  }
  EXPECT_EQ(make_corpus(collection, {1, 1}).words(), 1u);
}

TEST(MakeCorpus, JoinsWordsAndNetwork) {
  Collection collection;
  for (const char* id : {"a", "b", "c"}) collection.ids.add(id);
  collection.counts.add_row(std::vector<WordCount>{{collection.tokens.add("word"), 2}});
  collection.counts.add_row({});
  collection.counts.add_row({});
  collection.links = {{0, 2, 1}};
  const Corpus corpus = make_corpus(collection, {2, 0.5});
  EXPECT_EQ(corpus.documents(), 3u);
  EXPECT_EQ(corpus.words(), 1u);
  EXPECT_EQ(corpus.network.documents(), 3u);
  EXPECT_EQ(corpus.network.links(), 1u);
}

/// A corpus of the paper's Table 1, which is not ours to ship; empty where it is not there.
Collection reference_corpus(const std::string& name) {
  const char* const given = std::getenv("IDNE_DATA");
  const std::filesystem::path data = given ? given : "../shared/data";
  if (!std::filesystem::exists(data / name)) return {};
  return read_collection(data / name, {(data / "stopwords-reference.txt").string(), true}, Run{2, {}, {}});
}

TEST(ReferenceCorpus, CoraKeeps4333Words) {
  const Collection cora = reference_corpus("cora");
  if (cora.ids.size() == 0) GTEST_SKIP() << "no cora in $IDNE_DATA (or ../shared/data)";
  const Corpus corpus = make_corpus(cora, {});
  EXPECT_EQ(corpus.words(), 4333u);
  EXPECT_EQ(corpus.documents(), 2211u);
  EXPECT_EQ(corpus.network.links(), 4771u);
  EXPECT_EQ(cora.labels.size(), 7u);
}

TEST(ReferenceCorpus, NewYorkTimesKeeps5748Words) {
  const Collection nyt = reference_corpus("nyt");
  if (nyt.ids.size() == 0) GTEST_SKIP() << "no nyt in $IDNE_DATA (or ../shared/data)";
  const Corpus corpus = make_corpus(nyt, {});
  EXPECT_EQ(corpus.words(), 5748u);
  EXPECT_EQ(corpus.documents(), 5135u);
  EXPECT_EQ(corpus.network.links(), 3050513u);
  EXPECT_EQ(corpus.network.groups(), 56u);
  std::size_t empty = 0;
  for (std::size_t i = 0; i < corpus.documents(); ++i) empty += corpus.counts.row(i).empty();
  EXPECT_EQ(empty, 28u);
}

}  // namespace
}  // namespace idne
