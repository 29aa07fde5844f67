#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>

#include "idne/method.h"

/// What holds for every method.
namespace idne {

/// The named tensors, and the metadata, do not depend on the number of threads.
inline void expect_same_bits_at_any_number_of_threads(const Method& method, const Corpus& corpus,
                                                      const Options& options,
                                                      std::initializer_list<const char*> tensors) {
  const auto fit = [&](int threads) {
    idne::Run run;
    run.threads = threads;
    return method.fit(corpus, options, run);
  };
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

}  // namespace idne
