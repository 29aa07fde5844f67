#include "methods/graph2gauss.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "idne/error.h"
#include "math/random.h"
#include "method_checks.h"
#include "small_corpus.h"

namespace idne {
namespace {

Options with(std::initializer_list<std::pair<const char*, const char*>> values) {
  Options options(graph2gauss_method().options());
  for (const auto& [name, value] : values) options.set(name, value);
  return options;
}

/// Documents 0 … n − 1 in a line, each with a word of its own and one that all share.
Corpus line(std::uint32_t n) {
  Corpus corpus;
  std::vector<Link> links;
  for (std::uint32_t i = 0; i < n; ++i) {
    corpus.vocabulary.words.add(fmt::format("w{}", i));
    corpus.counts.add_row(i ? std::vector<WordCount>{{0, 1}, {i, 2}} : std::vector<WordCount>{{0, 1}});
    if (i > 0) links.push_back({i - 1, i, 1});
  }
  corpus.vocabulary.counts.assign(n, 1);
  corpus.network = Network(n, links, {});
  return corpus;
}

/// Two crowds of documents with words of their own and words that all share; links within each crowd.
Corpus two_crowds(std::uint32_t each) {
  Corpus corpus;
  for (std::uint32_t w = 0; w < 40; ++w) corpus.vocabulary.words.add(fmt::format("w{}", w));
  corpus.vocabulary.counts.assign(40, 1);
  Random random(4, Purpose::Generate, 0);
  std::vector<Link> links;
  for (std::uint32_t i = 0; i < 2 * each; ++i) {
    const std::uint32_t side = i / each;
    std::vector<std::uint32_t> text{side * 10 + random.below(10)};
    for (int n = 0; n < 4; ++n) text.push_back(20 + random.below(20));
    corpus.counts.add_row(count_words(text));
    for (const std::uint32_t step : {1u, 3u, 7u}) links.push_back({i, side * each + (i + step) % each, 1});
  }
  corpus.network = Network(2 * each, links, {});
  return corpus;
}

TEST(HopSampler, DrawsDocumentsAtTheirDistances) {
  const Corpus corpus = line(30);
  Graph2GaussSettings settings;
  settings.hops = 2;
  settings.held_out = 0;
  settings.batch = 200;
  const HopSampler sampler(corpus, settings, {});
  const HopRound round = sampler.round(1);
  ASSERT_EQ(round.anchors.size(), 30u);
  std::size_t found = 0;
  for (std::size_t n = 0; n < 30; ++n) {
    EXPECT_EQ(round.anchors[n], n);
    const auto distance = [&](std::size_t kind) {
      return std::abs(static_cast<int>(round.partners[3 * n + kind]) - static_cast<int>(n));
    };
    EXPECT_EQ(distance(0), 1);
    EXPECT_TRUE(round.partners[3 * n + 1] == kNoDocument || distance(1) == 2);
    EXPECT_GE(distance(2), 2);
    found += round.partners[3 * n + 1] != kNoDocument;
  }
  EXPECT_GT(found, 25u);
  EXPECT_NE(sampler.round(2), round);
  EXPECT_EQ(sampler.round(1), round);
}

TEST(HopSampler, AGroupHasNoSecondHop) {
  Corpus corpus = line(60);
  std::vector<Membership> members;
  for (std::uint32_t i = 0; i < 60; ++i) members.push_back({i, i / 30});
  corpus.network = Network(60, {}, members);
  Graph2GaussSettings settings;
  settings.batch = 60;
  const HopSampler sampler(corpus, settings, {});
  for (std::uint64_t r = 0; r < 10; ++r) {
    const HopRound round = sampler.round(r);
    for (std::size_t n = 0; n < 60; ++n) {
      EXPECT_EQ(round.partners[3 * n] / 30, n / 30);
      EXPECT_EQ(round.partners[3 * n + 1], kNoDocument);
      EXPECT_NE(round.partners[3 * n + 2] / 30, n / 30);
    }
  }
}

TEST(HopSampler, HeldOutLinksAreNeverDrawn) {
  Corpus corpus = line(80);
  std::vector<Membership> members;
  for (std::uint32_t i = 0; i < 80; ++i) members.push_back({i, 0});
  corpus.network = Network(80, {}, members);
  Graph2GaussSettings settings;
  settings.batch = 80;
  settings.hops = 1;
  const HopSampler sampler(corpus, settings, {});
  std::size_t held_out = 0;
  for (std::uint32_t a = 0; a < 80; ++a) {
    for (std::uint32_t b = 0; b < a; ++b) held_out += sampler.is_held_out(a, b);
  }
  EXPECT_NEAR(static_cast<double>(held_out) / (80 * 79 / 2.0), 0.1, 0.03);
  for (std::uint64_t r = 0; r < 20; ++r) {
    const HopRound round = sampler.round(r);
    for (std::size_t n = 0; n < 80; ++n) EXPECT_FALSE(sampler.is_held_out(round.anchors[n], round.partners[2 * n]));
  }
  const auto links = sampler.held_out_links(50);
  EXPECT_EQ(links.size(), 50u);
  for (const DocumentPair& pair : links) EXPECT_TRUE(sampler.is_held_out(pair.a, pair.b));
}

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

Graph2GaussSettings small_settings() {
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
  const Graph2GaussSettings settings = small_settings();
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
  const Graph2GaussSettings settings = small_settings();
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
  Graph2GaussSettings settings = small_settings();
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
  const Graph2GaussSettings settings = small_settings();
  const auto start = graph2gauss_start(corpus.words(), settings, 1);
  Graph2GaussTrainer trainer(corpus, settings, start, 1);
  EXPECT_TRUE(std::isnan(trainer.advance({})));
  EXPECT_TRUE(std::isnan(trainer.advance({{4}, {kNoDocument, 6, kNoDocument}})));
  EXPECT_EQ(all_of(trainer.parameters()), all_of(start));
}

TEST(Graph2Gauss, SeparatesDocumentsThatAreFarApart) {
  const Corpus corpus = two_crowds(40);
  const Model model = graph2gauss_method().fit(
      corpus, with({{"dim", "8"}, {"hidden", "64"}, {"rounds", "200"}, {"learning-rate", "0.005"}}), {});
  double same = 0, other = 0;
  const auto square = [&](std::size_t i, std::size_t j) {
    double sum = 0;
    for (std::size_t k = 0; k < 8; ++k) sum += std::pow(model.documents().row(i)[k] - model.documents().row(j)[k], 2);
    return sum;
  };
  for (std::size_t i = 0; i < 40; ++i) {
    for (std::size_t j = 0; j < 40; ++j) same += square(i, j), other += square(i, 40 + j);
  }
  EXPECT_GT(other, 3 * same);
  EXPECT_GT(std::stoi(std::string(model.text("rounds"))), 0);
}

TEST(Graph2Gauss, StopsEarlyWhenHeldOutLinksGetNoBetter) {
  const Corpus corpus = two_crowds(60);
  int rounds = 0;
  idne::Run run;
  run.stopped = [&rounds] { return ++rounds > 5000; };
  graph2gauss_method().fit(corpus, with({{"dim", "4"}, {"hidden", "16"}, {"rounds", "4000"}, {"patience", "30"}}), run);
  EXPECT_LT(rounds, 2000);
}

TEST(Graph2Gauss, SameBitsAtAnyNumberOfThreads) {
  const Corpus corpus = small_corpus(300, 200, 5);
  const Options options = with({{"dim", "100"}, {"hidden", "70"}, {"rounds", "12"}, {"batch", "40"}});
  expect_same_bits_at_any_number_of_threads(graph2gauss_method(), corpus, options,
                                            {"documents.vectors", "hidden.weights", "mean.weights", "mean.bias"});
}

TEST(Graph2Gauss, EncoderGivesADocumentItsStoredVector) {
  expect_encoder_gives_stored_vectors(graph2gauss_method(), small_corpus(40, 25, 2),
                                      with({{"dim", "6"}, {"hidden", "16"}, {"rounds", "5"}}));
}

/// The encoder's arithmetic is the trainer's.
TEST(Graph2Gauss, EncoderAgreesWithThePlainNetwork) {
  const Corpus corpus = small_corpus(20, 9, 3);
  const Model model = graph2gauss_method().fit(corpus, with({{"dim", "2"}, {"hidden", "3"}, {"rounds", "0"}}), {});
  const Graph2GaussInput input = graph2gauss_input(corpus);
  const MatrixView words = model.matrix("hidden.weights"), mean = model.matrix("mean.weights");
  for (std::size_t i = 4; i < 20; ++i) {
    std::array<double, 2> expected{model.floats("mean.bias")[0], model.floats("mean.bias")[1]};
    for (std::size_t h = 0; h < 3; ++h) {
      double layer = model.floats("hidden.bias")[h];
      for (const WordCount& entry : corpus.counts.row(i)) {
        layer += entry.count * static_cast<double>(input.idf[entry.word]) * input.scale[i] * words.row(entry.word)[h];
      }
      for (std::size_t k = 0; k < 2; ++k) expected[k] += std::max(0.0, layer) * mean.row(h)[k];
    }
    for (std::size_t k = 0; k < 2; ++k) EXPECT_NEAR(model.documents().row(i)[k], expected[k], 1e-5) << i;
  }
}

TEST(Graph2Gauss, CorporaWithNothingToLearnFrom) {
  for (const Corpus& corpus : odd_corpora()) {
    expect_finite_vectors(graph2gauss_method().fit(corpus, with({{"dim", "4"}, {"rounds", "20"}}), {}), corpus);
  }
}

TEST(Graph2Gauss, StopsWhenAsked) {
  const Corpus corpus = small_corpus(60, 30, 1);
  int asked = 0;
  const idne::Run run{.threads = 1, .progress = {}, .stopped = [&asked] { return ++asked > 4; }};
  EXPECT_THROW(graph2gauss_method().fit(corpus, with({{"dim", "4"}, {"hidden", "8"}}), run), Interrupted);
}

TEST(Graph2Gauss, LayersThatDoNotFitAreAnError) {
  const Corpus corpus = small_corpus(20, 9, 3);
  const Options options = with({{"dim", "2"}, {"hidden", "3"}, {"rounds", "0"}});
  const Model good = graph2gauss_method().fit(corpus, options, {});
  EXPECT_NO_THROW(graph2gauss_method().encoder(good));
  const std::vector<std::pair<const char*, std::vector<std::size_t>>> wrong{
      {"hidden.weights", {9, 4}}, {"hidden.weights", {8, 3}},    {"hidden.bias", {2}},
      {"mean.weights", {2, 2}},   {"mean.weights", {3, 3}},      {"mean.bias", {3}},
      {"words.idf", {8}},         {"hidden.weights", {27}},      {"mean.weights", {6}},
      {"words.counts", {}},       {"documents.vectors", {20, 3}}};
  for (const auto& [name, shape] : wrong) {
    Model model = good;
    if (shape.empty()) {
      model.add(name, std::vector<std::int64_t>(10));
    } else {
      std::size_t size = 1;
      for (const std::size_t n : shape) size *= n;
      model.add(name, std::vector<float>(size), shape);
    }
    EXPECT_THROW(graph2gauss_method().encoder(model), Error) << name;
  }
  EXPECT_THROW(graph2gauss_method().encoder(Model()), Error);
}

}  // namespace
}  // namespace idne
