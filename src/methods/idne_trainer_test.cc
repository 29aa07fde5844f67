#include "methods/idne_trainer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <stdexcept>

#include "plain_idne.h"
#include "small_corpus.h"

namespace idne {
namespace {

const idne::Run kRun{};

idne::Run on(int threads) {
  idne::Run run;
  run.threads = threads;
  return run;
}

IdneSettings small_settings(std::size_t topics = 4, std::size_t dimensions = 20,
                            Activation activation = Activation::Relu) {
  IdneSettings settings;
  settings.topics = topics;
  settings.dimensions = dimensions;
  settings.batch = 5;
  settings.activation = activation;
  settings.learning_rate = 0.01;  // so that a few steps move words in and out of activity
  return settings;
}

struct Start {
  std::vector<float> words, topics;
  Start(const Corpus& corpus, const IdneSettings& settings)
      : words(random_start(corpus.words(), settings.dimensions, settings.seed, false, 1)),
        topics(random_start(settings.topics, settings.dimensions, settings.seed, true, 1)) {}
};

/// The loss straight from the paper's formulas, attention and all, in double precision: Z = g(T Wᵀ diag(X)),
/// D_k = Z_k diag(X) W / |X|, d = Σ_k D_k, −Σ log σ(± d_i · d_j).
double paper_loss(const Corpus& corpus, const IdneSettings& settings, const std::vector<double>& words,
                  const std::vector<double>& topics, const std::vector<std::uint32_t>& documents) {
  const std::size_t p = settings.dimensions, n_t = settings.topics;
  std::vector<std::vector<double>> d;
  for (const std::uint32_t i : documents) {
    std::vector<std::vector<double>> by_topic(n_t, std::vector<double>(p));
    const double length = std::max(1.0, static_cast<double>(corpus.counts.length(i)));
    for (const WordCount& entry : corpus.counts.row(i)) {
      std::vector<double> z(n_t);
      double sum = 0;
      for (std::size_t k = 0; k < n_t; ++k) {
        for (std::size_t x = 0; x < p; ++x) z[k] += topics[k * p + x] * words[entry.word * p + x] * entry.count;
        z[k] = settings.activation == Activation::Relu ? std::max(0.0, z[k]) : std::exp(z[k]);
        sum += z[k];
      }
      for (std::size_t k = 0; k < n_t; ++k) {
        const double weight = sum > 0 ? z[k] / sum : 0;
        for (std::size_t x = 0; x < p; ++x) by_topic[k][x] += weight * entry.count * words[entry.word * p + x] / length;
      }
    }
    d.emplace_back(p);
    for (const auto& part : by_topic) {
      for (std::size_t x = 0; x < p; ++x) d.back()[x] += part[x];
    }
  }
  double loss = 0;
  for (std::size_t q = 0; q < 2 * settings.batch; ++q) {
    double score = 0;
    for (std::size_t x = 0; x < p; ++x) score += d[q % settings.batch][x] * d[settings.batch + q][x];
    loss += std::log1p(std::exp(q < settings.batch ? -score : score));
  }
  return loss;
}

class Gradient : public testing::TestWithParam<Activation> {
 protected:
  const Corpus corpus = small_corpus(25, 30, 4);
  const IdneSettings settings = [] {
    IdneSettings s = small_settings(3, 7, GetParam());
    s.batch = 6;
    return s;
  }();
  const Start start{corpus, settings};
  std::vector<double> words{start.words.begin(), start.words.end()};
  std::vector<double> topics{start.topics.begin(), start.topics.end()};
  const std::vector<std::uint32_t> documents = PairDraws{Sampling::Node, 6, 1}.documents(corpus.network, 0);

  double slope(std::vector<double>& values, std::size_t at) {
    constexpr double kStep = 1e-6;
    const double before = values[at];
    values[at] = before + kStep;
    const double above = paper_loss(corpus, settings, words, topics, documents);
    values[at] = before - kStep;
    const double below = paper_loss(corpus, settings, words, topics, documents);
    values[at] = before;
    return (above - below) / (2 * kStep);
  }
};

TEST_P(Gradient, OfWordsAgreesWithFiniteDifferencesOfThePapersFormulas) {
  PlainIdne<double> plain(corpus, settings, start.words, start.topics);
  const double loss = plain.loss_and_gradient(documents);
  EXPECT_NEAR(loss, paper_loss(corpus, settings, words, topics, documents), 1e-12);
  double largest = 0;
  for (std::size_t at = 0; at < words.size(); ++at) {
    EXPECT_NEAR(plain.gradient()[at], slope(words, at), 1e-8) << at;
    largest = std::max(largest, std::abs(plain.gradient()[at]));
  }
  EXPECT_GT(largest, 1e-2);
}

TEST_P(Gradient, OfTopicsIsZeroTheLossIsFlatInThem) {
  for (std::size_t at = 0; at < topics.size(); ++at) EXPECT_NEAR(slope(topics, at), 0, 1e-9) << at;
  // Not only nearby: other topics that leave the same words active give the same loss.
  const double loss = paper_loss(corpus, settings, words, topics, documents);
  for (double& value : topics) value *= 3.7;
  EXPECT_NEAR(paper_loss(corpus, settings, words, topics, documents), loss, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Activations, Gradient, testing::Values(Activation::Relu, Activation::Softmax),
                         [](const auto& info) { return info.param == Activation::Relu ? "Relu" : "Softmax"; });

struct Case {
  std::size_t topics, dimensions;
  Activation activation;
  Sampling sampling;
};

class Follows : public testing::TestWithParam<Case> {};

TEST_P(Follows, ThePlainTwinStepByStep) {
  const Corpus corpus = small_corpus(60, 80, 5);
  IdneSettings settings = small_settings(GetParam().topics, GetParam().dimensions, GetParam().activation);
  settings.sampling = GetParam().sampling;
  const Start start(corpus, settings);
  PlainIdne<double> plain(corpus, settings, start.words, start.topics);
  IdneTrainer trainer(corpus, settings, start.words, start.topics, on(2));
  std::size_t inactive = 0;
  for (int step = 0; step < 60; ++step) {
    const double loss = plain.step();
    trainer.advance(1, kRun);
    if (step == 0) {
      EXPECT_NEAR(trainer.recent_loss(), loss, 1e-6);
    }
    const auto words = trainer.words();
    for (std::uint32_t w = 0; w < corpus.words(); ++w) inactive += !plain.is_active(w);
    for (std::size_t at = 0; at < words.size(); ++at) {
      ASSERT_NEAR(words[at], plain.words()[at], 2e-4 * (1 + step)) << "step " << step << ", value " << at;
    }
  }
  // The case is about the gate only if words were outside it.
  if (GetParam().activation == Activation::Relu && GetParam().topics <= 2) {
    EXPECT_GT(inactive, 100u);
  }
}

INSTANTIATE_TEST_SUITE_P(Settings, Follows,
                         testing::Values(Case{32, 256, Activation::Relu, Sampling::Node},
                                         Case{1, 256, Activation::Relu, Sampling::Node},
                                         Case{2, 100, Activation::Relu, Sampling::Path},
                                         Case{4, 20, Activation::Softmax, Sampling::Node}),
                         [](const auto& info) { return "Case" + std::to_string(info.index); });

TEST(IdneTrainer, GivesTheSameBitsAtAnyNumberOfThreads) {
  const Corpus corpus = small_corpus(60, 80, 5);
  for (const std::size_t topics : {1u, 2u, 32u}) {
    for (const std::size_t dimensions : {40u, 200u, 256u}) {
      const IdneSettings settings = small_settings(topics, dimensions);
      const Start start(corpus, settings);
      std::vector<float> first;
      double first_loss = 0;
      for (const int threads : {1, 2, 3, 4}) {
        IdneTrainer trainer(corpus, settings, start.words, start.topics, on(threads));
        trainer.advance(77, kRun);
        const auto words = trainer.words();
        if (threads == 1) first = words, first_loss = trainer.recent_loss();
        EXPECT_EQ(0, std::memcmp(first.data(), words.data(), words.size() * sizeof(float)))
            << topics << " topics, " << dimensions << " dimensions, " << threads << " threads";
        EXPECT_EQ(first_loss, trainer.recent_loss());
      }
    }
  }
}

TEST(IdneTrainer, TrainingInPartsIsTrainingAtOnce) {
  const Corpus corpus = small_corpus(60, 80, 5);
  const IdneSettings settings = small_settings();
  const Start start(corpus, settings);
  IdneTrainer once(corpus, settings, start.words, start.topics, on(1)),
      parts(corpus, settings, start.words, start.topics, on(1));
  once.advance(50, kRun);
  for (const std::uint64_t steps : {1u, 0u, 20u, 16u, 13u}) parts.advance(steps, kRun);
  EXPECT_EQ(parts.steps_done(), 50u);
  EXPECT_EQ(once.words(), parts.words());
}

TEST(IdneTrainer, LearnsToTellLinkedDocumentsFromOthers) {
  // Two fields with words of their own; links stay inside them.
  Corpus corpus = small_corpus(1, 20, 1);
  corpus.counts = {};
  std::vector<Link> links;
  for (std::uint32_t i = 0; i < 40; ++i) {
    const std::uint32_t first = i % 2 * 10;
    corpus.counts.add_row(count_words({first + i % 10, first + (i + 3) % 10}));
    if (i >= 2) links.push_back({i - 2, i, 1});
  }
  corpus.network = Network(40, links, {});
  const IdneSettings settings = small_settings(8, 64);
  const Start start(corpus, settings);
  IdneTrainer trainer(corpus, settings, start.words, start.topics, on(1));
  EXPECT_TRUE(std::isnan(trainer.recent_loss()));
  trainer.advance(20, kRun);
  const double early = trainer.recent_loss();
  trainer.advance(1000, kRun);
  EXPECT_LT(trainer.recent_loss(), 0.8 * early);
}

TEST(IdneTrainer, StopsWhenToldTo) {
  const Corpus corpus = small_corpus(60, 80, 5);
  const IdneSettings settings = small_settings(4, 128);
  const Start start(corpus, settings);
  for (const int threads : {1, 2}) {
    IdneTrainer trainer(corpus, settings, start.words, start.topics, on(threads));
    idne::Run run;
    int asked = 0;
    run.stopped = [&] { return ++asked > 5; };
    EXPECT_THROW(trainer.advance(1000000, run), Interrupted);
    EXPECT_LT(trainer.steps_done(), 1000u);
  }
}

TEST(IdneTrainer, GoesOnAfterItWasStopped) {
  const Corpus corpus = small_corpus(60, 80, 5);
  const IdneSettings settings = small_settings(4, 256);
  const Start start(corpus, settings);
  for (const int threads : {1, 2, 4}) {
    IdneTrainer stopped(corpus, settings, start.words, start.topics, on(threads)),
        plain(corpus, settings, start.words, start.topics, on(1));
    idne::Run run;
    int asked = 0;
    run.stopped = [&] { return ++asked > 3; };
    EXPECT_THROW(stopped.advance(100, run), Interrupted);
    const std::uint64_t done = stopped.steps_done();
    EXPECT_GT(done, 0u);
    EXPECT_LT(done, 100u);
    stopped.advance(100 - done, kRun);
    plain.advance(100, kRun);
    EXPECT_EQ(stopped.words(), plain.words()) << threads << " threads";
  }
}

TEST(IdneTrainer, ThrowsWhatTheProgressCallbackThrowsAndCanGoOn) {
  const Corpus corpus = small_corpus(60, 80, 5);
  const IdneSettings settings = small_settings(4, 256);
  const Start start(corpus, settings);
  for (const int threads : {1, 2, 4}) {
    IdneTrainer failed(corpus, settings, start.words, start.topics, on(threads)),
        plain(corpus, settings, start.words, start.topics, on(1));
    idne::Run run;
    run.progress = [](const Progress&) { throw std::runtime_error("the terminal is gone"); };
    EXPECT_THROW(failed.advance(40, run), std::runtime_error);  // at the end at the latest
    const std::uint64_t done = failed.steps_done();
    failed.advance(80 - done, kRun);
    plain.advance(80, kRun);
    EXPECT_EQ(failed.words(), plain.words()) << threads << " threads";
  }
}

TEST(IdneTrainer, AnEmptyBatchIsNoProblem) {
  // One document without words, paired with itself.
  Corpus corpus = small_corpus(4, 5, 1);
  Corpus empty;
  empty.vocabulary = std::move(corpus.vocabulary);
  empty.counts.add_row({});
  empty.network = Network(1, {}, {});
  const IdneSettings settings = small_settings(3, 64);
  const Start start(empty, settings);
  IdneTrainer trainer(empty, settings, start.words, start.topics, on(1));
  trainer.advance(3, kRun);
  EXPECT_EQ(trainer.words(), start.words);
  EXPECT_NEAR(trainer.recent_loss(), std::log(2.0), 1e-6);
}

TEST(RandomStart, HasItsVarianceAndDependsOnNoThread) {
  const auto words = random_start(1000, 64, 1, false, 1);
  EXPECT_EQ(words, random_start(1000, 64, 1, false, 3));
  EXPECT_NE(words, random_start(1000, 64, 2, false, 1));
  EXPECT_NE(words, random_start(1000, 64, 1, true, 1));
  double square = 0, largest = 0;
  for (const float x : words) square += static_cast<double>(x) * x, largest = std::max<double>(largest, std::abs(x));
  const double deviation = std::sqrt(2.6 / 1000);
  // Cutting a normal at two standard deviations leaves 0.7737 of its variance.
  EXPECT_NEAR(square / static_cast<double>(words.size()), 0.7737 * deviation * deviation, 0.01 * deviation * deviation);
  EXPECT_LE(largest, 2.0001 * deviation);
  EXPECT_GT(largest, 1.99 * deviation);
}

}  // namespace
}  // namespace idne
