#include "methods/idne_start.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "math/dense.h"
#include "math/kernels.h"
#include "math/matrix.h"
#include "math/symmetric_eigen.h"
#include "methods/link_regression.h"
#include "methods/lsa.h"
#include "methods/sample.h"

namespace idne {
namespace {

/// Scales word vectors so that the mean length of a document's vector is `norm`.
void scale_to_norm(const Corpus& corpus, std::size_t dimensions, double norm, std::vector<float>& words) {
  std::vector<Term> terms;
  std::vector<float> vector(dimensions);
  double sum = 0, documents = 0;
  const Bags bags = corpus.bags();
  const CountMatrix sample = bags.rows(even_sample(bags.documents(), kStartDocuments));
  for (std::size_t i = 0; i < sample.rows(); ++i) {
    if (sample.row(i).empty()) continue;
    terms.clear();
    const auto length = static_cast<float>(sample.length(i));
    for (const WordCount& entry : sample.row(i))
      terms.push_back({entry.word, static_cast<float>(entry.count) * (1.0f / length)});
    weighted_sum(words.data(), dimensions, terms.data(), terms.size(), dimensions, vector.data());
    sum += std::sqrt(dot(vector.data(), vector.data(), dimensions));
    ++documents;
  }
  const auto scale = static_cast<float>(sum > 0 ? norm * documents / sum : 1);
  for (float& value : words) value *= scale;
}

/// The turn of the space that brings the rows of `from` nearest to those of `to` (orthogonal Procrustes).
Matrix turn_between(MatrixView from, MatrixView to, const Run& run) {
  constexpr double kSmallest = 1e-10;  // of the largest: directions that neither has stay out
  std::vector<float> products(from.columns * to.columns);
  multiply({from, true}, {to}, products, false, run);
  const Matrix m({products.data(), from.columns, to.columns});
  Matrix squares = product(transposed(m), plain(m), run);
  squares.make_symmetric();
  SymmetricEigen eigen = symmetric_eigen(squares, run);
  Matrix scaled = eigen.vectors;
  for (std::size_t k = 0; k < scaled.rows(); ++k) {
    const bool there = eigen.values[k] > kSmallest * eigen.values.back();
    scaled.scale_row(k, there ? 1 / std::sqrt(eigen.values[k]) : 0);
  }
  return product(plain(m), plain(product(transposed(eigen.vectors), plain(scaled), run)), run);
}

std::vector<float> turned(const std::vector<float>& rows, const Matrix& turn, const Run& run) {
  const std::size_t width = turn.rows();
  const std::vector<float> floats = turn.floats();
  std::vector<float> result(rows.size());
  multiply({{rows.data(), rows.size() / width, width}}, {{floats.data(), width, width}}, result, false, run);
  return result;
}

}  // namespace

std::vector<float> start_words(const Corpus& corpus, const IdneSettings& settings, const Options& options,
                               const Run& run) {
  const std::string& start = options.text("start");
  const std::size_t dimensions = settings.dimensions;
  if (start == "random") return random_start(corpus.words(), dimensions, settings.seed, false, run.threads);
  std::vector<float> words;
  if (start == "text") {
    const Bags bags = corpus.bags();
    const CountMatrix sample = bags.rows(even_sample(bags.documents(), kStartDocuments));
    words = lsa_word_vectors(sample, corpus.words(), dimensions, settings.seed, run);
  } else {
    words = link_regression_words(corpus, dimensions, options.real("link-share"), settings.seed, run);
  }
  scale_to_norm(corpus, dimensions, options.real("start-norm"), words);
  return words;
}

void move_with_start(const Corpus& corpus, const Corpus& learned_from, const IdneSettings& settings,
                     const Options& options, const Run& run, std::vector<float>& words) {
  if (options.text("start") == "random") return;
  const std::size_t width = settings.dimensions, known = learned_from.words();
  std::vector<float> before = start_words(learned_from, settings, options, run);
  std::vector<float> now = start_words(corpus, settings, options, run);
  // A start may point anywhere: that of before is turned to the words, and that of today to it.
  before = turned(before, turn_between({before.data(), known, width}, {words.data(), known, width}, run), run);
  now = turned(now, turn_between({now.data(), known, width}, {before.data(), known, width}, run), run);
  for (std::size_t n = 0; n < before.size(); ++n) words[n] += now[n] - before[n];
  for (std::size_t word = known; word < corpus.words(); ++word) {
    const auto row = std::span(now).subspan(word * width, width);
    // In a space with room for every word, or of a sample that lacks it, its start may say nothing: then it stays.
    if (!(dot(row.data(), words.data() + word * width, width) > 0)) continue;
    std::ranges::copy(row, words.begin() + static_cast<std::ptrdiff_t>(word * width));
  }
}

}  // namespace idne
