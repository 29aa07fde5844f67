#include "methods/link_regression.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "methods/lsa.h"
#include "plain_matrix.h"
#include "small_corpus.h"
#include "with_threads.h"

namespace idne {
namespace {

/// Unit rows: the documents as sums of their words' vectors.
PlainMatrix unit_rows(const Corpus& corpus, const std::vector<float>& words) {
  const std::size_t width = words.size() / corpus.words();
  PlainMatrix rows(corpus.documents(), width);
  for (std::size_t i = 0; i < corpus.documents(); ++i) {
    for (const WordCount& entry : corpus.counts.row(i)) {
      for (std::size_t k = 0; k < width; ++k)
        rows(i, k) += entry.count * static_cast<double>(words[entry.word * width + k]);
    }
    if (rows.row_length(i) > 0) rows.scale_row(i, 1 / rows.row_length(i));
  }
  return rows;
}

/// The cosines of all documents by the definition, with the dense A and no cut of dimensions.
PlainMatrix dense_cosines(const Corpus& corpus, const std::vector<Link>& links, std::size_t width, double share) {
  const PlainMatrix z = unit_rows(corpus, lsa_word_vectors(corpus.counts, corpus.words(), width, 1, {}));
  PlainMatrix a(z.rows(), z.rows());
  for (const Link& link : links) a(link.a, link.b) = a(link.b, link.a) = link.weight;
  const auto documents = static_cast<double>(z.rows());
  const PlainMatrix text = 1 / documents * (z.transposed() * z);
  const PlainMatrix ridge = (text + text.trace() / static_cast<double>(width) * PlainMatrix::identity(width)).inverse();
  const PlainMatrix b = (ridge * (z.transposed() * a * z) * ridge).positive_part();
  const PlainMatrix by_links = z * b * z.transposed();
  PlainMatrix likeness = (1 - share) * (z * z.transposed()) + share * documents / by_links.trace() * by_links;
  std::vector<double> scale;
  for (std::size_t i = 0; i < z.rows(); ++i) scale.push_back(1 / std::sqrt(likeness(i, i)));
  for (std::size_t i = 0; i < z.rows(); ++i) {
    for (std::size_t j = 0; j < z.rows(); ++j) likeness(i, j) *= scale[i] * scale[j];
  }
  return likeness;
}

/// Six documents over words in two halves that never meet in a text; links cross the halves.
const std::vector<std::string> kTexts{"star moon star sky", "moon sky orbit",   "orbit star comet",
                                      "bread flour yeast",  "dough bread salt", "yeast dough flour"};
const std::vector<Link> kLinks{{0, 3, 1}, {1, 4, 2}, {2, 5, 1}, {0, 4, 1}};

TEST(LinkRegression, GivesTheCosinesOfItsDefinition) {
  const Corpus corpus = small_corpus(kTexts, kLinks);
  constexpr std::size_t kDimensions = 8;  // more than there are documents: nothing is cut off
  for (const double share : {0.0, 0.2, 0.7}) {
    const PlainMatrix rows = unit_rows(corpus, link_regression_words(corpus, kDimensions, share, 1, {}));
    const PlainMatrix truth = dense_cosines(corpus, kLinks, 2 * kDimensions, share);
    EXPECT_LT((rows * rows.transposed() - truth).largest(), 1e-4) << "share " << share;
  }
}

TEST(LinkRegression, LinksBringTextsTogetherThatShareNoWord) {
  const Corpus corpus = small_corpus(kTexts, kLinks);
  const auto cosine = [&](double share, std::size_t i, std::size_t j) {
    return unit_rows(corpus, link_regression_words(corpus, 4, share, 1, {})).row_product(i, j);
  };
  EXPECT_NEAR(cosine(0, 1, 4), 0, 1e-4);
  EXPECT_GT(cosine(0.5, 1, 4), 0.2);
  EXPECT_GT(cosine(0.5, 1, 4), cosine(0.2, 1, 4));
}

TEST(LinkRegression, SameBitsAtAnyNumberOfThreads) {
  const Corpus corpus = small_corpus(kTexts, kLinks);
  const auto one = link_regression_words(corpus, 4, 0.2, 1, {});
  for (const int threads : {2, 3}) EXPECT_EQ(one, link_regression_words(corpus, 4, 0.2, 1, with_threads(threads)));
}

/// Four kinds of documents with twenty words each, a third of them of no kind; links join kinds 0 and 1, 2 and 3.
Corpus four_kinds(std::uint32_t documents) {
  Corpus corpus = small_corpus(1, 100, 1);
  corpus.counts = {};
  Random random(1, Purpose::Generate, 7);
  std::vector<Link> links;
  for (std::uint32_t i = 0; i < documents; ++i) {
    std::vector<std::uint32_t> text;
    for (int n = 0; n < 15; ++n) text.push_back(random.below(20) + (n % 3 == 0 ? 80 : 20 * (i % 4)));
    corpus.counts.add_row(count_words(text));
    if (i % 2 == 0) links.push_back({i, (i + 4 * random.below(documents / 4) + 1) % documents});
  }
  std::sort(links.begin(), links.end(), [](const Link& a, const Link& b) { return a.a < b.a; });
  corpus.network = Network(documents, links, {});
  return corpus;
}

TEST(LinkRegression, OfManyDocumentsASampleTellsTheSame) {
  const Corpus corpus = four_kinds(2000);
  const PlainMatrix whole = unit_rows(corpus, link_regression_words(corpus, 8, 0.5, 1, {}));
  const auto words = link_regression_words(corpus, 8, 0.5, 1, {}, 300);
  const PlainMatrix sampled = unit_rows(corpus, words);
  const auto kinds = [](const PlainMatrix& rows, std::size_t a, std::size_t b) {  // mean cosine of two kinds' documents
    double sum = 0;
    for (std::size_t i = 0; i < 40; ++i) sum += rows.row_product(4 * i + a, 1000 + 4 * i + b) / 40;
    return sum;
  };
  for (std::size_t a = 0; a < 4; ++a) {
    for (std::size_t b = 0; b < 4; ++b) EXPECT_NEAR(kinds(sampled, a, b), kinds(whole, a, b), 0.12) << a << " " << b;
  }
  EXPECT_GT(kinds(sampled, 0, 1), kinds(sampled, 0, 2) + 0.2);
  for (const int threads : {2, 3})
    EXPECT_EQ(words, link_regression_words(corpus, 8, 0.5, 1, with_threads(threads), 300));
}

TEST(LinkRegression, StopsWhenItIsToldTo) {
  const Corpus corpus = four_kinds(200);
  for (int stage = 0; stage < 10; ++stage) {
    int asked = 0;
    idne::Run run;
    run.stopped = [&] { return asked++ == stage; };
    EXPECT_THROW(link_regression_words(corpus, 8, 0.5, 1, run), Interrupted) << stage;
  }
}

TEST(LinkRegression, WithoutLinksIsTheText) {
  const Corpus corpus = small_corpus(kTexts, {});
  const PlainMatrix rows = unit_rows(corpus, link_regression_words(corpus, 8, 0.9, 1, {}));
  const PlainMatrix text = unit_rows(corpus, lsa_word_vectors(corpus.counts, corpus.words(), 16, 1, {}));
  EXPECT_LT((rows * rows.transposed() - text * text.transposed()).largest(), 1e-4);
}

TEST(LinkRegression, DimensionsThatTheCorpusDoesNotHaveAreZeros) {
  const Corpus corpus = small_corpus(kTexts, kLinks);
  constexpr std::size_t kDimensions = 3000;  // of six documents: nothing of this size is ever solved
  const auto words = link_regression_words(corpus, kDimensions, 0.2, 1, {});
  ASSERT_EQ(words.size(), corpus.words() * kDimensions);
  for (std::size_t w = 0; w < corpus.words(); ++w) {
    EXPECT_NE(words[w * kDimensions], 0);
    EXPECT_TRUE(std::all_of(words.begin() + static_cast<std::ptrdiff_t>(w * kDimensions + 6),
                            words.begin() + static_cast<std::ptrdiff_t>((w + 1) * kDimensions),
                            [](float value) { return value == 0; }));
  }
}

TEST(LinkRegression, OddCorporaGiveFiniteVectors) {
  for (const auto& texts :
       std::vector<std::vector<std::string>>{{"one"}, {"", ""}, {"same text", "same text"}, {"", "word other"}}) {
    const Corpus corpus = small_corpus(texts, {});
    const auto words = link_regression_words(corpus, 3, 0.2, 1, {});
    ASSERT_EQ(words.size(), 3 * corpus.words());
    for (const float value : words) EXPECT_TRUE(std::isfinite(value));
  }
}

}  // namespace
}  // namespace idne
