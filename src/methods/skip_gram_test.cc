#include "methods/skip_gram.h"

#include <gtest/gtest.h>

#include <cmath>

#include "math/random.h"
#include "with_threads.h"

namespace idne {
namespace {

constexpr std::size_t kSkipGramDocuments = 20;

double ln_sigmoid(double x) { return -std::log1p(std::exp(-x)); }

/// The same, written plainly in double precision.
struct PlainSkipGram {
  SkipGramSettings settings;
  std::vector<double> inputs, outputs;  ///< `inputs` alone in one space

  std::vector<double>& predicted() { return settings.one_space ? inputs : outputs; }
  double score(std::uint32_t i, std::uint32_t j) {
    double sum = 0;
    for (std::size_t k = 0; k < settings.dimensions; ++k) {
      sum += inputs[i * settings.dimensions + k] * predicted()[j * settings.dimensions + k];
    }
    return sum;
  }
  /// Of all pairs of a step: what is to be maximised.
  double objective(const SkipGramStep& step) {
    double sum = 0;
    for_each_pair(step, [&](std::uint32_t i, std::uint32_t j, bool truth) {
      sum += truth ? ln_sigmoid(score(i, j) - settings.true_bias) : ln_sigmoid(settings.noise_bias - score(i, j));
    });
    return sum;
  }
  template <class Visit>
  void for_each_pair(const SkipGramStep& step, Visit visit) const {
    const std::size_t outs = 1 + settings.negatives;
    for (std::size_t n = 0; n < step.windows(); ++n) {
      for (std::uint32_t c = step.begin[n]; c < step.begin[n + 1]; ++c) {
        for (std::size_t k = 0; k < outs; ++k) visit(step.inputs[c], step.outputs[n * outs + k], k == 0);
      }
    }
  }
  /// As SkipGramTrainer says: all scores first, then window by window. No document is in many pairs.
  void take(const SkipGramStep& step, double rate) {
    std::vector<double> slopes;
    for_each_pair(step, [&](std::uint32_t i, std::uint32_t j, bool truth) {
      const double bias = truth ? settings.true_bias : settings.noise_bias;
      slopes.push_back(rate * (truth - 1 / (1 + std::exp(bias - score(i, j)))));
    });
    const std::size_t outs = 1 + settings.negatives, width = settings.dimensions;
    std::size_t at = 0;
    for (std::size_t n = 0; n < step.windows(); ++n) {
      const std::vector<double> in = inputs, out = predicted();
      for (std::uint32_t c = step.begin[n]; c < step.begin[n + 1]; ++c) {
        for (std::size_t k = 0; k < outs; ++k, ++at) {
          const std::size_t i = step.inputs[c] * width, j = step.outputs[n * outs + k] * width;
          for (std::size_t x = 0; x < width; ++x) {
            inputs[i + x] += slopes[at] * out[j + x];
            predicted()[j + x] += slopes[at] * in[i + x];
          }
        }
      }
    }
  }
};

SkipGramSteps random_steps(std::uint64_t count, std::size_t windows, std::size_t negatives) {
  return {count,
          [=](std::uint64_t number, SkipGramStep& out) {
            out.clear();
            Random random(9, Purpose::Noise, number);
            for (std::size_t n = 0; n < windows; ++n) {
              for (std::uint32_t c = 1 + random.below(4); c > 0; --c)
                out.inputs.push_back(random.below(kSkipGramDocuments));
              for (std::size_t k = 0; k <= negatives; ++k) out.outputs.push_back(random.below(kSkipGramDocuments));
              out.end_window();
            }
          },
          7,
          {}};
}

std::vector<float> start_of(std::size_t dimensions) {
  Random random(4, Purpose::ParameterStart, 0);
  std::vector<float> start(kSkipGramDocuments * dimensions);
  for (float& x : start) x = 0.3f * random.truncated_normal();
  return start;
}

std::vector<SkipGramSettings> both_kinds() {
  SkipGramSettings two{.dimensions = 70, .negatives = 3, .learning_rate = 0.05, .last_rate = 0.01};
  SkipGramSettings one = two;
  one.one_space = true, one.true_bias = 3, one.noise_bias = 2;
  return {two, one};
}

TEST(SkipGram, AStepGoesAlongTheGradient) {
  for (const SkipGramSettings& settings : both_kinds()) {
    const auto steps = random_steps(1, 1, settings.negatives);
    SkipGramStep step;
    steps.make(0, step);
    const auto start = start_of(settings.dimensions);
    SkipGramTrainer first(kSkipGramDocuments, settings, start, 1);
    if (!settings.one_space) {  // the other space begins as zeros, where half of the gradient is zero too
      SavedState state = first.state(1);
      state.set("outputs", std::vector<float>(start.rbegin(), start.rend()));
      first.restore(state);
    }
    PlainSkipGram plain{settings, {start.begin(), start.end()}, {start.rbegin(), start.rend()}};
    first.advance(steps, {});
    const auto moved = first.inputs(), predicted = first.outputs();
    const auto slope = [&](double& at) {
      constexpr double kStep = 1e-5;
      const double before = at;
      at = before + kStep;
      const double up = plain.objective(step);
      at = before - kStep;
      const double down = plain.objective(step);
      at = before;
      return (up - down) / (2 * kStep);
    };
    double most = 0;
    for (std::size_t x = 0; x < moved.size(); x += 3) {
      const double gradient = slope(plain.inputs[x]);
      most = std::max(most, std::abs(gradient));
      EXPECT_NEAR((moved[x] - start[x]) / settings.learning_rate, gradient, 1e-4) << x;
      if (settings.one_space) continue;
      EXPECT_NEAR((predicted[x] - plain.outputs[x]) / settings.learning_rate, slope(plain.outputs[x]), 1e-4) << x;
    }
    EXPECT_GT(most, 0.1);
  }
}

TEST(SkipGram, FollowsItsPlainTwin) {
  for (const SkipGramSettings& settings : both_kinds()) {
    constexpr std::uint64_t kSteps = 200;
    const auto steps = random_steps(kSteps, 2, settings.negatives);
    const auto start = start_of(settings.dimensions);
    SkipGramTrainer trainer(kSkipGramDocuments, settings, start, 2);
    trainer.advance(steps, with_threads(2));
    PlainSkipGram plain{settings, {start.begin(), start.end()}, std::vector<double>(start.size())};
    SkipGramStep step;
    for (std::uint64_t s = 0; s < kSteps; ++s) {
      steps.make(s, step);
      const double gone = static_cast<double>(s) / kSteps;
      plain.take(step, settings.learning_rate + gone * (settings.last_rate - settings.learning_rate));
    }
    const auto inputs = trainer.inputs(), outputs = trainer.outputs();
    for (std::size_t x = 0; x < inputs.size(); ++x) {
      ASSERT_NEAR(inputs[x], plain.inputs[x], 1e-4) << x;
      ASSERT_NEAR(outputs[x], plain.predicted()[x], 1e-4) << x;
    }
  }
}

TEST(SkipGram, HasTheSameBitsAtAnyNumberOfThreads) {
  for (SkipGramSettings settings : both_kinds()) {
    settings.dimensions = 200;
    const auto steps = random_steps(100, 5, settings.negatives);
    const auto trained = [&](int threads) {
      SkipGramTrainer trainer(kSkipGramDocuments, settings, start_of(200), threads);
      trainer.advance(steps, with_threads(threads));
      return trainer.inputs();
    };
    const auto one = trained(1);
    EXPECT_EQ(one, trained(2));
    EXPECT_EQ(one, trained(3));
  }
}

TEST(SkipGram, ADocumentInEveryPairDoesNotFlyAway) {
  // All windows are of one document that everybody predicts: a step's scores are old for its last updates.
  const SkipGramSettings settings{.dimensions = 8, .negatives = 5, .learning_rate = 0.5, .last_rate = 0.5};
  const SkipGramSteps steps{300,
                            [](std::uint64_t number, SkipGramStep& out) {
                              out.clear();
                              Random random(1, Purpose::Noise, number);
                              for (int n = 0; n < 64; ++n) {
                                for (int c = 0; c < 10; ++c) out.inputs.push_back(n % 2 ? 0 : 1 + random.below(19));
                                for (int k = 0; k < 6; ++k) out.outputs.push_back(n % 2 ? 1 + random.below(19) : 0);
                                out.end_window();
                              }
                            },
                            UINT64_MAX,
                            {}};
  SkipGramTrainer trainer(kSkipGramDocuments, settings, start_of(8), 1);
  trainer.advance(steps, {});
  for (const float x : trainer.inputs()) EXPECT_LT(std::abs(x), 50);
}

}  // namespace
}  // namespace idne
