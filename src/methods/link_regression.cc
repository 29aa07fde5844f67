#include "methods/link_regression.h"

#include <Eigen/Dense>
#include <cmath>

#include "math/dense.h"
#include "math/kernels.h"
#include "math/parallel.h"
#include "methods/lsa.h"

namespace idne {
namespace {

using Matrix = Eigen::MatrixXd;

/// The documents' vectors at unit length: sums of their words' vectors. A document without words stays zero.
std::vector<float> unit_documents(const Corpus& corpus, const std::vector<float>& words, std::size_t width,
                                  int threads) {
  std::vector<float> rows(corpus.documents() * width);
  constexpr std::size_t kRows = 256;
  parallel_for(threads, (corpus.documents() + kRows - 1) / kRows, [&](std::size_t part, std::size_t) {
    std::vector<Term> terms;
    for (std::size_t i = part * kRows; i < std::min(corpus.documents(), (part + 1) * kRows); ++i) {
      float* row = rows.data() + i * width;
      terms.clear();
      for (const WordCount& entry : corpus.counts.row(i))
        terms.push_back({entry.word, static_cast<float>(entry.count)});
      weighted_sum(words.data(), width, terms.data(), terms.size(), width, row);
      const float square = dot(row, row, width);
      if (square <= 0) continue;
      const float scale = 1 / std::sqrt(square);
      for (std::size_t k = 0; k < width; ++k) row[k] *= scale;
    }
  });
  return rows;
}

/// aᵀ b / divisor, made symmetric. Added up in blocks of rows so that no long sum of floats loses its small terms.
Matrix symmetric_product(const std::vector<float>& a, const std::vector<float>& b, std::size_t width, double divisor,
                         int threads) {
  constexpr std::size_t kRows = 4096;
  const std::size_t rows = a.size() / width;
  const auto size = static_cast<Eigen::Index>(width);
  std::vector<float> part(width * width);
  Matrix sum = Matrix::Zero(size, size);
  for (std::size_t begin = 0; begin < rows; begin += kRows) {
    const std::size_t count = std::min(kRows, rows - begin);
    multiply({{a.data() + begin * width, count, width}, true}, {{b.data() + begin * width, count, width}}, part, false,
             threads);
    sum += Eigen::Map<const Eigen::MatrixXf>(part.data(), size, size).cast<double>();
  }
  return (sum + sum.transpose()) / (2 * divisor);
}

/// A Z: for each document the sum of its neighbours' rows.
std::vector<float> neighbour_sums(const Network& network, const std::vector<float>& rows, std::size_t width,
                                  int threads) {
  std::vector<float> sums = network.neighbour_means(rows, width, 0, threads);
  for (std::uint32_t i = 0; i < network.documents(); ++i) {
    const auto degree = static_cast<float>(network.degree(i));
    for (std::size_t k = 0; k < width; ++k) sums[i * width + k] *= degree;
  }
  return sums;
}

/// The square root M of what likeness is made of, (1 − share) I + share · B = M Mᵀ, with B scaled so that a document's
/// likeness to itself is 1 in the mean, as it is by its text.
Matrix likeness_root(const Matrix& text, const Matrix& links, double share) {
  const auto size = text.rows();
  const Matrix ridge = text + Matrix::Identity(size, size) * (text.trace() / static_cast<double>(size));
  const Eigen::LLT<Matrix> solver(ridge);
  const Matrix b = solver.solve(solver.solve(links).transpose());
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen((b + b.transpose()) / 2);
  const Eigen::VectorXd values = eigen.eigenvalues().cwiseMax(0);  // negative ones speak against links: no likeness
  const Matrix& vectors = eigen.eigenvectors();
  const double itself = (vectors.transpose() * text * vectors).diagonal().dot(values);
  const Eigen::VectorXd mixed = (1 - share) * Eigen::VectorXd::Ones(size) + (itself > 0 ? share / itself : 0) * values;
  return vectors * mixed.cwiseSqrt().asDiagonal();
}

/// The principal directions of documents whose Gram matrix is `gram`: as columns, the largest first, each with its
/// largest entry positive.
Matrix principal(const Matrix& gram, Eigen::Index count) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(gram);
  Matrix result = eigen.eigenvectors().rightCols(count).rowwise().reverse();
  for (Eigen::Index k = 0; k < count; ++k) {
    Eigen::Index largest;
    result.col(k).cwiseAbs().maxCoeff(&largest);
    if (result(largest, k) < 0) result.col(k) *= -1;
  }
  return result;
}

}  // namespace

std::vector<float> link_regression_words(const Corpus& corpus, std::size_t dimensions, double share, std::uint64_t seed,
                                         int threads) {
  const std::size_t width = 2 * dimensions;
  const std::vector<float> words = lsa_word_vectors(corpus, width, seed, threads);
  std::vector<float> result(corpus.words() * dimensions);
  const std::vector<float> rows = unit_documents(corpus, words, width, threads);
  const Matrix text = symmetric_product(rows, rows, width, static_cast<double>(corpus.documents()), threads);
  if (!(text.trace() > 0)) return result;  // no document has a word that tells it from the others
  const auto weight = 2 * static_cast<double>(std::max<std::uint64_t>(1, corpus.network.links()));
  const Matrix links =
      symmetric_product(rows, neighbour_sums(corpus.network, rows, width, threads), width, weight, threads);

  const Matrix root = likeness_root(text, links, share);
  const Matrix turn = root * principal(root.transpose() * text * root, static_cast<Eigen::Index>(dimensions));
  const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> turn_rows = turn.cast<float>();
  multiply({{words.data(), corpus.words(), width}}, {{turn_rows.data(), width, dimensions}}, result, false, threads);
  return result;
}

}  // namespace idne
