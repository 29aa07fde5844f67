#include "methods/network_methods.h"

#include <gtest/gtest.h>

#include <set>

#include "math/kernels.h"
#include "math/unit.h"
#include "method_checks.h"
#include "small_corpus.h"

namespace idne {
namespace {

const std::vector<const Method*>& network_methods() {
  static const std::vector<const Method*> methods{&deepwalk_method(), &node2vec_method(), &verse_method()};
  return methods;
}

Options quick_network(const Method& method, const char* dim) {
  Options options = options_with(method, {{"dim", dim}});
  options.set(options.has("walks") ? "walks" : "pairs", options.has("walks") ? "4" : "200");
  return options;
}

TEST(NetworkMethods, HaveTheSameBitsAtAnyNumberOfThreads) {
  const Corpus corpus = small_corpus(300, 50, 3);
  for (const Method* method : network_methods()) {
    expect_same_bits_at_any_number_of_threads(*method, corpus, quick_network(*method, "200"),
                                              {&layout::kDocumentVectors});
  }
}

TEST(NetworkMethods, LinkedDocumentsAreCloserAndUnlinkedOnesAreZeros) {
  // Two rings with chords that share one link; the last document has none.
  std::vector<Link> links{{0, 30, 1}};
  for (std::uint32_t ring = 0; ring < 2; ++ring) {
    for (std::uint32_t i = 0; i < 30; ++i) {
      for (const std::uint32_t apart : {1u, 7u}) {
        const std::uint32_t a = ring * 30 + i, b = ring * 30 + (i + apart) % 30;
        links.push_back({std::min(a, b), std::max(a, b), 1});
      }
    }
  }
  Corpus corpus = small_corpus(61, 20, 1);
  corpus.network = Network(61, links, {});
  for (const Method* method : network_methods()) {
    Options options = quick_network(*method, "16");
    if (options.has("pairs")) options.set("pairs", "5000");
    if (options.has("walks")) options.set("walks", "40");
    const Model model = method->fit(corpus, options, {});
    const std::vector<float> vectors = unit_rows(model.documents().vectors, 1);
    double same = 0, other = 0;
    for (std::size_t i = 0; i < 60; ++i) {
      for (std::size_t j = 0; j < 60; ++j) {
        if (i != j) (i / 30 == j / 30 ? same : other) += dot(&vectors[i * 16], &vectors[j * 16], 16);
      }
    }
    EXPECT_GT(same / (60 * 29), other / (60 * 30) + 0.3) << method->name();
    for (const float x : model.documents().vectors.row(60)) EXPECT_EQ(x, 0);
  }
}

TEST(NetworkMethods, NeedLinksAndSayThatTheyCannotReadTexts) {
  for (const Method* method : network_methods()) {
    EXPECT_FALSE(method->inductive());
    for (const Corpus& corpus : odd_corpora()) {
      const Options options = quick_network(*method, "8");
      if (corpus.network.links() > 0) {
        expect_finite_vectors(method->fit(corpus, options, {}), corpus);
        continue;
      }
      try {
        method->fit(corpus, options, {});
        ADD_FAILURE() << method->name();
      } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()),
                  fmt::format("{} learns from links alone, and the corpus has none", method->name()));
      }
    }
    EXPECT_THROW(method->encoder(Model()), Error);
  }
}

struct Windows {
  explicit Windows(const WindowSettings& settings) : settings(settings) {}
  WindowSettings settings;
  Corpus corpus = small_corpus(300, 20, 2);  // of which the last has no link
  RememberingWalks walks{corpus.network, 0.5, 2};
  std::vector<std::uint32_t> linked = [] {
    std::vector<std::uint32_t> all(299);
    for (std::uint32_t i = 0; i < 299; ++i) all[i] = i;
    return all;
  }();
  WalkWindows windows{linked, 300, walks, settings, {}};
};

TEST(WalkWindows, EveryLinkedDocumentStartsEachRoundOfWalks) {
  const Windows made({.walks = 3, .length = 5, .window = 2, .negatives = 2, .seed = 1});
  ASSERT_EQ(made.windows.walk_count(), 3u * 299);
  std::vector<std::vector<std::uint32_t>> orders(3);
  for (std::uint64_t n = 0; n < made.windows.walk_count(); ++n) {
    std::vector<std::uint32_t> walk(5);
    made.windows.draw_walk(n, walk);
    orders[n / 299].push_back(walk[0]);
  }
  EXPECT_NE(orders[0], orders[1]);
  for (const auto& order : orders) EXPECT_EQ(std::set(order.begin(), order.end()).size(), 299u);
}

TEST(WalkWindows, StepsHaveEveryPlaceOfEveryWalkOnce) {
  // More walks than are walked at a time, and walks that do not fill the last step.
  Windows made({.walks = 15, .length = 5, .window = 2, .negatives = 2, .seed = 1});
  const idne::Run run;
  const SkipGramSteps steps = made.windows.steps(run);
  std::multiset<std::uint32_t> centres, expected;
  SkipGramStep step;
  for (std::uint64_t s = 0; s < steps.count; ++s) {
    if (s % steps.stretch == 0) steps.make_ready(s / steps.stretch);
    steps.make(s, step);
    ASSERT_GT(step.windows(), 0u);
    ASSERT_EQ(step.outputs.size(), 3 * step.windows());
    for (std::size_t n = 0; n < step.windows(); ++n) {
      centres.insert(step.outputs[3 * n]);
      const std::uint32_t near = step.begin[n + 1] - step.begin[n];
      EXPECT_TRUE(near >= 1 && near <= 4) << near;
      for (const std::size_t k : {1u, 2u}) EXPECT_NE(step.outputs[3 * n + k], 299u) << "nobody walks there";
    }
  }
  std::vector<std::uint32_t> walk(5);
  for (std::uint64_t n = 0; n < made.windows.walk_count(); ++n) {
    made.windows.draw_walk(n, walk);
    expected.insert(walk.begin(), walk.end());
  }
  EXPECT_EQ(centres, expected);
}

}  // namespace
}  // namespace idne
