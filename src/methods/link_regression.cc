#include "methods/link_regression.h"

#include <Eigen/Dense>
#include <cmath>

#include "math/dense.h"
#include "math/kernels.h"
#include "math/parallel.h"
#include "math/random.h"
#include "math/unit.h"
#include "methods/lsa.h"
#include "methods/sample.h"

namespace idne {
namespace {

using Matrix = Eigen::MatrixXd;

/// Sums of words' vectors, at unit length.
class UnitDocuments {
 public:
  UnitDocuments(const std::vector<float>& words, std::size_t width) : words_(words), width_(width) {}
  /// A document without words gets zeros.
  void find(std::span<const WordCount> document, float* out) {
    terms_.clear();
    for (const WordCount& entry : document) terms_.push_back({entry.word, static_cast<float>(entry.count)});
    weighted_sum(words_.data(), width_, terms_.data(), terms_.size(), width_, out);
    to_unit_length({out, width_});
  }

 private:
  const std::vector<float>& words_;
  std::size_t width_;
  std::vector<Term> terms_;
};

std::vector<float> unit_documents(const CountMatrix& counts, const std::vector<float>& words, std::size_t width,
                                  int threads) {
  std::vector<float> rows(counts.rows() * width);
  parallel_parts(threads, counts.rows(), 256, [&](std::size_t begin, std::size_t end) {
    UnitDocuments documents(words, width);
    for (std::size_t i = begin; i < end; ++i) documents.find(counts.row(i), rows.data() + i * width);
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

/// The rows of A Z for a sample of the documents, as far as a few neighbours of each tell.
std::vector<float> drawn_neighbour_sums(const Corpus& corpus, const std::vector<std::uint32_t>& sample,
                                        const std::vector<float>& words, std::size_t width, std::uint64_t seed,
                                        int threads) {
  constexpr std::size_t kDraws = 16;
  std::vector<float> sums(sample.size() * width);
  parallel_parts(threads, sample.size(), 64, [&](std::size_t begin, std::size_t end) {
    UnitDocuments documents(words, width);
    std::vector<float> other(width);
    for (std::size_t n = begin; n < end; ++n) {
      const std::uint32_t i = sample[n];
      if (!(corpus.network.degree(i) > 0)) continue;
      const auto weight = static_cast<float>(corpus.network.degree(i) / kDraws);
      Random random(seed, Purpose::StartLinks, i);
      for (std::size_t draw = 0; draw < kDraws; ++draw) {
        documents.find(corpus.counts.row(corpus.network.draw_neighbour(i, random)), other.data());
        for (std::size_t k = 0; k < width; ++k) sums[n * width + k] += weight * other[k];
      }
    }
  });
  return sums;
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
                                         const Run& run, std::size_t most_documents) {
  const int threads = run.threads;
  const std::size_t width = 2 * dimensions;
  const std::vector<std::uint32_t> sample = even_sample(corpus.documents(), most_documents);
  const bool whole = sample.size() == corpus.documents();
  const CountMatrix some = whole ? CountMatrix() : rows_of(corpus.counts, sample);
  const CountMatrix& counts = whole ? corpus.counts : some;
  const std::vector<float> words = lsa_word_vectors(counts, corpus.words(), width, seed, run);
  std::vector<float> result(corpus.words() * dimensions);
  const std::vector<float> rows = unit_documents(counts, words, width, threads);
  const Matrix text = symmetric_product(rows, rows, width, static_cast<double>(counts.rows()), threads);
  if (!(text.trace() > 0)) return result;  // no document has a word that tells it from the others
  const std::vector<float> sums = whole ? neighbour_sums(corpus.network, rows, width, threads)
                                        : drawn_neighbour_sums(corpus, sample, words, width, seed, threads);
  const auto weight = 2 * static_cast<double>(std::max<std::uint64_t>(1, corpus.network.links()));
  run.check();
  const Matrix links = symmetric_product(rows, sums, width, weight, threads);
  run.check();

  const Matrix root = likeness_root(text, links, share);
  run.check();
  const Matrix turn = root * principal(root.transpose() * text * root, static_cast<Eigen::Index>(dimensions));
  const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> turn_rows = turn.cast<float>();
  multiply({{words.data(), corpus.words(), width}}, {{turn_rows.data(), width, dimensions}}, result, false, threads);
  return result;
}

}  // namespace idne
