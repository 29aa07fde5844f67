#include "evaluate/adviser.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "idne/error.h"
#include "idne/suggest.h"
#include "suggest/label_head.h"

namespace idne {
namespace {

class WholeAdviser : public Adviser {
 public:
  explicit WholeAdviser(const TextEncoder& encoder)
      : suggester_(encoder), label_count_(encoder.model().labels().names.size()) {}

  std::vector<std::uint32_t> links(std::span<const WordCount> words, std::size_t count) const override {
    std::vector<std::uint32_t> documents;
    for (const SuggestedLink& link : suggester_.suggest(words, {0, count, 0, 0}).links) {
      documents.push_back(static_cast<std::uint32_t>(link.document));
    }
    return documents;
  }

  std::vector<LabelGuess> labels(std::span<const WordCount> words) const override {
    std::vector<LabelGuess> guesses;
    for (const SuggestedLabel& label : suggester_.suggest(words, {label_count_, 0, 0, 0}).labels) {
      guesses.push_back({label.label, label.probability});
    }
    return guesses;
  }

 private:
  Suggester suggester_;
  std::size_t label_count_;
};

class VectorAdviser : public Adviser {
 public:
  VectorAdviser(const TextEncoder& encoder, bool with_labels, const Run& run)
      : encoder_(encoder), documents_(encoder.model().documents().vectors) {
    for (std::size_t i = 0; i < documents_.rows; ++i) check_finite(documents_.row(i));
    if (!with_labels) return;
    const ListsView& labels = encoder.model().documents().labels;
    const std::size_t count = encoder.model().labels().names.size();
    weights_ = fit_label_head({labels, count, documents_}, run);
    if (!weights_.empty()) head_.emplace(weights_, count, nullptr, one_label_each(labels));
  }

  std::vector<std::uint32_t> links(std::span<const WordCount> words, std::size_t count) const override {
    const std::vector<float> vector = encoded(words);
    if (is_zero(vector)) return {};
    std::vector<std::uint32_t> documents;
    for (const Hit& hit : nearest(documents_, vector, count, 1))
      documents.push_back(static_cast<std::uint32_t>(hit.row));
    return documents;
  }

  std::vector<LabelGuess> labels(std::span<const WordCount> words) const override {
    const std::vector<float> vector = encoded(words);
    if (!head_ || is_zero(vector)) return {};
    return by_probability(head_->probabilities({}, vector));
  }

 private:
  static void check_finite(std::span<const float> vector) {
    if (!std::ranges::all_of(vector, [](float x) { return std::isfinite(x); })) {
      throw Error("the vectors are not numbers");
    }
  }
  static bool is_zero(const std::vector<float>& vector) {
    return std::ranges::all_of(vector, [](float x) { return x == 0; });
  }
  std::vector<float> encoded(std::span<const WordCount> words) const {
    std::vector<float> vector(encoder_.dimensions());
    encoder_.encode(words, {}, vector);
    check_finite(vector);
    return vector;
  }

  const TextEncoder& encoder_;
  MatrixView documents_;
  LabelWeights weights_;
  std::optional<LabelHead> head_;
};

}  // namespace

std::unique_ptr<Adviser> whole_adviser(const TextEncoder& encoder) { return std::make_unique<WholeAdviser>(encoder); }

std::unique_ptr<Adviser> vector_adviser(const TextEncoder& encoder, bool with_labels, const Run& run) {
  return std::make_unique<VectorAdviser>(encoder, with_labels, run);
}

std::vector<LabelGuess> by_probability(std::span<const double> probabilities) {
  std::vector<LabelGuess> guesses;
  for (std::size_t k = 0; k < probabilities.size(); ++k) {
    if (std::isnan(probabilities[k])) throw Error("the labels' probabilities are not numbers");
    guesses.push_back({k, probabilities[k]});
  }
  std::stable_sort(guesses.begin(), guesses.end(),
                   [](const LabelGuess& a, const LabelGuess& b) { return a.probability > b.probability; });
  return guesses;
}

}  // namespace idne
