#include "methods/cane_batch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "small_corpus.h"

namespace idne {
namespace {

using Vector = std::vector<double>;
using Matrix = std::vector<Vector>;

// The definition, in double precision and plain loops.

struct PlainParameters {
  Matrix words, filters, attention, structure;
};

Vector times(const Vector& x, const Matrix& m, std::size_t from, std::size_t to) {
  Vector out(to - from);
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t k = from; k < to; ++k) out[k - from] += x[i] * m[i][k];
  }
  return out;
}

double product(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

Matrix plain_positions(const PlainParameters& p, std::span<const std::uint32_t> text) {
  const std::size_t d = p.filters.size();
  Matrix rows;
  for (std::size_t t = 0; t < text.size(); ++t) {
    if (t + 1 == text.size() && t > 0) break;
    Vector row = times(p.words[text[t]], p.filters, 0, d);
    if (t + 1 < text.size()) {
      const Vector second = times(p.words[text[t + 1]], p.filters, d, 2 * d);
      for (std::size_t k = 0; k < d; ++k) row[k] += second[k];
    }
    for (double& x : row) x = std::tanh(x);
    rows.push_back(row);
  }
  return rows;
}

Vector plain_weighted(const Matrix& rows, Vector scores, std::size_t d) {
  double sum = 0;
  for (double& x : scores) sum += x = std::exp(x);
  Vector out(d);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t k = 0; k < d; ++k) out[k] += scores[i] / sum * rows[i][k];
  }
  return out;
}

/// The vectors of two texts, each in the light of the other.
std::pair<Vector, Vector> plain_attention(const PlainParameters& parameters, const Matrix& p, const Matrix& q) {
  const std::size_t d = parameters.filters.size();
  Vector first(p.size()), second(q.size());
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (std::size_t j = 0; j < q.size(); ++j) {
      const double score = std::tanh(product(times(p[i], parameters.attention, 0, d), q[j]));
      first[i] += score / static_cast<double>(q.size());
      second[j] += score / static_cast<double>(p.size());
    }
  }
  return {plain_weighted(p, first, d), plain_weighted(q, second, d)};
}

double plain_loss(const PlainParameters& parameters, const CaneTexts& texts, std::span<const CaneEdge> edges,
                  const CaneWeights& weights) {
  const auto structure = [&](std::uint32_t document) {
    Vector vector = parameters.structure[document];
    const double length = std::sqrt(product(vector, vector));
    for (double& x : vector) x /= std::max(1.0, length);
    return vector;
  };
  const auto loss = [](double x) { return -std::log(1 / (1 + std::exp(-x)) + 0.001); };
  double sum = 0;
  for (const CaneEdge& edge : edges) {
    const Matrix p = plain_positions(parameters, texts.words(edge.from));
    const Matrix q = plain_positions(parameters, texts.words(edge.to));
    const Matrix n = plain_positions(parameters, texts.words(edge.other));
    const auto [from, to] = plain_attention(parameters, p, q);
    const Vector other = plain_attention(parameters, p, n).second;
    const Vector s_from = structure(edge.from), s_to = structure(edge.to), s_other = structure(edge.other);
    sum += weights.text * (loss(product(from, to)) + loss(-product(from, other)));
    sum += weights.structure * (loss(product(s_from, s_to)) + loss(-product(s_from, s_other)));
    sum += weights.cross * (loss(product(to, s_from)) + loss(-product(other, s_from)));
    sum += weights.cross * (loss(product(from, s_to)) + loss(-product(other, s_to)));
  }
  return sum;
}

/// A small corpus with random parameters, in both forms. Some structure vectors are longer than 1, some shorter.
struct Example {
  static constexpr std::size_t d = 5, documents = 9, words = 13;

  Example() {
    Random random(4, Purpose::Generate, 9);
    const auto fill = [&](std::size_t rows, std::size_t columns, std::vector<float>& floats, Matrix& plain) {
      plain.assign(rows, Vector(columns));
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t k = 0; k < columns; ++k) {
          floats.push_back(0.55f * random.truncated_normal());
          plain[i][k] = floats.back();
        }
      }
    };
    fill(words, d, parameters.words, plain.words);
    fill(d, 2 * d, parameters.filters, plain.filters);
    fill(d, d, parameters.attention, plain.attention);
    fill(documents, d, parameters.structure, plain.structure);
  }

  const Corpus corpus = small_corpus(documents, words, 2);
  const CaneTexts texts{corpus.counts, 300, 1};
  const CaneWeights weights{1, 0.3f, 0.5f};
  // Document 3 has no words; a link may come twice, a document may stand at several places, even against itself.
  const std::vector<CaneEdge> edges{{0, 1, 4}, {1, 2, 0}, {3, 4, 5}, {6, 3, 0}, {7, 6, 3}, {0, 1, 8}, {5, 4, 5}};
  CaneParameters parameters;
  PlainParameters plain;
};

TEST(CaneBatch, LossAndGradientsAreThoseOfTheDefinition) {
  Example example;
  constexpr std::size_t d = Example::d;
  std::size_t longer = 0;
  for (const Vector& vector : example.plain.structure) longer += product(vector, vector) > 1;
  ASSERT_GT(longer, 1u);
  ASSERT_LT(longer, Example::documents - 1);
  CaneBatch batch(example.texts, Example::words, d, example.weights);
  const double loss = batch.run(example.parameters, example.edges, 1);
  EXPECT_NEAR(loss, plain_loss(example.plain, example.texts, example.edges, example.weights), 1e-4);

  const auto compare = [&](const char* name, Matrix& values, std::span<const std::uint32_t> rows,
                           std::span<const float> gradients) {
    std::vector<int> touched(values.size(), -1);
    for (std::size_t n = 0; n < rows.size(); ++n) touched[rows[n]] = static_cast<int>(n);
    const std::size_t columns = values[0].size();
    ASSERT_EQ(gradients.size(), rows.size() * columns);
    for (std::size_t i = 0; i < values.size(); ++i) {
      for (std::size_t k = 0; k < columns; ++k) {
        constexpr double kStep = 1e-5;
        const double value = values[i][k];
        values[i][k] = value + kStep;
        const double above = plain_loss(example.plain, example.texts, example.edges, example.weights);
        values[i][k] = value - kStep;
        const double below = plain_loss(example.plain, example.texts, example.edges, example.weights);
        values[i][k] = value;
        const double ours = touched[i] < 0 ? 0 : gradients[static_cast<std::size_t>(touched[i]) * columns + k];
        EXPECT_NEAR(ours, (above - below) / (2 * kStep), 2e-5) << name << " " << i << " " << k;
      }
    }
  };
  const std::vector<std::uint32_t> all{0, 1, 2, 3, 4};
  compare("words", example.plain.words, batch.words(), batch.word_gradients());
  compare("filters", example.plain.filters, all, batch.filter_gradients());
  compare("attention", example.plain.attention, all, batch.attention_gradients());
  compare("structure", example.plain.structure, batch.documents(), batch.structure_gradients());
}

TEST(CaneBatch, KeepsNothingFromTheBatchBefore) {
  const Example example;
  CaneBatch used(example.texts, Example::words, Example::d, example.weights);
  CaneBatch fresh(example.texts, Example::words, Example::d, example.weights);
  used.run(example.parameters, example.edges, 1);
  const std::span second(example.edges.data() + 2, 3);
  EXPECT_EQ(used.run(example.parameters, second, 1), fresh.run(example.parameters, second, 1));
  EXPECT_TRUE(std::ranges::equal(used.words(), fresh.words()));
  EXPECT_TRUE(std::ranges::equal(used.word_gradients(), fresh.word_gradients()));
  EXPECT_TRUE(std::ranges::equal(used.structure_gradients(), fresh.structure_gradients()));
  EXPECT_TRUE(std::ranges::equal(used.attention_gradients(), fresh.attention_gradients()));
}

TEST(CaneAttend, IsTheDefinitionForLargeScoresToo) {
  constexpr std::size_t d = 3;
  const std::vector<float> p{40, -3, 0.5f, 0.001f, 2, -9}, q{1, 2, 3, -4, 0.1f, 0, 0.3f, -0.2f, 0.1f};
  CaneAttention attention;
  attend({p.data(), 2, d}, {q.data(), 3, d}, attention);
  Vector first(2), second(3);
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      double score = 0;
      for (std::size_t k = 0; k < d; ++k) score += p[i * d + k] * q[j * d + k];
      EXPECT_NEAR(attention.scores[i * 3 + j], std::tanh(score), 2e-7);
      first[i] += std::tanh(score) / 3, second[j] += std::tanh(score) / 2;
    }
  }
  EXPECT_NEAR(attention.first[0] / attention.first[1], std::exp(first[0] - first[1]), 1e-6);
  EXPECT_NEAR(attention.second[0] / attention.second[2], std::exp(second[0] - second[2]), 1e-6);
  EXPECT_NEAR(attention.second[0] + attention.second[1] + attention.second[2], 1, 1e-6);
}

TEST(CaneAttend, TextWithoutPositionsLeavesEqualWeights) {
  const std::vector<float> p{1, 2, 3, 4, 5, 6};
  CaneAttention attention;
  attend({p.data(), 3, 2}, {nullptr, 0, 2}, attention);
  for (const float weight : attention.first) EXPECT_NEAR(weight, 1.0 / 3, 1e-7);
  EXPECT_TRUE(attention.second.empty());
}

TEST(CaneTexts, AreTheBagsInAnOrderOfTheirOwn) {
  CountMatrix counts;
  counts.add_row(std::vector<WordCount>{{1, 2}, {4, 1}});
  counts.add_row({});
  counts.add_row(std::vector<WordCount>{{3, 1}});
  std::vector<WordCount> many;
  for (std::uint32_t w = 0; w < 100; ++w) many.push_back({w, 1 + w % 2});
  counts.add_row(many);
  const auto words = [](const CaneTexts& texts, std::size_t i) {
    return std::vector<std::uint32_t>(texts.words(i).begin(), texts.words(i).end());
  };
  const CaneTexts texts(counts, 1000, 1), same(counts, 1000, 1), other(counts, 1000, 2), cut(counts, 20, 1);
  for (std::size_t i = 0; i < 4; ++i) {
    const auto row = counts.row(i);
    EXPECT_EQ(count_words(words(texts, i)), std::vector<WordCount>(row.begin(), row.end())) << i;
    EXPECT_EQ(words(texts, i), words(same, i)) << i;
  }
  EXPECT_FALSE(std::ranges::is_sorted(words(texts, 3)));
  EXPECT_NE(words(texts, 3), words(other, 3));
  ASSERT_EQ(cut.words(3).size(), 20u);
  EXPECT_GT(std::ranges::max(cut.words(3)), 50u);  // not the first words of the bag
  EXPECT_LT(std::ranges::min(cut.words(3)), 50u);
}

}  // namespace
}  // namespace idne
