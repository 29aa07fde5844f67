#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <vector>

#include "idne/method.h"
#include "with_threads.h"

/// What holds for every method.
namespace idne {

/// The named tensors, and the metadata, do not depend on the number of threads.
inline void expect_same_bits_at_any_number_of_threads(const Method& method, const Corpus& corpus,
                                                      const Options& options,
                                                      std::initializer_list<const char*> tensors) {
  const auto fit = [&](int threads) { return method.fit(corpus, options, with_threads(threads)); };
  const Model one = fit(1);
  for (const int threads : {2, 3}) {
    const Model more = fit(threads);
    for (const char* name : tensors) {
      EXPECT_TRUE(std::ranges::equal(one.floats(name), more.floats(name))) << name << " " << threads;
    }
    EXPECT_EQ(one.metadata, more.metadata);
  }
}

/// Encoded again from their words, documents have the vectors that the model keeps.
inline void expect_encoder_gives_stored_vectors(const Method& method, const Corpus& corpus, const Options& options) {
  const Model model = method.fit(corpus, options, {});
  const auto encoder = method.encoder(model);
  ASSERT_EQ(encoder->dimensions(), model.documents().columns);
  for (std::size_t i = 0; i < corpus.documents(); ++i) {
    std::vector<float> vector(encoder->dimensions(), -1);
    encoder->encode(corpus.counts.row(i), vector);
    EXPECT_TRUE(std::ranges::equal(vector, model.documents().row(i))) << i;
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
  ASSERT_EQ(model.documents().rows, corpus.documents());
  for (const float x : model.floats("documents.vectors")) EXPECT_TRUE(std::isfinite(x));
}

}  // namespace idne
