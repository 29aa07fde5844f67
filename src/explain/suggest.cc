#include "idne/suggest.h"

#include <algorithm>
#include <cmath>

#include "explain/explain.h"
#include "explain/label_head.h"
#include "idne/search.h"
#include "model/document_words.h"

namespace idne {
namespace {

std::vector<SuggestedLabel> suggest_labels(const Model& model, std::span<const float> vector, std::size_t count) {
  if (!model.has("labels.weights")) return {};
  const MatrixView weights = model.matrix("labels.weights");
  if (weights.columns != vector.size() + 1 || weights.rows != model.strings("labels.names").size()) {
    throw Error("this model's labels.weights do not fit its labels and vectors; train it again");
  }
  const bool one_label = one_label_each(model.numbers64("documents.labels.offsets"));
  const std::vector<double> probabilities = label_probabilities(weights, vector, one_label);
  std::vector<SuggestedLabel> labels;
  for (std::size_t k = 0; k < probabilities.size(); ++k) labels.push_back({k, probabilities[k]});
  std::stable_sort(labels.begin(), labels.end(),
                   [](const SuggestedLabel& a, const SuggestedLabel& b) { return a.probability > b.probability; });
  labels.resize(std::min(count, labels.size()));
  return labels;
}

double length(std::span<const float> vector) {
  double square = 0;
  for (const float x : vector) square += static_cast<double>(x) * x;
  return std::sqrt(square);
}

/// The reasons for a link, out of the words of the new text.
class Reasons {
 public:
  Reasons(const Model& model, const TextEncoder& encoder, std::span<const WordCount> words,
          std::span<const float> vector)
      : model_(model), joined_(encoder.joined()), length_(length(vector)) {
    const auto terms = word_terms(model, words);
    if (!terms) return;
    terms_ = *terms;
    text_ = sum_of_terms(model.words(), terms_);
    text_length_ = std::sqrt(product(text_, text_));
    if (joined_) stretch_ = model.matrix("documents.stretch");
    if (model.has("topics.vectors")) views_ = topic_views(model, words, terms_);
  }

  SuggestedLink link(const Hit& hit, const SuggestionCounts& counts) const {
    SuggestedLink link{hit.row, hit.score, {}, {}, {}};
    if (!(text_length_ > 0)) return link;
    const std::vector<double> towards = direction(hit.row);
    link.words = word_parts(model_.words(), terms_, towards);
    link.words.resize(std::min(counts.words, link.words.size()));
    if (!views_.empty()) link.topics = topic_parts(views_, towards);
    link.topics.resize(std::min(counts.topics, link.topics.size()));
    link.pairs = pairs(hit.row, counts.words);
    return link;
  }

 private:
  /// The vector of the word space whose product with the text's is the cosine with the document. Where documents are
  /// joined, both halves of a new text are its own vector, stretched, at unit length.
  std::vector<double> direction(std::size_t document) const {
    const auto row = model_.documents().row(document);
    std::vector<double> towards(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(text_.size()));
    if (joined_) {
      std::fill(towards.begin(), towards.end(), 0.0);
      for (const std::size_t half : {0u, 1u})
        add_half(half, row.subspan(half * towards.size(), towards.size()), towards);
    }
    const double scale = length(row) * length_;
    for (double& value : towards) value = scale > 0 ? value / scale : 0;
    return towards;
  }

  /// Adds S r / |S t|: its product with the text t is that of the half r with the text's, S t at unit length.
  void add_half(std::size_t half, std::span<const float> row, std::vector<double>& towards) const {
    const std::size_t width = towards.size();
    std::vector<double> stretched_row(width), stretched_text(width);
    for (std::size_t d = 0; d < width; ++d) {
      const auto stretch = stretch_.row(half * width + d);
      for (std::size_t e = 0; e < width; ++e) {
        stretched_row[d] += static_cast<double>(stretch[e]) * row[e];
        stretched_text[d] += stretch[e] * text_[e];
      }
    }
    const double norm = std::sqrt(product(stretched_text, stretched_text));
    for (std::size_t d = 0; d < width && norm > 0; ++d) towards[d] += stretched_row[d] / norm;
  }

  /// Pairs of words, if the document's vector is the sum over its words.
  std::vector<WordPair> pairs(std::size_t document, std::size_t count) const {
    if (!has_document_words(model_)) return {};
    const auto row = model_.documents().row(document);
    if (joined_ || length(row) == 0) return {};
    const auto terms = word_terms(model_, document_words(model_, document));
    if (!terms) return {};
    const std::vector<double> sum = sum_of_terms(model_.words(), *terms);
    double error = 0;
    for (std::size_t d = 0; d < sum.size(); ++d) error += std::pow(sum[d] - row[d], 2);
    constexpr double kRounding = 1e-8;
    if (!(error <= kRounding * product(sum, sum))) return {};
    return top_word_pairs(model_.words(), terms_, *terms, count, 1 / (length_ * length(row)));
  }

  const Model& model_;
  const bool joined_;
  const double length_;          ///< of the text's vector, as documents have it
  std::vector<WordTerm> terms_;  ///< and its words' parts in the word space
  std::vector<double> text_, views_;
  double text_length_ = 0;
  MatrixView stretch_;  ///< of both halves, where documents are joined with their neighbours
};

}  // namespace

void add_label_head(Model& model, const Collection& collection, const Run& run) {
  const std::size_t labels = collection.labels.size();
  std::vector<float> weights = fit_label_head(model.documents(), collection.document_labels, labels, run);
  if (!weights.empty()) model.add("labels.weights", std::move(weights), {labels, model.documents().columns + 1});
}

Suggestions suggest(const Model& model, const TextEncoder& encoder, std::span<const WordCount> words,
                    const SuggestionCounts& counts, int threads) {
  return suggest(model, encoder, words, counts, [&](std::span<const float> query, std::size_t count) {
    return nearest(model.documents(), query, count, threads);
  });
}

Suggestions suggest(const Model& model, const TextEncoder& encoder, std::span<const WordCount> words,
                    const SuggestionCounts& counts, const NearestSearch& search,
                    std::span<const std::int32_t> left_out) {
  Suggestions result;
  std::vector<float> vector(encoder.dimensions());
  encoder.encode(words, {}, vector);
  if (length(vector) == 0) return result;
  result.labels = suggest_labels(model, vector, counts.labels);
  const Reasons reasons(model, encoder, words, vector);
  for (const Hit& hit : search(vector, counts.links + left_out.size())) {
    if (result.links.size() == counts.links) break;
    if (std::binary_search(left_out.begin(), left_out.end(), static_cast<std::int32_t>(hit.row))) continue;
    result.links.push_back(reasons.link(hit, counts));
  }
  return result;
}

}  // namespace idne
