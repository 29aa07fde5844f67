#include "methods/link_regression.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "math/cholesky.h"
#include "math/dense.h"
#include "math/gathered.h"
#include "math/kernels.h"
#include "math/matrix.h"
#include "math/parallel.h"
#include "math/random.h"
#include "math/symmetric_eigen.h"
#include "math/unit.h"
#include "methods/lsa.h"
#include "methods/sample.h"

namespace idne {
namespace {

/// The last dimensions are the least exact: without spare ones NYT's links are predicted 0.1 worse.
constexpr std::size_t kSpareDimensions = 32;

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

Matrix divided(Matrix matrix, double divisor) {
  for (double& value : matrix.values()) value /= divisor;
  return matrix;
}

/// The rows of A Z for those of a sample that are here, as far as a few neighbours of each tell. `rows` are of the
/// whole sample.
std::vector<float> own_neighbour_sums(const Corpus& corpus, const std::vector<std::uint32_t>& sample,
                                      const std::vector<float>& words, const std::vector<float>& rows,
                                      std::size_t width, std::uint64_t seed, int threads) {
  constexpr std::size_t kDraws = 16;
  const Bags bags = corpus.bags();
  const auto place_of = [&](std::uint32_t document) -> std::optional<std::size_t> {
    const auto at = std::ranges::lower_bound(sample, document);
    if (at == sample.end() || *at != document) return {};
    return static_cast<std::size_t>(at - sample.begin());
  };
  std::vector<std::uint32_t> own, drawn, outside;  // kDraws of each own one, itself if it has no neighbours
  for (const std::uint32_t i : sample) {
    if (!bags.spread().here(i)) continue;
    own.push_back(i);
    Random random(seed, Purpose::StartLinks, i);
    for (std::size_t draw = 0; draw < kDraws; ++draw) {
      drawn.push_back(corpus.network.degree(i) > 0 ? corpus.network.draw_neighbour(i, random) : i);
    }
    std::sort(drawn.end() - kDraws, drawn.end());  // a document with few links draws each several times
  }
  std::ranges::copy_if(drawn, std::back_inserter(outside), [&](std::uint32_t other) { return !place_of(other); });
  const DistinctRows texts(bags, std::move(outside));
  std::vector<float> sums(own.size() * width);
  parallel_parts(threads, own.size(), 64, [&](std::size_t begin, std::size_t end) {
    UnitDocuments documents(words, width);
    std::vector<float> from_text(width);
    for (std::size_t n = begin; n < end; ++n) {
      const auto weight = static_cast<float>(corpus.network.degree(own[n]) / kDraws);
      if (!(weight > 0)) continue;
      const auto others = std::span(drawn).subspan(n * kDraws, kDraws);
      for (std::size_t draw = 0, next; draw < kDraws; draw = next) {
        for (next = draw + 1; next < kDraws && others[next] == others[draw];) ++next;
        const auto place = place_of(others[draw]);
        if (!place) documents.find(texts[others[draw]], from_text.data());
        const float* other = place ? rows.data() + *place * width : from_text.data();
        const float times = weight * static_cast<float>(next - draw);
        for (std::size_t k = 0; k < width; ++k) sums[n * width + k] += times * other[k];
      }
    }
  });
  return sums;
}

/// The same for the whole sample: who has a document finds its row, and all get all.
std::vector<float> drawn_neighbour_sums(const Corpus& corpus, const std::vector<std::uint32_t>& sample,
                                        const std::vector<float>& words, const std::vector<float>& rows,
                                        std::size_t width, std::uint64_t seed, int threads) {
  std::vector<float> sums = own_neighbour_sums(corpus, sample, words, rows, width, seed, threads);
  Ranks* ranks = corpus.bags().ranks();
  return ranks ? gathered(*ranks, std::span<const float>(sums)) : sums;
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

/// The transposed square root M of what likeness is made of, (1 − share) I + share · B = M Mᵀ, with B scaled so that a
/// document's likeness to itself is 1 in the mean, as it is by its text.
Matrix likeness_root(const Matrix& text, const Matrix& links, double share, double ridge, const Run& run) {
  Matrix normal = text;
  normal.add_to_diagonal(ridge);
  const Cholesky solver(std::move(normal), run);
  Matrix b = solver.solve(solver.solve(links, run).transposed(), run);
  b.make_symmetric();
  SymmetricEigen eigen = symmetric_eigen(b, run);
  Matrix& vectors = eigen.vectors;
  const Matrix on_text = product(plain(vectors), plain(text), run);
  double itself = 0;
  for (std::size_t k = 0; k < vectors.rows(); ++k) {
    eigen.values[k] = std::max(0.0, eigen.values[k]);  // negative ones speak against links: no likeness
    double along = 0;
    for (std::size_t c = 0; c < vectors.columns(); ++c) along += on_text(k, c) * vectors(k, c);
    itself += along * eigen.values[k];
  }
  for (std::size_t k = 0; k < vectors.rows(); ++k) {
    vectors.scale_row(k, std::sqrt(1 - share + (itself > 0 ? share / itself : 0) * eigen.values[k]));
  }
  return vectors;
}

/// From the documents' LSA dimensions to the principal ones of their likeness: a column for each of these, its largest
/// entry positive, whichever way the eigenvectors point.
Matrix turn_to_likeness(const Matrix& text, const Matrix& root, std::size_t dimensions, const Run& run) {
  Matrix likeness = product(plain(product(plain(root), plain(text), run)), transposed(root), run);
  likeness.make_symmetric();
  const Matrix principal = principal_directions(likeness, std::min(dimensions, likeness.rows()), run);
  Matrix columns = product(plain(principal), plain(root), run);
  for (std::size_t k = 0; k < columns.rows(); ++k) {
    const auto largest = std::ranges::max_element(columns.row(k), {}, [](double x) { return std::abs(x); });
    if (*largest < 0) columns.scale_row(k, -1);
  }
  return columns.transposed();
}

/// What documents' vectors say of each other, by their texts and by their links.
struct Likeness {
  Matrix text, links;
};

/// Of a sample of the documents, or of all; `words` are their words' vectors. Takes much memory while it works.
Likeness likeness_of(const Corpus& corpus, const std::vector<std::uint32_t>& sample, const CountMatrix& counts,
                     bool whole, const std::vector<float>& words, std::size_t width, std::uint64_t seed,
                     const Run& run) {
  const std::vector<float> rows = unit_documents(counts, words, width, run.threads);
  const MatrixView row_view{rows.data(), counts.rows(), width};
  Likeness result{divided(gram(row_view, run), static_cast<double>(counts.rows())), {}};
  if (!(result.text.trace() > 0)) return result;
  const std::vector<float> sums = whole ? neighbour_sums(corpus.network, rows, width, run.threads)
                                        : drawn_neighbour_sums(corpus, sample, words, rows, width, seed, run.threads);
  const auto weight = 2 * static_cast<double>(std::max<std::uint64_t>(1, corpus.network.links()));
  run.check();
  result.links = divided(symmetric_product(row_view, {sums.data(), counts.rows(), width}, run), weight);
  return result;
}

}  // namespace

std::vector<float> link_regression_words(const Corpus& corpus, std::size_t dimensions, double share, std::uint64_t seed,
                                         const Run& run, std::size_t most_documents) {
  const Bags bags = corpus.bags();
  const std::vector<std::uint32_t> sample = even_sample(bags.documents(), most_documents);
  const bool whole = !bags.ranks() && sample.size() == corpus.documents();
  const CountMatrix some = whole ? CountMatrix() : bags.rows(sample);
  const CountMatrix& counts = whole ? corpus.counts : some;
  // Dimensions that so few documents or words do not have would be zeros.
  const std::size_t width = std::min({2 * dimensions + kSpareDimensions, counts.rows(), corpus.words()});
  if (width == 0) return std::vector<float>(corpus.words() * dimensions);
  const std::vector<float> words = lsa_words_turned(counts, corpus.words(), width, seed, run);
  const auto [text, links] = likeness_of(corpus, sample, counts, whole, words, width, seed, run);
  std::vector<float> result(corpus.words() * dimensions);
  if (!(text.trace() > 0)) return result;  // no document has a word that tells it from the others
  const double ridge = text.trace() / static_cast<double>(2 * dimensions);
  const Matrix root = likeness_root(text, links, share, ridge, run);
  const Matrix turn = turn_to_likeness(text, root, dimensions, run);
  const std::vector<float> turn_floats = turn.floats();
  Packed<float>({turn_floats.data(), width, turn.columns(), turn.columns()}, run)
      .multiply({words.data(), corpus.words(), width, width}, Into::Place, result.data(), dimensions, run);
  return result;
}

}  // namespace idne
