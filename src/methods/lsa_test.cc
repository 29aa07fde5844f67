#include "methods/lsa.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "dense_svd.h"
#include "idne/train.h"
#include "method_checks.h"
#include "small_corpus.h"
#include "temp_folder.h"

namespace idne {
namespace {

Options with_dimensions(std::string_view dim) {
  Options options(lsa_method().options());
  options.set("dim", dim);
  return options;
}

/// The definition: tf-idf rows of unit length, as a dense matrix.
std::vector<std::vector<double>> dense_tf_idf(const Corpus& corpus) {
  std::vector<double> in_documents(corpus.words());
  for (std::size_t i = 0; i < corpus.documents(); ++i) {
    for (const WordCount& entry : corpus.counts.row(i)) ++in_documents[entry.word];
  }
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < corpus.documents(); ++i) {
    std::vector<double> row(corpus.words());
    double square = 0;
    for (const WordCount& entry : corpus.counts.row(i)) {
      const double tf = static_cast<double>(entry.count) / static_cast<double>(corpus.counts.length(i));
      row[entry.word] = tf * std::log(static_cast<double>(corpus.documents()) / in_documents[entry.word]);
      square += row[entry.word] * row[entry.word];
    }
    for (double& x : row) x = square > 0 ? x / std::sqrt(square) : 0;
    rows.push_back(row);
  }
  return rows;
}

template <class Row>
double dot_of_rows(const Row& a, const Row& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

TEST(Lsa, ProductsOfDocumentsAreThoseOfDenseLsa) {
  const Corpus corpus = small_corpus(40, 25, 1);
  const auto rows = dense_tf_idf(corpus);
  const DenseSvd svd = dense_svd(rows);
  for (const std::size_t dimensions : {3u, 12u, 30u}) {  // 30: more than there are words
    const Model model = lsa_method().fit(corpus, with_dimensions(std::to_string(dimensions)), {});
    const MatrixView documents = model.documents().vectors;
    ASSERT_EQ(documents.rows, 40u);
    ASSERT_EQ(documents.columns, dimensions);
    std::vector<std::vector<double>> projected(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t k = 0; k < std::min(dimensions, svd.values.size()); ++k) {
        projected[i].push_back(dot_of_rows(rows[i], svd.vectors[k]));
      }
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t j = 0; j < rows.size(); ++j) {
        EXPECT_NEAR(dot_of_rows(documents.row(i), documents.row(j)), dot_of_rows(projected[i], projected[j]), 5e-3)
            << dimensions << " dimensions, documents " << i << " and " << j;
      }
    }
  }
}

TEST(Lsa, EncoderGivesADocumentItsStoredVector) {
  expect_encoder_gives_stored_vectors(lsa_method(), small_corpus(20, 15, 2), with_dimensions("6"));
}

TEST(Lsa, EmptyDocumentGetsZeroVector) {
  const Corpus corpus = small_corpus(20, 15, 2);
  ASSERT_TRUE(corpus.counts.row(3).empty());
  const Model model = lsa_method().fit(corpus, with_dimensions("6"), {});
  for (const float x : model.documents().vectors.row(3)) EXPECT_EQ(x, 0);
  std::vector<float> vector(6, -1);
  lsa_method().encoder(model)->encode({}, vector);
  EXPECT_EQ(vector, std::vector<float>(6));
}

TEST(Lsa, WordsOfAllDocumentsCountForNothing) {
  Corpus corpus;
  for (const char* word : {"common", "left", "right"}) corpus.vocabulary.words.add(word);
  corpus.vocabulary.counts = {4, 2, 2};
  for (const std::uint32_t side : {1u, 1u, 2u, 2u}) corpus.counts.add_row(std::vector<WordCount>{{0, 9}, {side, 1}});
  corpus.network = Network(4, {}, {});
  const Model model = lsa_method().fit(corpus, with_dimensions("2"), {});
  const MatrixView documents = model.documents().vectors;
  EXPECT_NEAR(dot_of_rows(documents.row(0), documents.row(1)), 1, 1e-5);
  EXPECT_NEAR(dot_of_rows(documents.row(0), documents.row(2)), 0, 1e-5);
}

TEST(Lsa, CorpusWithoutWordsGivesZeros) {
  Corpus corpus;
  for (int i = 0; i < 3; ++i) corpus.counts.add_row({});
  corpus.network = Network(3, {}, {});
  const Model model = lsa_method().fit(corpus, with_dimensions("2"), {});
  ASSERT_EQ(model.documents().size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(model.documents().vectors.row(i)[0], 0);
}

TEST(Lsa, SameBitsAtAnyNumberOfThreads) {
  const Corpus corpus = small_corpus(200, 90, 3);
  expect_same_bits_at_any_number_of_threads(lsa_method(), corpus, with_dimensions("8"),
                                            {&layout::kDocumentVectors, &layout::kWordVectors});
}

TEST(Lsa, SavedModelEmbedsTheTextsItWasTrainedOn) {
  const TempFolder folder;
  const std::vector<std::string> texts{"moon tide moon", "tide sail", "sail boat moon", "boat"};
  std::string lines;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    lines += fmt::format(R"({{"id": "{}", "text": "{}"}})", i, texts[i]) + "\n";
  }
  const Collection collection = read_collection(folder.write("documents.jsonl", lines), {}, {});
  const VocabularyRule all_words{.min_count = 1, .max_share = 1};
  train(collection, "lsa", with_dimensions("3"), all_words, {}).save(folder.path("model"));
  const Model model = Model::load(folder.path("model"));
  EXPECT_EQ(model.info().method, "lsa");
  const TextEncoder encoder(model);
  Tokenizer tokenizer;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::vector<float> vector(encoder.dimensions());
    encoder.encode(encoder.words(texts[i], tokenizer), {}, vector);
    const auto stored = model.documents().vectors.row(i);
    EXPECT_EQ(vector, std::vector<float>(stored.begin(), stored.end())) << i;
    EXPECT_GT(dot_of_rows(stored, stored), 0.1) << i;
  }
}

}  // namespace
}  // namespace idne
