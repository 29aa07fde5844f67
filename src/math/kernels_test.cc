#include "math/kernels.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <vector>

#include "math/random.h"
#include "targets.h"

namespace idne {
namespace {

TEST(Kernels, DotAgreesWithAPlainLoop) {
  on_every_target([](const std::string& target) {
    for (const std::size_t width : {1u, 3u, 16u, 63u, 64u, 65u, 100u, 128u, 256u, 300u}) {
      const auto a = noise(width, 1), b = noise(width, 2);
      double expected = 0;
      for (std::size_t k = 0; k < width; ++k) expected += static_cast<double>(a[k]) * b[k];
      EXPECT_NEAR(dot(a.data(), b.data(), width), expected, 1e-4) << target << " " << width;
    }
  });
}

TEST(Kernels, DotIsTheSumOfItsBlocksInOrder) {
  on_every_target([](const std::string& target) {
    const auto a = noise(256, 1), b = noise(256, 2);
    float parts[4], sum = 0;
    dot_blocks(a.data(), b.data(), 4, parts);
    for (const float part : parts) sum += part;
    EXPECT_EQ(sum, dot(a.data(), b.data(), 256)) << target;
  });
}

TEST(Kernels, DotDoesNotDependOnPadding) {
  on_every_target([](const std::string& target) {
    auto a = noise(100, 1), b = noise(100, 2);
    const float before = dot(a.data(), b.data(), 100);
    a.resize(128), b.resize(128);
    EXPECT_EQ(before, dot(a.data(), b.data(), 128)) << target;
  });
}

TEST(Kernels, EveryTargetWithFusedMultiplyAddGivesTheSameBits) {
  std::vector<float> first;
  const bool any = on_every_fused_target([&](const std::string& target) {
    const auto rows = noise(20 * 192, 3);
    const std::vector<Term> terms{{3, 0.3f}, {19, -1.7f}, {0, 0.01f}};
    std::vector<float> result(192);
    weighted_sum(rows.data(), 192, terms.data(), terms.size(), 192, result.data());
    result.push_back(dot(rows.data(), rows.data() + 192, 192));
    if (first.empty()) first = result;
    EXPECT_EQ(0, std::memcmp(first.data(), result.data(), result.size() * sizeof(float))) << target;
  });
  if (!any) GTEST_SKIP() << kNoFusedMultiplyAdd;
}

TEST(Kernels, WeightedSumAgreesWithAPlainLoop) {
  on_every_target([](const std::string& target) {
    for (const std::size_t width : {1u, 5u, 64u, 100u, 128u, 192u, 256u, 259u}) {
      const std::size_t stride = width + 7;
      const auto rows = noise(30 * stride, 4);
      for (const std::size_t count : {0u, 1u, 2u, 9u}) {
        std::vector<Term> terms;
        Random random(6, Purpose::Generate, count);
        for (std::size_t t = 0; t < count; ++t) terms.push_back({random.below(30), random.truncated_normal()});
        std::vector<float> result(width + 1, 77.0f);
        weighted_sum(rows.data(), stride, terms.data(), count, width, result.data());
        for (std::size_t k = 0; k < width; ++k) {
          double expected = 0;
          for (const Term& term : terms) expected += static_cast<double>(term.weight) * rows[term.row * stride + k];
          EXPECT_NEAR(result[k], expected, 1e-5) << target << " " << width << " " << count;
        }
        EXPECT_EQ(result[width], 77.0f) << "wrote beyond its end: " << target;
      }
    }
  });
}

TEST(Adam, IsThePapersFormulaWithTheCorrectionInTheRate) {
  // Kingma and Ba's algorithm 1, whose epsilon stands beside the corrected root; it is too small to matter here.
  double value = 1, mean = 0, variance = 0;
  float found = 1, found_mean = 0, found_variance = 0;
  for (std::uint64_t step = 0; step < 50; ++step) {
    const double gradient = std::sin(static_cast<double>(step)) + 0.3, t = static_cast<double>(step + 1);
    mean = 0.9 * mean + 0.1 * gradient;
    variance = 0.999 * variance + 0.001 * gradient * gradient;
    value -= 0.01 * (mean / (1 - std::pow(0.9, t))) / std::sqrt(variance / (1 - std::pow(0.999, t)));
    const Adam adam{adam_rate(0.01, step)};
    adam.step(static_cast<float>(gradient), found, found_mean, found_variance);
    EXPECT_NEAR(found, value, 1e-5) << step;
  }
  EXPECT_LT(found, 0.9f);
}

TEST(Kernels, AdamAgreesWithItsPlainTwin) {
  on_every_target([](const std::string& target) {
    for (const std::size_t blocks : {1u, 2u, 3u, 4u}) {
      const std::size_t width = blocks * kBlock, words = 9, topics = 3;
      auto records = noise(words * 3 * width, 5);
      for (std::size_t w = 0; w < words; ++w) {  // second moments are not negative
        for (std::size_t k = 0; k < width; ++k) {
          float& variance = records[w * 3 * width + 2 * width + k];
          variance = variance * variance;
        }
      }
      const auto before = records;
      const auto gradients = noise(4 * width, 6), topic_vectors = noise(topics * width, 7);
      const std::vector<WordGradient> list{{2, 0}, {7, 2}, {0, 3}, {0, 6}};
      const std::vector<Term> terms{{0, 0.5f}, {3, 0.25f}, {1, 1.0f}, {2, 0.1f}, {0, 0.2f}, {3, 0.0f}};
      const std::vector<std::uint16_t> guess{2, 0, 1, 0, 0, 0, 0, 2, 0};
      std::vector<float> products(words * blocks, -9.0f);
      const WordSlice slice{records.data(), blocks};
      const Adam adam{0.01f};
      adam_words(slice, list.data(), 3, terms.data(), gradients.data(), adam, topic_vectors.data(), guess.data(),
                 products.data());
      for (std::size_t n = 0; n < 3; ++n) {
        const std::size_t at = list[n].word * 3 * width;
        for (std::size_t k = 0; k < width; ++k) {
          float g = 0;
          for (std::uint32_t t = list[n].begin; t < list[n + 1].begin; ++t) {
            g += terms[t].weight * gradients[terms[t].row * width + k];
          }
          float value = before[at + k], mean = before[at + width + k], variance = before[at + 2 * width + k];
          adam.step(g, value, mean, variance);
          EXPECT_NEAR(records[at + width + k], mean, 1e-6) << target;
          EXPECT_NEAR(records[at + 2 * width + k], variance, 1e-6) << target;
          EXPECT_NEAR(records[at + k], value, 1e-5) << target;
        }
        std::vector<float> parts(blocks);
        dot_blocks(slice.word(list[n].word), topic_vectors.data() + guess[list[n].word] * width, blocks, parts.data());
        for (std::size_t b = 0; b < blocks; ++b) EXPECT_EQ(products[list[n].word * blocks + b], parts[b]) << target;
      }
      EXPECT_TRUE(std::equal(before.begin() + 1 * 3 * static_cast<std::ptrdiff_t>(width),
                             before.begin() + 2 * 3 * static_cast<std::ptrdiff_t>(width),
                             records.begin() + 1 * 3 * static_cast<std::ptrdiff_t>(width)))
          << "a word that took no part has moved";
      EXPECT_EQ(products[1 * blocks], -9.0f);
    }
  });
}

}  // namespace
}  // namespace idne
