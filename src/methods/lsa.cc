#include "methods/lsa.h"

#include <cmath>

#include "math/kernels.h"
#include "model/tensors.h"

namespace idne {
namespace {

const std::vector<OptionSpec>& lsa_options() {
  static const std::vector<OptionSpec> table{
      OptionSpec::whole("dim", 256, "dimensions of the space").within(1, 8192),
      OptionSpec::whole("seed", 1, "seed of all random numbers").within(0, 9e15),
  };
  return table;
}

/// The vector Σ_w X_w W_w, scaled so that its tf-idf row has unit length.
class LsaEncoder : public Encoder {
 public:
  LsaEncoder(MatrixView words, std::span<const float> idf) : words_(words), idf_(idf) {}
  std::size_t dimensions() const override { return words_.columns; }
  void encode(std::span<const WordCount> words, std::span<float> out) const override {
    const double scale = scale_of(words);
    std::vector<Term> terms;
    for (const WordCount& entry : words) terms.push_back({entry.word, static_cast<float>(entry.count * scale)});
    weighted_sum(words_.data, words_.columns, terms.data(), terms.size(), words_.columns, out.data());
  }
  std::optional<std::vector<WordTerm>> terms(std::span<const WordCount> words) const override {
    const double scale = scale_of(words);
    std::vector<WordTerm> terms;
    for (const WordCount& entry : words) terms.push_back({entry.word, entry.count * scale});
    return terms;
  }

 private:
  double scale_of(std::span<const WordCount> words) const {
    double square = 0;
    for (const WordCount& entry : words) square += std::pow(static_cast<double>(entry.count) * idf_[entry.word], 2);
    return square > 0 ? 1 / std::sqrt(square) : 0;
  }

  MatrixView words_;
  std::span<const float> idf_;
};

class Lsa : public Method {
 public:
  std::string_view name() const override { return "lsa"; }
  std::string_view summary() const override { return "text alone: tf-idf and truncated SVD"; }
  std::span<const OptionSpec> options() const override { return lsa_options(); }

  Model fit(const Corpus& corpus, const Options& options, const Run& run) const override {
    const std::size_t dimensions = options.size("dim");
    std::vector<float> words = lsa_word_vectors(corpus.counts, corpus.words(), dimensions,
                                                static_cast<std::uint64_t>(options.integer("seed")), run);
    run.check();
    const auto idf = inverse_document_frequency(corpus.counts, corpus.words());
    const std::vector<float> idf_floats(idf.begin(), idf.end());
    Model model;
    ModelMaker maker(model);
    const LsaEncoder encoder({words.data(), corpus.words(), dimensions}, idf_floats);
    maker.set(layout::kDocumentVectors, encode_all(corpus.counts, encoder, run), corpus.documents(), dimensions);
    maker.set(layout::kWordVectors, std::move(words), corpus.words(), dimensions);
    maker.set(layout::kWordIdf, idf_floats);
    return model;
  }

  std::unique_ptr<Encoder> encoder(const Model& model) const override {
    const ModelTensors tensors(model);
    const MatrixView words = tensors.matrix(layout::kWordVectors);
    const auto idf = tensors.floats(layout::kWordIdf);
    if (idf.size() != words.rows) throw Error("the model's words and idf differ in number");
    return std::make_unique<LsaEncoder>(words, idf);
  }
};

}  // namespace

std::vector<double> inverse_document_frequency(const CountMatrix& counts, std::size_t words) {
  std::vector<double> in_documents(words);
  for (std::size_t i = 0; i < counts.rows(); ++i) {
    for (const WordCount& entry : counts.row(i)) ++in_documents[entry.word];
  }
  for (double& n : in_documents) n = std::log(static_cast<double>(counts.rows()) / std::max(1.0, n));
  return in_documents;
}

SparseRows tf_idf(const CountMatrix& counts, const std::vector<double>& idf) {
  SparseRows rows;
  rows.columns = idf.size();
  for (std::size_t i = 0; i < counts.rows(); ++i) {
    double square = 0;
    for (const WordCount& entry : counts.row(i)) square += std::pow(entry.count * idf[entry.word], 2);
    const double scale = square > 0 ? 1 / std::sqrt(square) : 0;
    for (const WordCount& entry : counts.row(i)) {
      rows.entries.push_back({entry.word, static_cast<float>(entry.count * idf[entry.word] * scale)});
    }
    rows.offsets.push_back(rows.entries.size());
  }
  return rows;
}

namespace {

void multiply_rows(const std::vector<double>& factors, std::size_t dimensions, std::vector<float>& rows) {
  for (std::size_t w = 0; w < factors.size(); ++w) {
    for (std::size_t k = 0; k < dimensions; ++k) rows[w * dimensions + k] *= static_cast<float>(factors[w]);
  }
}

}  // namespace

std::vector<float> lsa_word_vectors(const CountMatrix& counts, std::size_t words, std::size_t dimensions,
                                    std::uint64_t seed, const Run& run) {
  const auto idf = inverse_document_frequency(counts, words);
  std::vector<float> vectors = truncated_svd(tf_idf(counts, idf), dimensions, seed, run).right;
  multiply_rows(idf, dimensions, vectors);
  return vectors;
}

std::vector<float> lsa_words_turned(const CountMatrix& counts, std::size_t words, std::size_t dimensions,
                                    std::uint64_t seed, const Run& run) {
  const auto idf = inverse_document_frequency(counts, words);
  std::vector<float> vectors = right_singular_space(tf_idf(counts, idf), dimensions, seed, run);
  multiply_rows(idf, dimensions, vectors);
  return vectors;
}

const Method& lsa_method() {
  static const Lsa method;
  return method;
}

}  // namespace idne
