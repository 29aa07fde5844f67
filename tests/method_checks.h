#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <vector>

#include "methods/method.h"
#include "model/tensors.h"
#include "with_threads.h"

/// What holds for every method.
namespace idne {

inline Options options_with(const Method& method, std::initializer_list<std::pair<const char*, const char*>> values) {
  Options options(method.options());
  for (const auto& [name, value] : values) options.set(name, value);
  return options;
}

/// The named tensors, and what is known of the model, do not depend on the number of threads.
inline void expect_same_bits_at_any_number_of_threads(const Method& method, const Corpus& corpus,
                                                      const Options& options,
                                                      std::initializer_list<const layout::Entry*> entries) {
  const auto fit = [&](int threads) { return method.fit(corpus, options, with_threads(threads)); };
  const Model one = fit(1);
  for (const int threads : {2, 3}) {
    const Model more = fit(threads);
    for (const layout::Entry* entry : entries) {
      EXPECT_TRUE(std::ranges::equal(ModelTensors(one).floats(*entry), ModelTensors(more).floats(*entry)))
          << entry->name << " " << threads;
    }
    EXPECT_EQ(one.info(), more.info());
  }
}

/// Encoded again from their words, documents have the vectors that the model keeps; where they are sums over words, the
/// sums too.
inline void expect_encoder_gives_stored_vectors(const Method& method, const Corpus& corpus, const Options& options) {
  const Model model = method.fit(corpus, options, {});
  const auto encoder = method.encoder(model);
  ASSERT_EQ(encoder->dimensions(), model.documents().vectors.columns);
  for (std::size_t i = 0; i < corpus.documents(); ++i) {
    std::vector<float> vector(encoder->dimensions(), -1);
    encoder->encode(corpus.counts.row(i), vector);
    EXPECT_TRUE(std::ranges::equal(vector, model.documents().vectors.row(i))) << i;
    if (const auto terms = encoder->terms(corpus.counts.row(i))) {
      std::vector<double> sum(vector.size());
      for (const WordTerm& term : *terms) {
        for (std::size_t k = 0; k < sum.size(); ++k)
          sum[k] += term.coefficient * model.word_vectors().row(term.word)[k];
      }
      for (std::size_t k = 0; k < sum.size(); ++k) EXPECT_NEAR(sum[k], vector[k], 1e-5) << i << " " << k;
    }
    if (corpus.counts.row(i).empty()) {
      EXPECT_EQ(vector, std::vector<float>(vector.size())) << i;
    }
  }
}

/// Corpora of one and of four documents, with and without words, with and without links.
inline std::vector<Corpus> odd_corpora() {
  std::vector<Corpus> all;
  for (const std::uint32_t documents : {1u, 4u}) {
    for (const std::uint32_t words : {0u, 3u}) {
      for (const bool linked : {false, true}) {
        Corpus corpus;
        for (std::uint32_t w = 0; w < words; ++w) corpus.vocabulary.words.add(fmt::format("w{}", w));
        corpus.vocabulary.counts.assign(words, 1);
        std::vector<Link> links;
        for (std::uint32_t i = 0; i < documents; ++i) {
          corpus.counts.add_row(words ? std::vector<WordCount>{{i % words, 1}} : std::vector<WordCount>{});
          if (i > 0 && linked) links.push_back({i - 1, i, 1});
        }
        corpus.network = Network(documents, links, {});
        all.push_back(std::move(corpus));
      }
    }
  }
  return all;
}

inline void expect_finite_vectors(const Model& model, const Corpus& corpus) {
  ASSERT_EQ(model.documents().size(), corpus.documents());
  for (const float x : ModelTensors(model).floats(layout::kDocumentVectors)) EXPECT_TRUE(std::isfinite(x));
}

}  // namespace idne
