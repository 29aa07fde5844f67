#include "methods/cane.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "method_checks.h"
#include "small_corpus.h"

namespace idne {
namespace {

double dot_of(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// Document i is of community i mod `communities`. Each has words of its own; every third word is anybody's.
Corpus communities(std::uint32_t communities, std::uint32_t documents) {
  Corpus corpus;
  for (std::uint32_t w = 0; w < 10 * (communities + 1); ++w) {
    corpus.vocabulary.words.add(fmt::format("w{}", w));
    corpus.vocabulary.counts.push_back(1);
  }
  Random random(6, Purpose::Generate, 1);
  std::vector<Link> links;
  for (std::uint32_t i = 0; i < documents; ++i) {
    std::vector<std::uint32_t> text;
    for (int n = 0; n < 9; ++n) {
      text.push_back(10 * (n % 3 == 0 ? communities : i % communities) + random.below(10));
    }
    corpus.counts.add_row(count_words(text));
    for (const std::uint32_t hop : {communities, 3 * communities}) {
      if (i >= hop) links.push_back({i, i - hop, 1});
    }
  }
  corpus.network = Network(documents, links, {});
  return corpus;
}

/// Mean cosine of pairs within two communities, less that of pairs across.
double separation(MatrixView documents, std::size_t from, std::size_t to) {
  double within = 0, across = 0, pairs_within = 0, pairs_across = 0;
  const auto part = [&](std::size_t i) {
    std::vector<double> v(documents.row(i).begin() + static_cast<std::ptrdiff_t>(from),
                          documents.row(i).begin() + static_cast<std::ptrdiff_t>(to));
    const double length = std::sqrt(dot_of(v, v));
    for (double& x : v) x /= length;
    return v;
  };
  for (std::size_t i = 0; i < documents.rows; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double cosine = dot_of(part(i), part(j));
      if (i % 2 == j % 2) {
        within += cosine, ++pairs_within;
      } else {
        across += cosine, ++pairs_across;
      }
    }
  }
  return within / pairs_within - across / pairs_across;
}

TEST(Cane, BothHalvesTellCommunitiesApart) {
  const Corpus corpus = communities(2, 40);
  const Model start = cane_method().fit(corpus, options_with(cane_method(), {{"dim", "16"}, {"steps", "0"}}), {});
  const Model model =
      cane_method().fit(corpus, options_with(cane_method(), {{"dim", "16"}, {"steps", "600"}, {"batch", "16"}}), {});
  ASSERT_EQ(model.documents().vectors.columns, 16u);
  EXPECT_LT(separation(start.documents().vectors, 0, 8), 0.2);
  EXPECT_GT(separation(model.documents().vectors, 0, 8), 0.5);
  EXPECT_GT(separation(model.documents().vectors, 8, 16), 0.5);
}

TEST(Cane, LossFalls) {
  const Corpus corpus = communities(8, 48);
  double loss = 0;
  const idne::Run run{.threads = 1,
                      .progress = [&](const Progress& p) { loss = p.stage == "training" ? p.loss : loss; },
                      .stopped = {}};
  cane_method().fit(corpus, options_with(cane_method(), {{"dim", "16"}, {"steps", "10"}}), run);
  const double first = loss;
  cane_method().fit(
      corpus, options_with(cane_method(), {{"dim", "16"}, {"steps", "500"}, {"batch", "16"}, {"rate", "0.01"}}), run);
  EXPECT_LT(loss, 0.8 * first);
}

TEST(Cane, SameBitsAtAnyNumberOfThreads) {
  const Corpus corpus = small_corpus(60, 50, 3);
  const Options options = options_with(cane_method(), {{"dim", "24"}, {"steps", "20"}, {"batch", "100"}});
  expect_same_bits_at_any_number_of_threads(cane_method(), corpus, options, {&layout::kDocumentVectors});
}

TEST(Cane, SeedChangesTheVectors) {
  const Corpus corpus = small_corpus(20, 15, 2);
  const Model one =
      cane_method().fit(corpus, options_with(cane_method(), {{"dim", "4"}, {"steps", "3"}, {"seed", "1"}}), {});
  const Model two =
      cane_method().fit(corpus, options_with(cane_method(), {{"dim", "4"}, {"steps", "3"}, {"seed", "2"}}), {});
  EXPECT_FALSE(std::ranges::equal(ModelTensors(one).floats(layout::kDocumentVectors),
                                  ModelTensors(two).floats(layout::kDocumentVectors)));
}

TEST(Cane, DocumentsWithoutWordsOrLinksHaveZerosInThatHalfAlone) {
  const Corpus corpus = small_corpus(20, 15, 2);
  ASSERT_TRUE(corpus.counts.row(3).empty());
  ASSERT_EQ(corpus.network.degree(19), 0);
  const Model model = cane_method().fit(corpus, options_with(cane_method(), {{"dim", "8"}, {"steps", "10"}}), {});
  const auto zero = [](std::span<const float> half) {
    return std::ranges::all_of(half, [](float x) { return x == 0; });
  };
  for (std::size_t i = 0; i < 20; ++i) {
    const auto row = model.documents().vectors.row(i);
    for (const float x : row) ASSERT_TRUE(std::isfinite(x)) << i;
    EXPECT_EQ(zero(row.first(4)), i == 19) << i;
    EXPECT_EQ(zero(row.last(4)), i == 3) << i;
  }
}

TEST(Cane, CorporaWithNextToNothing) {
  for (const std::uint32_t documents : {0u, 1u, 3u}) {
    for (const bool words : {false, true}) {
      for (const bool linked : {false, true}) {
        if (linked && documents < 2) continue;
        Corpus corpus;
        if (words) corpus.vocabulary.words.add("word"), corpus.vocabulary.counts.push_back(documents);
        for (std::uint32_t i = 0; i < documents; ++i) {
          corpus.counts.add_row(words ? std::vector<WordCount>{{0, 1}} : std::vector<WordCount>{});
        }
        // A single link: every negative is one of its ends.
        corpus.network = Network(documents, linked ? std::vector<Link>{{0, 1, 1}} : std::vector<Link>{}, {});
        const Model model =
            cane_method().fit(corpus, options_with(cane_method(), {{"dim", "6"}, {"steps", "5"}, {"batch", "4"}}), {});
        ASSERT_EQ(model.documents().size(), documents);
        for (const float x : ModelTensors(model).floats(layout::kDocumentVectors)) EXPECT_TRUE(std::isfinite(x));
      }
    }
  }
}

TEST(Cane, CannotEmbedNewDocuments) {
  EXPECT_FALSE(cane_method().inductive());
  const Model model =
      cane_method().fit(small_corpus(8, 5, 1), options_with(cane_method(), {{"dim", "2"}, {"steps", "1"}}), {});
  try {
    cane_method().encoder(model);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("CANE cannot embed new documents"), std::string::npos);
  }
}

TEST(Cane, OddDimensionsAreAnError) {
  EXPECT_THROW(cane_method().fit(small_corpus(8, 5, 1), options_with(cane_method(), {{"dim", "7"}}), {}), Error);
}

TEST(Cane, StopsWhenAsked) {
  const idne::Run run{.threads = 2, .progress = {}, .stopped = [] { return true; }};
  EXPECT_THROW(cane_method().fit(small_corpus(8, 5, 1), options_with(cane_method(), {{"dim", "2"}}), run), Interrupted);
}

}  // namespace
}  // namespace idne
