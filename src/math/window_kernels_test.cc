#include "math/window_kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "targets.h"

namespace idne {
namespace {

constexpr std::size_t kRows = 12;

/// A window in which an input is there twice and an output is too.
struct WindowExample {
  explicit WindowExample(std::size_t blocks, bool one_space = false)
      : inputs(noise(kRows * blocks * kBlock, 1)),
        outputs(noise(kRows * blocks * kBlock, 2)),
        rows{inputs.data(), one_space ? inputs.data() : outputs.data(), blocks},
        slopes(noise(in.size() * out.size(), 3)),
        in_scales(noise(in.size(), 4)),
        out_scales(noise(out.size(), 5)) {}

  PairWindow window() const { return {in.data(), in.size(), out.data(), out.size()}; }
  std::vector<float> scores() const {
    std::vector<float> scores(rows.blocks * window().pairs());
    window_scores(rows, window(), window().pairs(), scores.data());
    return scores;
  }
  void update() {
    std::vector<float> scratch((in.size() + out.size()) * kBlock);
    window_update(rows, window(), slopes.data(), {in_scales.data(), out_scales.data()}, scratch.data());
  }

  const std::vector<std::uint32_t> in{3, 7, 3, 0, 11};
  const std::vector<std::uint32_t> out{5, 7, 5, 1, 0, 2, 4, 6, 8, 9, 10, 11, 3, 1, 2, 3, 9, 0};
  std::vector<float> inputs, outputs;
  PairRows rows;
  std::vector<float> slopes, in_scales, out_scales;
};

TEST(WindowKernels, ScoresAreDotProductsBlockByBlock) {
  on_every_target([](const std::string& target) {
    const WindowExample example(2);
    const auto scores = example.scores();
    for (std::size_t b = 0, at = 0; b < 2; ++b) {
      for (const std::uint32_t i : example.in) {
        for (const std::uint32_t j : example.out) {
          double expected = 0;
          for (std::size_t k = b * kBlock; k < (b + 1) * kBlock; ++k) {
            expected += static_cast<double>(example.inputs[i * 128 + k]) * example.outputs[j * 128 + k];
          }
          EXPECT_NEAR(scores[at++], expected, 1e-4) << target;
        }
      }
    }
  });
}

TEST(WindowKernels, UpdatesTakeTheRowsAsTheyWereBefore) {
  on_every_target([](const std::string& target) {
    for (const bool one_space : {false, true}) {
      WindowExample example(2, one_space);
      std::vector<double> inputs(example.inputs.begin(), example.inputs.end());
      std::vector<double> outputs(example.outputs.begin(), example.outputs.end());
      std::vector<double>& to = one_space ? inputs : outputs;
      const std::vector<double> in_before = inputs, out_before = to;
      for (std::size_t c = 0; c < example.in.size(); ++c) {
        for (std::size_t k = 0; k < example.out.size(); ++k) {
          const double slope = example.slopes[c * example.out.size() + k];
          const std::size_t i = example.in[c] * 128, j = example.out[k] * 128;
          for (std::size_t x = 0; x < 128; ++x) {
            inputs[i + x] += example.in_scales[c] * slope * out_before[j + x];
            to[j + x] += example.out_scales[k] * slope * in_before[i + x];
          }
        }
      }
      example.update();
      for (std::size_t x = 0; x < inputs.size(); ++x) {
        ASSERT_NEAR(example.inputs[x], inputs[x], 1e-3) << target << one_space;
        if (!one_space) {
          ASSERT_NEAR(example.outputs[x], outputs[x], 1e-3) << target;
        }
      }
    }
  });
}

TEST(WindowKernels, LogisticIsThatOfTheLibrary) {
  on_every_target([](const std::string& target) {
    std::vector<float> values;
    for (double x = -100; x <= 100; x += 0.37) values.push_back(static_cast<float>(x));
    const std::vector<float> before = values;
    logistic(values.data(), values.size());
    for (std::size_t k = 0; k < values.size(); ++k) {
      const double expected = 1 / (1 + std::exp(-static_cast<double>(before[k])));
      EXPECT_NEAR(values[k], expected, 1e-6 * expected + 1e-30) << target << " " << before[k];
    }
  });
}

TEST(WindowKernels, EveryTargetWithFusedMultiplyAddGivesTheSameBits) {
  std::vector<float> first;
  const bool any = on_every_fused_target([&](const std::string& target) {
    WindowExample example(2);
    std::vector<float> result = example.scores();
    example.update();
    result.insert(result.end(), example.inputs.begin(), example.inputs.end());
    result.insert(result.end(), example.outputs.begin(), example.outputs.end());
    logistic(result.data(), 100);
    if (first.empty()) first = result;
    EXPECT_EQ(0, std::memcmp(first.data(), result.data(), result.size() * sizeof(float))) << target;
  });
  if (!any) GTEST_SKIP() << kNoFusedMultiplyAdd;
}

}  // namespace
}  // namespace idne
