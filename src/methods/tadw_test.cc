#include "methods/tadw.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "idne/train.h"
#include "math/random.h"
#include "math/unit.h"
#include "method_checks.h"
#include "methods/lsa.h"
#include "plain_matrix.h"
#include "small_corpus.h"
#include "targets.h"
#include "temp_folder.h"

namespace idne {
namespace {

/// A dense, by definition: a link's weight, and one for each shared group. As small_corpus() builds it.
PlainMatrix dense_adjacency(std::size_t documents) {
  PlainMatrix a(documents, documents);
  for (std::size_t i = 0; i + 2 < documents; ++i) a(i, i + 1) += 1;
  for (std::size_t i = 0; i + 6 < documents; i += 4) a(i, i + 5) += 0.5;
  for (std::size_t i = 0; i + 1 < documents; i += 3) {
    for (std::size_t j = i + 3; j + 1 < documents; j += 3) a(i, j) += 1;
  }
  return a + a.transposed();
}

/// M = (Â + Â²) / 2 for small_corpus().
PlainMatrix dense_reach(std::size_t documents) {
  PlainMatrix steps = dense_adjacency(documents);
  for (std::size_t i = 0; i < documents; ++i) {
    double degree = 0;
    for (std::size_t j = 0; j < documents; ++j) degree += steps(i, j);
    if (degree > 0) steps.scale_row(i, 1 / degree);
  }
  return 0.5 * (steps + steps * steps);
}

/// A factorisation of the dense M with everything written out.
struct Dense {
  static constexpr std::size_t kDocuments = 30, kFeatures = 7, kRank = 4;
  static constexpr double kPenalty = 0.3;
  PlainMatrix m = dense_reach(kDocuments);
  std::vector<float> feature_values = noise(kDocuments * kFeatures, 5);
  PlainMatrix features{feature_values, kDocuments, kFeatures};
  PlainMatrix reached = m * features;

  TadwFactors factors(std::size_t rounds, std::size_t rank = kRank) const {
    const std::vector<float> p = reached.floats();
    return tadw_factors({feature_values.data(), kDocuments, kFeatures}, {p.data(), kDocuments, kFeatures},
                        {.rank = rank, .penalty = kPenalty, .rounds = rounds, .seed = 1}, {});
  }
  PlainMatrix w(const TadwFactors& f) const { return reached * PlainMatrix(f.w, kFeatures, kRank); }
  PlainMatrix h(const TadwFactors& f) const { return PlainMatrix(f.h, kRank, kFeatures); }
  double objective(const PlainMatrix& w, const PlainMatrix& h) const {
    return (m - w * h * features.transposed()).square_sum() + kPenalty / 2 * (w.square_sum() + h.square_sum());
  }
};

TEST(Tadw, ObjectiveIsThatOfTheDenseMatrices) {
  const Dense dense;
  for (const std::size_t rounds : {1u, 2u, 5u, 20u}) {
    const TadwFactors factors = dense.factors(rounds);
    ASSERT_EQ(factors.objectives.size(), 2 * rounds);
    EXPECT_NEAR(factors.objectives.back() + dense.m.square_sum(), dense.objective(dense.w(factors), dense.h(factors)),
                1e-4)
        << rounds;
  }
}

TEST(Tadw, NoHalfStepRaisesTheObjective) {
  const Dense dense;
  for (const std::size_t rank : {1u, 4u, 7u, 12u}) {  // 12: more than there are features
    const TadwFactors factors = dense.factors(40, rank);
    for (std::size_t k = 1; k < factors.objectives.size(); ++k) {
      EXPECT_LE(factors.objectives[k], factors.objectives[k - 1] + 1e-10) << "rank " << rank << ", half-step " << k;
    }
    EXPECT_LT(factors.objectives.back(), -0.05 * dense.m.square_sum()) << "hardly better than zeros";
  }
}

TEST(Tadw, LastHalfStepIsTheMinimumOverH) {
  const Dense dense;
  const TadwFactors factors = dense.factors(3);
  const PlainMatrix w = dense.w(factors), h = dense.h(factors);
  const double least = dense.objective(w, h);
  for (std::size_t r = 0; r < h.rows(); ++r) {
    for (std::size_t c = 0; c < h.columns(); ++c) {
      for (const double step : {0.01, -0.01}) {
        PlainMatrix moved = h;
        moved(r, c) += step;
        EXPECT_GT(dense.objective(w, moved), least) << r << " " << c;
      }
    }
  }
}

TEST(Tadw, FirstHalfStepIsTheMinimumOverW) {
  const Dense dense;
  const TadwFactors many = dense.factors(200);  // at rest: W is the best for this H too
  const PlainMatrix w = dense.w(many), h = dense.h(many);
  const PlainMatrix left = dense.m - w * h * dense.features.transposed();
  const PlainMatrix gradient = -2 * (left * dense.features * h.transposed()) + Dense::kPenalty * w;
  EXPECT_LT(gradient.largest(), 1e-3);
  EXPECT_GT(w.largest(), 0.01);
}

/// Documents' halves against W and H T worked out from the dense M, whatever the turn of the space: by their products.
TEST(Tadw, NetworkOfACorpusIsTheDenseOne) {
  constexpr std::size_t kDocuments = 30;
  const Corpus corpus = small_corpus(kDocuments, 20, 1);
  Options text(lsa_method().options());
  text.set("dim", "6");
  const Model lsa = lsa_method().fit(corpus, text, {});
  PlainMatrix features({lsa.documents().vectors.data, kDocuments * 6}, kDocuments, 6);
  for (std::size_t i = 0; i < kDocuments; ++i) {
    if (features.row_length(i) > 0) features.scale_row(i, 2 / features.row_length(i));
  }
  const PlainMatrix reached = dense_reach(kDocuments) * features;
  const std::vector<float> feature_values = features.floats(), reached_values = reached.floats();
  const TadwFactors factors =
      tadw_factors({feature_values.data(), kDocuments, 6}, {reached_values.data(), kDocuments, 6},
                   {.rank = 4, .penalty = 0.1, .rounds = 20, .seed = 1}, {});
  const PlainMatrix w = reached * PlainMatrix(factors.w, 6, 4);
  const PlainMatrix ht = features * PlainMatrix(factors.h, 4, 6).transposed();
  const Model model = tadw_method().fit(
      corpus, options_with(tadw_method(), {{"dim", "8"}, {"features", "6"}, {"scale", "2"}, {"penalty", "0.1"}}), {});
  for (std::size_t i = 0; i < kDocuments; ++i) {
    const auto row = model.documents().vectors.row(i);
    const double w_length = std::max(w.row_length(i), 1e-20), text_length = std::max(ht.row_length(i), 1e-20);
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_NEAR(row[k], w(i, k) / w_length, 2e-2) << i;
      EXPECT_NEAR(row[4 + k], ht(i, k) / text_length, 2e-2) << i;
    }
  }
}

TEST(Tadw, EncoderGivesADocumentTheTextHalfOfItsVector) {
  const Corpus corpus = small_corpus(20, 15, 2);
  const Model model = tadw_method().fit(corpus, options_with(tadw_method(), {{"dim", "6"}, {"features", "5"}}), {});
  const auto encoder = tadw_method().encoder(model);
  ASSERT_EQ(encoder->dimensions(), 6u);
  for (std::size_t i = 0; i < corpus.documents(); ++i) {
    std::vector<float> vector(6, -1);
    encoder->encode(corpus.counts.row(i), vector);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(vector[k], 0) << i;
    for (std::size_t k = 3; k < 6; ++k) EXPECT_NEAR(vector[k], model.documents().vectors.row(i)[k], 1e-4) << i;
  }
}

TEST(Tadw, DocumentsWithoutWordsOrLinksLackOnlyThatHalf) {
  const Corpus corpus = small_corpus(20, 15, 2);
  ASSERT_TRUE(corpus.counts.row(3).empty());
  ASSERT_EQ(corpus.network.degree(19), 0);
  const Model model = tadw_method().fit(corpus, options_with(tadw_method(), {{"dim", "6"}, {"features", "5"}}), {});
  const auto length = [&](std::size_t i, std::size_t begin) {
    const auto half = model.documents().vectors.row(i).subspan(begin, 3);
    return std::sqrt(half[0] * half[0] + half[1] * half[1] + half[2] * half[2]);
  };
  EXPECT_NEAR(length(3, 0), 1, 1e-5);
  EXPECT_EQ(length(3, 3), 0);
  EXPECT_EQ(length(19, 0), 0);
  EXPECT_NEAR(length(19, 3), 1, 1e-5);
}

TEST(Tadw, PoorCorporaGiveNumbers) {
  std::vector<Corpus> corpora;
  corpora.emplace_back();  // no document at all
  for (const std::size_t documents : {1u, 4u}) {
    for (const bool words : {false, true}) {
      for (const bool links : {false, true}) {
        Corpus corpus;
        if (words) {
          corpus.vocabulary.words.add("one"), corpus.vocabulary.words.add("two");
          corpus.vocabulary.counts = {1, 1};
        }
        for (std::uint32_t i = 0; i < documents; ++i) {
          corpus.counts.add_row(words ? std::vector<WordCount>{{i % 2, 1}} : std::vector<WordCount>{});
        }
        const std::vector<Link> link{{0, 1, 1}};
        corpus.network = Network(documents, std::span(link).first(links && documents > 1 ? 1 : 0), {});
        corpora.push_back(std::move(corpus));
      }
    }
  }
  for (const Corpus& corpus : corpora) {
    const Model model = tadw_method().fit(corpus, options_with(tadw_method(), {{"dim", "6"}, {"features", "4"}}), {});
    EXPECT_EQ(model.documents().size(), corpus.documents());
    EXPECT_EQ(model.documents().vectors.columns, 6u);
    for (const float x : ModelTensors(model).floats(layout::kDocumentVectors)) EXPECT_TRUE(std::isfinite(x));
    for (const float x : ModelTensors(model).floats(layout::kWordVectors)) EXPECT_TRUE(std::isfinite(x));
    std::vector<float> vector(6, -1);
    tadw_method().encoder(model)->encode({}, vector);
    EXPECT_EQ(vector, std::vector<float>(6));
  }
}

TEST(Tadw, SameBitsAtAnyNumberOfThreads) {
  const Corpus corpus = small_corpus(1500, 200, 3);
  const Options options = options_with(tadw_method(), {{"dim", "64"}, {"features", "48"}, {"rounds", "3"}});
  expect_same_bits_at_any_number_of_threads(tadw_method(), corpus, options,
                                            {&layout::kDocumentVectors, &layout::kWordVectors});
}

/// Two communities, ring-linked within; a document has one word of its community and one that tells nothing.
Corpus two_communities() {
  Corpus corpus;
  constexpr std::uint32_t kWords = 12, kDocuments = 60;
  for (std::uint32_t w = 0; w < kWords; ++w) {
    corpus.vocabulary.words.add(fmt::format("w{}", w));
    corpus.vocabulary.counts.push_back(1);
  }
  Random random(1, Purpose::Generate, 0);
  std::vector<Link> links;
  for (std::uint32_t i = 0; i < kDocuments; ++i) {
    const std::uint32_t own = (i % 2) * 4 + random.below(4), common = 8 + random.below(4);
    corpus.counts.add_row(std::vector<WordCount>{{own, 1}, {common, 1}});
    if (i + 2 < kDocuments) links.push_back({i, i + 2, 1});
    if (i + 6 < kDocuments) links.push_back({i, i + 6, 1});
  }
  corpus.network = Network(kDocuments, links, {});
  return corpus;
}

/// How much closer two new documents of one community that share no word are than two of different communities that
/// share the word that tells nothing; mean over all such pairs.
double community_lead(const Encoder& encoder) {
  const auto encode = [&](std::uint32_t own, std::uint32_t common) {
    std::vector<float> vector(encoder.dimensions());
    encoder.encode(std::vector<WordCount>{{own, 1}, {common, 1}}, vector);
    to_unit_length(vector);
    return vector;
  };
  double within = 0, across = 0;
  int within_count = 0, across_count = 0;
  for (std::uint32_t a = 0; a < 8; ++a) {
    for (std::uint32_t b = 0; b < 8; ++b) {
      if (a == b) continue;
      for (std::uint32_t common = 8; common < 12; ++common) {
        const bool same = a / 4 == b / 4;
        const std::vector<float> one = encode(a, common), other = encode(b, same ? 8 + (common + 1) % 4 : common);
        const double cosine = std::inner_product(one.begin(), one.end(), other.begin(), 0.0);
        (same ? within : across) += cosine;
        ++(same ? within_count : across_count);
      }
    }
  }
  return within / within_count - across / across_count;
}

TEST(Tadw, LearnsWhichWordsTheNetworkIsMadeOf) {
  const Corpus corpus = two_communities();
  Options text(lsa_method().options());
  text.set("dim", "12");
  const Model lsa = lsa_method().fit(corpus, text, {});
  EXPECT_LT(community_lead(*lsa_method().encoder(lsa)), 0);  // the text alone says the contrary
  const Model model = tadw_method().fit(corpus, options_with(tadw_method(), {{"dim", "8"}, {"features", "12"}}), {});
  EXPECT_GT(community_lead(*tadw_method().encoder(model)), 0.3);
}

TEST(Tadw, OddDimensionIsAnError) {
  EXPECT_THROW(tadw_method().fit(small_corpus(10, 8, 1), options_with(tadw_method(), {{"dim", "7"}}), {}), Error);
}

TEST(Tadw, ModelWhoseShapesDoNotFitIsAnError) {
  Model model;
  EXPECT_THROW(tadw_method().encoder(model), Error);
  ModelMaker(model).set(layout::kWordVectors, std::vector<float>(12), 3, 4);
  EXPECT_THROW(tadw_method().encoder(model), Error);
  ModelMaker(model).set(layout::kWordIdf, std::vector<float>(2));
  EXPECT_THROW(tadw_method().encoder(model), Error);
}

TEST(Tadw, StopsWhenAsked) {
  EXPECT_THROW(tadw_method().fit(small_corpus(30, 20, 1), options_with(tadw_method(), {{"dim", "8"}}),
                                 {.threads = 1, .progress = {}, .stopped = [] { return true; }}),
               Interrupted);
}

TEST(Tadw, SavedModelEmbedsNewTexts) {
  const TempFolder folder;
  std::string lines;
  for (const char* line : {R"({"id": "a", "text": "moon tide moon", "links": ["b"]})",
                           R"({"id": "b", "text": "tide sail", "links": ["c"]})", R"({"id": "c", "text": "sail boat"})",
                           R"({"id": "d", "text": "boat"})"}) {
    lines += line;
    lines += "\n";
  }
  const Collection collection = read_collection(folder.write("documents.jsonl", lines), {}, {});
  const VocabularyRule all_words{.min_count = 1, .max_share = 1};
  train(collection, "tadw", options_with(tadw_method(), {{"dim", "4"}, {"features", "3"}}), all_words, {})
      .save(folder.path("model"));
  const Model model = Model::load(folder.path("model"));
  EXPECT_EQ(model.info().method, "tadw");
  const auto encoder = tadw_method().encoder(model);
  std::vector<float> vector(encoder->dimensions());
  encoder->encode(std::vector<WordCount>{{0, 1}}, vector);
  EXPECT_NEAR(std::hypot(vector[2], vector[3]), 1, 1e-5);
}

}  // namespace
}  // namespace idne
