#include "methods/link_regression.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>

#include "methods/lsa.h"
#include "small_corpus.h"
#include "with_threads.h"

namespace idne {
namespace {

using Matrix = Eigen::MatrixXd;

/// Unit rows: the documents as sums of their words' vectors.
Matrix unit_rows(const Corpus& corpus, const std::vector<float>& words) {
  const auto width = static_cast<Eigen::Index>(words.size() / corpus.words());
  Matrix rows = Matrix::Zero(static_cast<Eigen::Index>(corpus.documents()), width);
  for (std::size_t i = 0; i < corpus.documents(); ++i) {
    auto row = rows.row(static_cast<Eigen::Index>(i));
    for (const WordCount& entry : corpus.counts.row(i)) {
      const Eigen::Map<const Eigen::RowVectorXf> vector(words.data() + entry.word * static_cast<std::size_t>(width),
                                                        width);
      row += entry.count * vector.cast<double>();
    }
    if (row.norm() > 0) row /= row.norm();
  }
  return rows;
}

/// The cosines of all documents by the definition, with the dense A and no cut of dimensions.
Matrix dense_cosines(const Corpus& corpus, const std::vector<Link>& links, std::size_t width, double share) {
  const Matrix z = unit_rows(corpus, lsa_word_vectors(corpus.counts, corpus.words(), width, 1, {}));
  Matrix a = Matrix::Zero(z.rows(), z.rows());
  for (const Link& link : links) a(link.a, link.b) = a(link.b, link.a) = link.weight;
  const Matrix text = z.transpose() * z / static_cast<double>(z.rows());
  const Matrix ridge = text + Matrix::Identity(z.cols(), z.cols()) * (text.trace() / static_cast<double>(z.cols()));
  Matrix b = ridge.inverse() * (z.transpose() * a * z) * ridge.inverse();
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen((b + b.transpose()) / 2);
  b = eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0).asDiagonal() * eigen.eigenvectors().transpose();
  const double itself = (z * b * z.transpose()).trace() / static_cast<double>(z.rows());
  const Matrix likeness = (1 - share) * z * z.transpose() + share / itself * z * b * z.transpose();
  const Eigen::VectorXd scale = likeness.diagonal().cwiseSqrt().cwiseInverse();
  return scale.asDiagonal() * likeness * scale.asDiagonal();
}

/// Six documents over words in two halves that never meet in a text; links cross the halves.
const std::vector<std::string> kTexts{"star moon star sky", "moon sky orbit",   "orbit star comet",
                                      "bread flour yeast",  "dough bread salt", "yeast dough flour"};
const std::vector<Link> kLinks{{0, 3, 1}, {1, 4, 2}, {2, 5, 1}, {0, 4, 1}};

TEST(LinkRegression, GivesTheCosinesOfItsDefinition) {
  const Corpus corpus = small_corpus(kTexts, kLinks);
  constexpr std::size_t kDimensions = 8;  // more than there are documents: nothing is cut off
  for (const double share : {0.0, 0.2, 0.7}) {
    const Matrix rows = unit_rows(corpus, link_regression_words(corpus, kDimensions, share, 1, {}));
    const Matrix found = rows * rows.transpose(), truth = dense_cosines(corpus, kLinks, 2 * kDimensions, share);
    EXPECT_LT((found - truth).cwiseAbs().maxCoeff(), 1e-4) << "share " << share << "\n" << found << "\n" << truth;
  }
}

TEST(LinkRegression, LinksBringTextsTogetherThatShareNoWord) {
  const Corpus corpus = small_corpus(kTexts, kLinks);
  const auto cosine = [&](double share, int i, int j) {
    const Matrix rows = unit_rows(corpus, link_regression_words(corpus, 4, share, 1, {}));
    return rows.row(i).dot(rows.row(j));
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
  const Matrix whole = unit_rows(corpus, link_regression_words(corpus, 8, 0.5, 1, {}));
  const auto words = link_regression_words(corpus, 8, 0.5, 1, {}, 300);
  const Matrix sampled = unit_rows(corpus, words);
  const auto kinds = [](const Matrix& rows, int a, int b) {  // mean cosine of documents of two kinds
    double sum = 0;
    for (int i = 0; i < 40; ++i) sum += rows.row(4 * i + a).dot(rows.row(1000 + 4 * i + b)) / 40;
    return sum;
  };
  for (int a = 0; a < 4; ++a) {
    for (int b = 0; b < 4; ++b) EXPECT_NEAR(kinds(sampled, a, b), kinds(whole, a, b), 0.12) << a << " " << b;
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
  const Matrix rows = unit_rows(corpus, link_regression_words(corpus, 8, 0.9, 1, {}));
  const Matrix text = unit_rows(corpus, lsa_word_vectors(corpus.counts, corpus.words(), 16, 1, {}));
  EXPECT_LT((rows * rows.transpose() - text * text.transpose()).cwiseAbs().maxCoeff(), 1e-4);
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
