#include "methods/link_regression.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "methods/lsa.h"
#include "small_corpus.h"

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
  const Matrix z = unit_rows(corpus, lsa_word_vectors(corpus, width, 1, 1));
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
    const Matrix rows = unit_rows(corpus, link_regression_words(corpus, kDimensions, share, 1, 1));
    const Matrix found = rows * rows.transpose(), truth = dense_cosines(corpus, kLinks, 2 * kDimensions, share);
    EXPECT_LT((found - truth).cwiseAbs().maxCoeff(), 1e-4) << "share " << share << "\n" << found << "\n" << truth;
  }
}

TEST(LinkRegression, LinksBringTextsTogetherThatShareNoWord) {
  const Corpus corpus = small_corpus(kTexts, kLinks);
  const auto cosine = [&](double share, int i, int j) {
    const Matrix rows = unit_rows(corpus, link_regression_words(corpus, 4, share, 1, 1));
    return rows.row(i).dot(rows.row(j));
  };
  EXPECT_NEAR(cosine(0, 1, 4), 0, 1e-4);
  EXPECT_GT(cosine(0.5, 1, 4), 0.2);
  EXPECT_GT(cosine(0.5, 1, 4), cosine(0.2, 1, 4));
}

TEST(LinkRegression, SameBitsAtAnyNumberOfThreads) {
  const Corpus corpus = small_corpus(kTexts, kLinks);
  const auto one = link_regression_words(corpus, 4, 0.2, 1, 1);
  for (const int threads : {2, 3}) EXPECT_EQ(one, link_regression_words(corpus, 4, 0.2, 1, threads));
}

TEST(LinkRegression, WithoutLinksIsTheText) {
  const Corpus corpus = small_corpus(kTexts, {});
  const Matrix rows = unit_rows(corpus, link_regression_words(corpus, 8, 0.9, 1, 1));
  const Matrix text = unit_rows(corpus, lsa_word_vectors(corpus, 16, 1, 1));
  EXPECT_LT((rows * rows.transpose() - text * text.transpose()).cwiseAbs().maxCoeff(), 1e-4);
}

TEST(LinkRegression, OddCorporaGiveFiniteVectors) {
  for (const auto& texts :
       std::vector<std::vector<std::string>>{{"one"}, {"", ""}, {"same text", "same text"}, {"", "word other"}}) {
    const Corpus corpus = small_corpus(texts, {});
    const auto words = link_regression_words(corpus, 3, 0.2, 1, 1);
    ASSERT_EQ(words.size(), 3 * corpus.words());
    for (const float value : words) EXPECT_TRUE(std::isfinite(value));
  }
}

}  // namespace
}  // namespace idne
