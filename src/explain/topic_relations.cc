#include "idne/topic_relations.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

#include "explain/topic_shares.h"
#include "math/parallel.h"

namespace idne {
namespace {

/// Fills a row's value for each topic, and gives what the row counts.
using FillRow = std::function<double(std::size_t row, std::span<double> values)>;

/// The correlations of topics over rows, topic × topic; of very many topics over an even sample of the rows, for the
/// work grows with their square. Rows are summed up in parts that do not depend on the number of threads.
std::vector<double> correlations(std::size_t rows, std::size_t topics, const FillRow& fill, const Run& run) {
  constexpr std::size_t kMostParts = 16, kMostValues = std::size_t{1} << 24;
  constexpr double kMostProducts = 1e10;  // some seconds
  const std::size_t cells = topics * topics;
  const auto step = static_cast<std::size_t>(
      std::max(1.0, std::ceil(static_cast<double>(rows) * static_cast<double>(cells) / kMostProducts)));
  const std::size_t looked_at = (rows + step - 1) / step;
  const std::size_t parts = std::clamp<std::size_t>(kMostValues / cells, 1, kMostParts);
  struct Sums {
    double weight = 0;
    std::vector<double> values, products;
  };
  std::vector<Sums> sums(parts);
  parallel_for(run.threads, parts, [&](std::size_t part, std::size_t) {
    Sums& own = sums[part];
    own.values.resize(topics);
    own.products.resize(cells);
    std::vector<double> values(topics);
    for (std::size_t n = looked_at * part / parts; n < looked_at * (part + 1) / parts; ++n) {
      run.check();
      const double weight = fill(n * step, values);
      if (weight == 0) continue;
      own.weight += weight;
      for (std::size_t a = 0; a < topics; ++a) {
        const double weighted = weight * values[a];
        own.values[a] += weighted;
        for (std::size_t b = 0; b <= a; ++b) own.products[a * topics + b] += weighted * values[b];
      }
    }
  });
  Sums all{0, std::vector<double>(topics), std::vector<double>(cells)};
  for (const Sums& part : sums) {
    all.weight += part.weight;
    for (std::size_t k = 0; k < topics; ++k) all.values[k] += part.values[k];
    for (std::size_t k = 0; k < cells; ++k) all.products[k] += part.products[k];
  }
  const auto covariance = [&](std::size_t a, std::size_t b) {
    return all.weight > 0
               ? all.products[a * topics + b] / all.weight - all.values[a] * all.values[b] / (all.weight * all.weight)
               : 0.0;
  };
  std::vector<double> result(cells);
  for (std::size_t a = 0; a < topics; ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      const double norms = std::sqrt(std::max(0.0, covariance(a, a)) * std::max(0.0, covariance(b, b)));
      result[a * topics + b] = result[b * topics + a] = norms > 1e-12 ? covariance(a, b) / norms : 0;
    }
  }
  return result;
}

/// Shares add up to one, so that any two of T topics have a correlation of about −1 / (T − 1) by chance: that is made
/// 0, and 1 stays 1.
double beyond_chance(double correlation, std::size_t topics) {
  const auto count = static_cast<double>(topics);
  return (correlation * (count - 1) + 1) / count;
}

}  // namespace

std::vector<SimilarTopics> similar_topics(const Model& model, const Run& run) {
  const std::size_t topics = model.topics().size();
  const TopicShares shares(model, run.threads);
  const Words& words = model.words();
  const std::vector<double> by_word = correlations(
      words.vectors.rows, topics,
      [&](std::size_t row, std::span<double> values) {
        std::vector<float> weights(topics);
        shares.of_word({static_cast<std::uint32_t>(row), 1}, weights);
        std::copy(weights.begin(), weights.end(), values.begin());
        return row < words.counts.size() ? static_cast<double>(words.counts[row]) : 1.0;
      },
      run);
  const BagsView& bags = model.documents().words;
  const std::vector<double> by_document = correlations(
      bags.size(), topics,
      [&](std::size_t row, std::span<double> values) {
        const std::vector<WordCount> bag = bags[row];
        shares.of_bag(bag, values);
        return bag.empty() ? 0.0 : 1.0;
      },
      run);
  std::vector<SimilarTopics> pairs;
  for (std::size_t a = 0; a < topics; ++a) {
    run.check();
    for (std::size_t b = a + 1; b < topics; ++b) {
      const double word = beyond_chance(by_word[a * topics + b], topics);
      const double document = bags.size() > 0 ? beyond_chance(by_document[a * topics + b], topics) : word;
      pairs.push_back({a + 1, b + 1, (document + word) / 2, document, word});
    }
  }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const SimilarTopics& x, const SimilarTopics& y) { return x.similarity > y.similarity; });
  return pairs;
}

double near_similarity(const std::vector<SimilarTopics>& pairs) {
  constexpr double kLeast = 0.05, kDeviations = 1;
  double sum = 0, squares = 0;
  for (const SimilarTopics& pair : pairs) sum += pair.similarity, squares += pair.similarity * pair.similarity;
  const auto count = static_cast<double>(std::max<std::size_t>(1, pairs.size()));
  const double mean = sum / count;
  return std::max(kLeast, mean + kDeviations * std::sqrt(std::max(0.0, squares / count - mean * mean)));
}

}  // namespace idne
