#include "methods/tadw.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

#include "math/random.h"
#include "method_checks.h"
#include "methods/lsa.h"
#include "small_corpus.h"
#include "temp_folder.h"

namespace idne {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Floats = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Eigen::Index;

Options with(std::initializer_list<std::pair<const char*, const char*>> values) {
  Options options(tadw_method().options());
  for (const auto& [name, value] : values) options.set(name, value);
  return options;
}

std::vector<float> noise(std::size_t size, std::uint64_t seed) {
  Random random(seed, Purpose::Generate, 0);
  std::vector<float> values(size);
  for (float& value : values) value = random.truncated_normal();
  return values;
}

/// A dense, by definition: a link's weight, and one for each shared group. As small_corpus() builds it.
Matrix dense_adjacency(Index documents) {
  Matrix a = Matrix::Zero(documents, documents);
  for (Index i = 0; i + 2 < documents; ++i) a(i, i + 1) += 1;
  for (Index i = 0; i + 6 < documents; i += 4) a(i, i + 5) += 0.5;
  for (Index i = 0; i + 1 < documents; i += 3) {
    for (Index j = i + 3; j + 1 < documents; j += 3) a(i, j) += 1;
  }
  return a + a.transpose().eval();
}

/// M = (Â + Â²) / 2 for small_corpus().
Matrix dense_reach(Index documents) {
  Matrix steps = dense_adjacency(documents);
  for (Index i = 0; i < documents; ++i) {
    const double degree = steps.row(i).sum();
    if (degree > 0) steps.row(i) /= degree;
  }
  return (steps + steps * steps) / 2;
}

/// A factorisation of the dense M with everything written out.
struct Dense {
  static constexpr Index kDocuments = 30, kFeatures = 7;
  static constexpr std::size_t kRank = 4;
  static constexpr double kPenalty = 0.3;
  Matrix m = dense_reach(kDocuments);
  std::vector<float> feature_values = noise(kDocuments * kFeatures, 5);
  Matrix features = Eigen::Map<Floats>(feature_values.data(), kDocuments, kFeatures).cast<double>();
  Matrix reached = m * features;

  TadwFactors factors(std::size_t rounds, std::size_t rank = kRank) const {
    const Floats p = reached.cast<float>();
    return tadw_factors({feature_values.data(), kDocuments, kFeatures}, {p.data(), kDocuments, kFeatures},
                        {.rank = rank, .penalty = kPenalty, .rounds = rounds, .seed = 1}, {});
  }
  Matrix w(const TadwFactors& f) const {
    return reached * Eigen::Map<const Floats>(f.w.data(), kFeatures, kRank).cast<double>();
  }
  Matrix h(const TadwFactors& f) const { return Eigen::Map<const Floats>(f.h.data(), kRank, kFeatures).cast<double>(); }
  double objective(const Matrix& w, const Matrix& h) const {
    return (m - w * h * features.transpose()).squaredNorm() + kPenalty / 2 * (w.squaredNorm() + h.squaredNorm());
  }
};

TEST(Tadw, ObjectiveIsThatOfTheDenseMatrices) {
  const Dense dense;
  for (const std::size_t rounds : {1u, 2u, 5u, 20u}) {
    const TadwFactors factors = dense.factors(rounds);
    ASSERT_EQ(factors.objectives.size(), 2 * rounds);
    EXPECT_NEAR(factors.objectives.back() + dense.m.squaredNorm(), dense.objective(dense.w(factors), dense.h(factors)),
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
    EXPECT_LT(factors.objectives.back(), -0.05 * dense.m.squaredNorm()) << "hardly better than zeros";
  }
}

TEST(Tadw, LastHalfStepIsTheMinimumOverH) {
  const Dense dense;
  const TadwFactors factors = dense.factors(3);
  const Matrix w = dense.w(factors), h = dense.h(factors);
  const double least = dense.objective(w, h);
  for (Index r = 0; r < h.rows(); ++r) {
    for (Index c = 0; c < h.cols(); ++c) {
      for (const double step : {0.01, -0.01}) {
        Matrix moved = h;
        moved(r, c) += step;
        EXPECT_GT(dense.objective(w, moved), least) << r << " " << c;
      }
    }
  }
}

TEST(Tadw, FirstHalfStepIsTheMinimumOverW) {
  const Dense dense;
  const TadwFactors many = dense.factors(200);  // at rest: W is the best for this H too
  const Matrix w = dense.w(many), h = dense.h(many);
  const Matrix gradient =
      -2 * (dense.m - w * h * dense.features.transpose()) * dense.features * h.transpose() + Dense::kPenalty * w;
  EXPECT_LT(gradient.cwiseAbs().maxCoeff(), 1e-3);
  EXPECT_GT(w.cwiseAbs().maxCoeff(), 0.01);
}

/// Documents' halves against W and H T worked out from the dense M, whatever the turn of the space: by their products.
TEST(Tadw, NetworkOfACorpusIsTheDenseOne) {
  const Index n = 30;
  const Corpus corpus = small_corpus(n, 20, 1);
  Options text(lsa_method().options());
  text.set("dim", "6");
  const Model lsa = lsa_method().fit(corpus, text, {});
  Floats features = Eigen::Map<const Floats>(lsa.documents().data, n, 6);
  for (Index i = 0; i < n; ++i) {
    if (features.row(i).norm() > 0) features.row(i) *= 2 / features.row(i).norm();
  }
  const Floats reached = (dense_reach(n) * features.cast<double>()).cast<float>();
  const TadwFactors factors = tadw_factors({features.data(), 30, 6}, {reached.data(), 30, 6},
                                           {.rank = 4, .penalty = 0.1, .rounds = 20, .seed = 1}, {});
  const Floats w = reached * Eigen::Map<const Floats>(factors.w.data(), 6, 4);
  const Floats ht = features * Eigen::Map<const Floats>(factors.h.data(), 4, 6).transpose();
  const Model model =
      tadw_method().fit(corpus, with({{"dim", "8"}, {"features", "6"}, {"scale", "2"}, {"penalty", "0.1"}}), {});
  for (Index i = 0; i < n; ++i) {
    const Eigen::Map<const Floats> row(model.documents().row(static_cast<std::size_t>(i)).data(), 1, 8);
    const float w_norm = std::max(w.row(i).norm(), 1e-20f), text_norm = std::max(ht.row(i).norm(), 1e-20f);
    EXPECT_LT((row.leftCols(4) - w.row(i) / w_norm).norm(), 2e-2) << i;
    EXPECT_LT((row.rightCols(4) - ht.row(i) / text_norm).norm(), 2e-2) << i;
  }
}

TEST(Tadw, EncoderGivesADocumentTheTextHalfOfItsVector) {
  const Corpus corpus = small_corpus(20, 15, 2);
  const Model model = tadw_method().fit(corpus, with({{"dim", "6"}, {"features", "5"}}), {});
  const auto encoder = tadw_method().encoder(model);
  ASSERT_EQ(encoder->dimensions(), 6u);
  for (std::size_t i = 0; i < corpus.documents(); ++i) {
    std::vector<float> vector(6, -1);
    encoder->encode(corpus.counts.row(i), vector);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(vector[k], 0) << i;
    for (std::size_t k = 3; k < 6; ++k) EXPECT_NEAR(vector[k], model.documents().row(i)[k], 1e-4) << i;
  }
}

TEST(Tadw, DocumentsWithoutWordsOrLinksLackOnlyThatHalf) {
  const Corpus corpus = small_corpus(20, 15, 2);
  ASSERT_TRUE(corpus.counts.row(3).empty());
  ASSERT_EQ(corpus.network.degree(19), 0);
  const Model model = tadw_method().fit(corpus, with({{"dim", "6"}, {"features", "5"}}), {});
  const auto length = [&](std::size_t i, std::size_t begin) {
    const auto half = model.documents().row(i).subspan(begin, 3);
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
    const Model model = tadw_method().fit(corpus, with({{"dim", "6"}, {"features", "4"}}), {});
    EXPECT_EQ(model.documents().rows, corpus.documents());
    EXPECT_EQ(model.documents().columns, 6u);
    for (const float x : model.floats("documents.vectors")) EXPECT_TRUE(std::isfinite(x));
    for (const float x : model.floats("words.vectors")) EXPECT_TRUE(std::isfinite(x));
    std::vector<float> vector(6, -1);
    tadw_method().encoder(model)->encode({}, vector);
    EXPECT_EQ(vector, std::vector<float>(6));
  }
}

TEST(Tadw, SameBitsAtAnyNumberOfThreads) {
  const Corpus corpus = small_corpus(1500, 200, 3);
  const Options options = with({{"dim", "64"}, {"features", "48"}, {"rounds", "3"}});
  expect_same_bits_at_any_number_of_threads(tadw_method(), corpus, options, {"documents.vectors", "words.vectors"});
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
    const Eigen::Map<const Eigen::VectorXf> v(vector.data(), static_cast<Index>(vector.size()));
    return Eigen::VectorXf(v.normalized());
  };
  double within = 0, across = 0;
  int within_count = 0, across_count = 0;
  for (std::uint32_t a = 0; a < 8; ++a) {
    for (std::uint32_t b = 0; b < 8; ++b) {
      if (a == b) continue;
      for (std::uint32_t common = 8; common < 12; ++common) {
        const bool same = a / 4 == b / 4;
        const double cosine = encode(a, common).dot(encode(b, same ? 8 + (common + 1) % 4 : common));
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
  const Model model = tadw_method().fit(corpus, with({{"dim", "8"}, {"features", "12"}}), {});
  EXPECT_GT(community_lead(*tadw_method().encoder(model)), 0.3);
}

TEST(Tadw, OddDimensionIsAnError) {
  EXPECT_THROW(tadw_method().fit(small_corpus(10, 8, 1), with({{"dim", "7"}}), {}), Error);
}

TEST(Tadw, ModelWhoseShapesDoNotFitIsAnError) {
  Model model;
  EXPECT_THROW(tadw_method().encoder(model), Error);
  model.add("words.vectors", std::vector<float>(12), {3, 4});
  EXPECT_THROW(tadw_method().encoder(model), Error);
  model.add("words.idf", std::vector<float>(2), {2});
  EXPECT_THROW(tadw_method().encoder(model), Error);
}

TEST(Tadw, StopsWhenAsked) {
  EXPECT_THROW(tadw_method().fit(small_corpus(30, 20, 1), with({{"dim", "8"}}),
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
  train(collection, tadw_method(), with({{"dim", "4"}, {"features", "3"}}), all_words, {}).save(folder.path("model"));
  const Model model = Model::load(folder.path("model"));
  EXPECT_EQ(model.text("method"), "tadw");
  const auto encoder = tadw_method().encoder(model);
  std::vector<float> vector(encoder->dimensions());
  encoder->encode(std::vector<WordCount>{{0, 1}}, vector);
  EXPECT_NEAR(std::hypot(vector[2], vector[3]), 1, 1e-5);
}

}  // namespace
}  // namespace idne
