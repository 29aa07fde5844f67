#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "methods/graph2gauss.h"
#include "small_corpus.h"

namespace idne {
namespace {

/// The loss as plainly as it can be written, in double precision; its gradient by finite differences.
class PlainGraph2Gauss {
 public:
  PlainGraph2Gauss(const Corpus& corpus, const Graph2GaussSettings& settings, const Graph2GaussParameters& start)
      : corpus_(corpus), settings_(settings), input_(graph2gauss_input(corpus)) {
    for (const auto* part :
         {&start.words, &start.hidden_bias, &start.mean, &start.mean_bias, &start.variance, &start.variance_bias}) {
      begin_.push_back(values.size());
      values.insert(values.end(), part->begin(), part->end());
    }
    mean_.resize(values.size());
    square_.resize(values.size());
  }

  double energy(std::uint32_t i, std::uint32_t j) const {
    const auto [mean_i, variance_i] = gaussian(i);
    const auto [mean_j, variance_j] = gaussian(j);
    double sum = 0;
    for (std::size_t k = 0; k < mean_i.size(); ++k) {
      const double ratio = variance_j[k] / variance_i[k];
      sum += ratio + std::pow(mean_i[k] - mean_j[k], 2) / variance_i[k] - 1 - std::log(ratio);
    }
    return sum / 2;
  }

  double loss(const HopRound& round) const {
    const std::size_t kinds = settings_.hops + 1;
    double sum = 0, triplets = 0;
    for (std::size_t n = 0; n < round.anchors.size(); ++n) {
      for (std::size_t near = 0; near < kinds; ++near) {
        for (std::size_t far = near + 1; far < kinds; ++far) {
          const std::uint32_t j = round.partners[n * kinds + near], k = round.partners[n * kinds + far];
          if (j == kNoDocument || k == kNoDocument) continue;
          sum += std::pow(energy(round.anchors[n], j), 2) + std::exp(-energy(round.anchors[n], k));
          ++triplets;
        }
      }
    }
    return sum / triplets;
  }

  void advance(const HopRound& round) {
    std::vector<double> gradient(values.size());
    for (std::size_t at = 0; at < values.size(); ++at) {
      const double kept = values[at], h = 1e-5;
      values[at] = kept + h;
      const double above = loss(round);
      values[at] = kept - h;
      gradient[at] = (above - loss(round)) / (2 * h);
      values[at] = kept;
    }
    const auto t = static_cast<double>(++steps_);
    const double rate = settings_.learning_rate * std::sqrt(1 - std::pow(0.999, t)) / (1 - std::pow(0.9, t));
    const std::vector<bool> words = words_of(round);
    for (std::size_t at = 0; at < values.size(); ++at) {
      if (at < begin_[1] && !words[at / settings_.hidden]) continue;
      mean_[at] = 0.9 * mean_[at] + 0.1 * gradient[at];
      square_[at] = 0.999 * square_[at] + 0.001 * gradient[at] * gradient[at];
      values[at] -= rate * mean_[at] / (std::sqrt(square_[at]) + 1e-8);
    }
  }

  bool is_mean_bias(std::size_t at) const { return at >= begin_[3] && at < begin_[4]; }

  std::vector<double> values;

 private:
  std::pair<std::vector<double>, std::vector<double>> gaussian(std::uint32_t i) const {
    const std::size_t hidden = settings_.hidden, width = settings_.dimensions;
    std::vector<double> layer(hidden), mean(width), variance(width);
    for (std::size_t h = 0; h < hidden; ++h) {
      layer[h] = values[begin_[1] + h];
      for (const WordCount& entry : corpus_.counts.row(i)) {
        layer[h] += entry.count * static_cast<double>(input_.idf[entry.word]) * input_.scale[i] *
                    values[entry.word * hidden + h];
      }
      layer[h] = std::max(0.0, layer[h]);
    }
    for (std::size_t k = 0; k < width; ++k) {
      mean[k] = values[begin_[3] + k];
      variance[k] = values[begin_[5] + k];
      for (std::size_t h = 0; h < hidden; ++h) {
        mean[k] += layer[h] * values[begin_[2] + h * width + k];
        variance[k] += layer[h] * values[begin_[4] + h * width + k];
      }
      variance[k] = variance[k] > 0 ? variance[k] + 1 : std::exp(variance[k]);
    }
    return {mean, variance};
  }
  /// Words that take part: Adam leaves the others alone.
  std::vector<bool> words_of(const HopRound& round) const {
    std::vector<bool> words(corpus_.words());
    const auto add = [&](std::uint32_t i) {
      for (const WordCount& entry : corpus_.counts.row(i)) words[entry.word] = true;
    };
    const std::size_t kinds = settings_.hops + 1;
    for (std::size_t n = 0; n < round.anchors.size(); ++n) {
      std::vector<std::uint32_t> found;
      for (std::size_t k = 0; k < kinds; ++k) {
        if (const std::uint32_t j = round.partners[n * kinds + k]; j != kNoDocument) found.push_back(j);
      }
      if (found.size() < 2) continue;
      add(round.anchors[n]);
      for (const std::uint32_t j : found) add(j);
    }
    return words;
  }

  const Corpus& corpus_;
  const Graph2GaussSettings settings_;
  const Graph2GaussInput input_;
  std::vector<std::size_t> begin_;
  std::vector<double> mean_, square_;
  std::uint64_t steps_ = 0;
};

std::vector<float> all_of(const Graph2GaussParameters& parameters) {
  std::vector<float> values;
  for (const auto* part : {&parameters.words, &parameters.hidden_bias, &parameters.mean, &parameters.mean_bias,
                           &parameters.variance, &parameters.variance_bias}) {
    values.insert(values.end(), part->begin(), part->end());
  }
  return values;
}

Graph2GaussSettings small_gauss_settings() {
  Graph2GaussSettings settings;
  settings.dimensions = 3;
  settings.hidden = 5;
  settings.hops = 2;
  settings.batch = 6;
  settings.learning_rate = 0.01;
  return settings;
}

TEST(Graph2GaussTrainer, EnergyIsTheDivergence) {
  const Corpus corpus = small_corpus(20, 9, 3);
  const Graph2GaussSettings settings = small_gauss_settings();
  const auto start = graph2gauss_start(corpus.words(), settings, 1);
  const PlainGraph2Gauss plain(corpus, settings, start);
  Graph2GaussTrainer trainer(corpus, settings, start, 1);
  const std::vector<DocumentPair> pairs{{0, 1}, {1, 0}, {5, 17}, {4, 4}};
  const auto energies = trainer.energies(pairs);
  ASSERT_EQ(energies.size(), pairs.size());
  for (std::size_t q = 0; q < pairs.size(); ++q) {
    EXPECT_NEAR(energies[q], plain.energy(pairs[q].a, pairs[q].b), 1e-5) << q;
  }
  EXPECT_GT(energies[0], 1e-3);
  EXPECT_NEAR(energies[3], 0, 1e-6);
}

/// Adam on gradients by finite differences, step by step: twenty of them tell gradients' sizes as well as their signs.
TEST(Graph2GaussTrainer, FollowsFiniteDifferences) {
  const Corpus corpus = small_corpus(20, 9, 3);
  const Graph2GaussSettings settings = small_gauss_settings();
  const HopSampler sampler(corpus, settings, {});
  const auto start = graph2gauss_start(corpus.words(), settings, 1);
  PlainGraph2Gauss plain(corpus, settings, start);
  Graph2GaussTrainer trainer(corpus, settings, start, 2);
  for (std::uint64_t r = 0; r < 20; ++r) {
    const HopRound round = sampler.round(r);
    EXPECT_NEAR(trainer.advance(round), plain.loss(round), 1e-3) << r;
    plain.advance(round);
  }
  const auto trained = all_of(trainer.parameters());
  const auto before = all_of(start);
  ASSERT_EQ(trained.size(), plain.values.size());
  double moved = 0;
  for (std::size_t at = 0; at < trained.size(); ++at) {
    // The loss knows only differences of means: the gradient of their bias is rounding.
    EXPECT_NEAR(trained[at], plain.values[at], plain.is_mean_bias(at) ? 0.1 : 1e-3) << at;
    moved += std::abs(trained[at] - before[at]);
  }
  EXPECT_GT(moved / static_cast<double>(trained.size()), 0.03);
}

TEST(Graph2GaussTrainer, LossFalls) {
  const Corpus corpus = two_crowds(40);
  Graph2GaussSettings settings = small_gauss_settings();
  settings.batch = 80;
  settings.hidden = 32;
  const HopSampler sampler(corpus, settings, {});
  Graph2GaussTrainer trainer(corpus, settings, graph2gauss_start(corpus.words(), settings, 1), 1);
  double first = 0, last = 0;
  for (std::uint64_t r = 0; r < 100; ++r) (r < 10 ? first : last) = trainer.advance(sampler.round(r));
  EXPECT_LT(last, 0.8 * first);
}

TEST(Graph2GaussTrainer, RoundWithNothingToCompareChangesNothing) {
  const Corpus corpus = small_corpus(20, 9, 3);
  const Graph2GaussSettings settings = small_gauss_settings();
  const auto start = graph2gauss_start(corpus.words(), settings, 1);
  Graph2GaussTrainer trainer(corpus, settings, start, 1);
  EXPECT_TRUE(std::isnan(trainer.advance({})));
  EXPECT_TRUE(std::isnan(trainer.advance({{4}, {kNoDocument, 6, kNoDocument}})));
  EXPECT_EQ(all_of(trainer.parameters()), all_of(start));
}

}  // namespace
}  // namespace idne
