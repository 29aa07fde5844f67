#include <cmath>

#include "methods/graph2gauss.h"
#include "methods/training.h"

namespace idne {

Graph2GaussParameters graph2gauss_start(std::size_t words, const Graph2GaussSettings& settings, int threads) {
  const std::size_t hidden = settings.hidden, width = settings.dimensions;
  std::uint64_t stream = 0;
  const auto rows = [&](std::size_t n, std::size_t columns, std::size_t fans) {
    const double range = std::sqrt(6 / static_cast<double>(fans));
    stream += n;
    return uniform_rows(n, columns, range, settings.seed, Purpose::ParameterStart, stream - n, threads);
  };
  Graph2GaussParameters start;
  start.words = rows(words, hidden, words + hidden);
  start.hidden_bias = rows(1, hidden, 2 * hidden);
  start.mean = rows(hidden, width, hidden + width);
  start.mean_bias = rows(1, width, 2 * width);
  start.variance = rows(hidden, width, hidden + width);
  start.variance_bias = rows(1, width, 2 * width);
  return start;
}

Graph2GaussInput graph2gauss_input(const Corpus& corpus) {
  std::vector<std::uint32_t> in_documents(corpus.words());
  for (std::size_t i = 0; i < corpus.documents(); ++i) {
    for (const WordCount& entry : corpus.counts.row(i)) ++in_documents[entry.word];
  }
  Graph2GaussInput input;
  // One more document with every word, so that no word weighs nothing.
  for (const std::uint32_t n : in_documents) {
    input.idf.push_back(static_cast<float>(1 + std::log((1.0 + static_cast<double>(corpus.documents())) / (1.0 + n))));
  }
  for (std::size_t i = 0; i < corpus.documents(); ++i) {
    double square = 0;
    for (const WordCount& entry : corpus.counts.row(i)) {
      square += std::pow(static_cast<double>(entry.count) * input.idf[entry.word], 2);
    }
    input.scale.push_back(square > 0 ? static_cast<float>(1 / std::sqrt(square)) : 0.0f);
  }
  return input;
}

}  // namespace idne
