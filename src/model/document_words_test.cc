#include "model/document_words.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "small_corpus.h"

namespace idne {
namespace {

TEST(DocumentWords, ComeBackFromTheModel) {
  const Corpus corpus = small_corpus(30, 20, 1);
  Model model;
  EXPECT_FALSE(has_document_words(model));
  EXPECT_THROW(document_words(model), Error);
  EXPECT_THROW(document_words(model, 0), Error);
  store_document_words(model, corpus.counts);
  model.add("documents.vectors", std::vector<float>(30), {30, 1});
  ASSERT_TRUE(has_document_words(model));
  const CountMatrix counts = document_words(model);
  ASSERT_EQ(counts.rows(), 30u);
  for (std::size_t i = 0; i < 30; ++i) {
    EXPECT_TRUE(std::ranges::equal(counts.row(i), corpus.counts.row(i)));
    EXPECT_TRUE(std::ranges::equal(document_words(model, i), corpus.counts.row(i)));
  }
}

}  // namespace
}  // namespace idne
