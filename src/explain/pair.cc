#include <algorithm>
#include <cmath>
#include <queue>
#include <tuple>

#include "explain/explain.h"
#include "math/kernels.h"
#include "methods/attention.h"

namespace idne {
namespace {

/// Larger amounts first; equal ones by number.
template <class Pair>
bool before(const Pair& x, const Pair& y) {
  const double a = std::abs(x.part), b = std::abs(y.part);
  return a != b ? a > b : std::tie(x.a, x.b) < std::tie(y.a, y.b);
}

/// Keeps the pairs that come first.
template <class Pair>
class Best {
 public:
  explicit Best(std::size_t count) : count_(count) {}
  /// Whether a pair of this amount might still be kept.
  bool wants(double amount) const {
    return count_ > 0 && (kept_.size() < count_ || amount >= std::abs(kept_.top().part));
  }
  void offer(const Pair& pair) {
    if (pair.part == 0 || !wants(std::abs(pair.part))) return;
    kept_.push(pair);
    if (kept_.size() > count_) kept_.pop();
  }
  std::vector<Pair> sorted() {
    std::vector<Pair> result;
    for (; !kept_.empty(); kept_.pop()) result.push_back(kept_.top());
    std::reverse(result.begin(), result.end());
    return result;
  }

 private:
  struct Order {
    bool operator()(const Pair& x, const Pair& y) const { return before(x, y); }
  };
  std::size_t count_;
  std::priority_queue<Pair, std::vector<Pair>, Order> kept_;  // the last of them on top
};

double norm(std::span<const double> vector) { return std::sqrt(product(vector, vector)); }

template <class Pair>
double sum_of_parts(const std::vector<Pair>& pairs) {
  double sum = 0;
  for (const Pair& pair : pairs) sum += pair.part;
  return sum;
}

std::vector<TopicPair> top_topic_pairs(std::span<const double> views_a, std::span<const double> views_b,
                                       std::size_t width, std::size_t top) {
  Best<TopicPair> best(top);
  const auto view = [width](std::span<const double> views, std::size_t k) { return views.subspan(k * width, width); };
  std::vector<double> norms_b;
  for (std::size_t l = 0; l * width < views_b.size(); ++l) norms_b.push_back(norm(view(views_b, l)));
  for (std::size_t k = 0; k * width < views_a.size(); ++k) {
    if (norm(view(views_a, k)) == 0) continue;
    for (std::size_t l = 0; l < norms_b.size(); ++l) {
      if (norms_b[l] > 0) best.offer({k + 1, l + 1, product(view(views_a, k), view(views_b, l))});
    }
  }
  return best.sorted();
}

}  // namespace

std::vector<BoundedTerm> longest_first(MatrixView words, std::span<const WordTerm> terms, std::size_t most) {
  std::vector<BoundedTerm> result;
  for (const WordTerm& term : terms) {
    const float* row = words.row(term.word).data();
    result.push_back({term, std::abs(term.coefficient) * std::sqrt(static_cast<double>(dot(row, row, words.columns)))});
  }
  std::ranges::stable_sort(result, std::ranges::greater{}, &BoundedTerm::bound);
  if (result.size() > most) result.resize(most);
  return result;
}

double product(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t d = 0; d < a.size(); ++d) sum += a[d] * b[d];
  return sum;
}

std::vector<double> sum_of_terms(MatrixView words, std::span<const WordTerm> terms) {
  std::vector<double> sum(words.columns);
  for (const WordTerm& term : terms) {
    const auto row = words.row(term.word);
    for (std::size_t d = 0; d < sum.size(); ++d) sum[d] += term.coefficient * row[d];
  }
  return sum;
}

std::vector<double> topic_views(const Model& model, std::span<const WordCount> counts,
                                std::span<const WordTerm> terms) {
  const MatrixView words = model.word_vectors();
  const TopicAttention attention(model);
  std::vector<double> views(attention.topics() * words.columns);
  std::vector<float> weights(attention.topics());
  auto entry = counts.begin();
  for (const WordTerm& term : terms) {
    while (entry->word != term.word) ++entry;
    const auto row = words.row(term.word);
    attention.weights(*entry, weights);
    for (std::size_t k = 0; k < weights.size(); ++k) {
      const double weight = weights[k] * term.coefficient;
      if (weight == 0) continue;
      double* view = views.data() + k * words.columns;
      for (std::size_t d = 0; d < row.size(); ++d) view[d] += weight * row[d];
    }
  }
  return views;
}

std::vector<WordPart> word_parts(MatrixView words, std::span<const WordTerm> terms, std::span<const double> vector,
                                 std::size_t top) {
  std::vector<WordPart> parts;
  for (const WordTerm& term : terms) {
    const auto row = words.row(term.word);
    double sum = 0;
    for (std::size_t d = 0; d < row.size(); ++d) sum += row[d] * vector[d];
    parts.push_back({term.word, term.coefficient * sum});
  }
  const auto end = parts.begin() + static_cast<std::ptrdiff_t>(std::min(top, parts.size()));
  std::partial_sort(parts.begin(), end, parts.end(), [](const WordPart& x, const WordPart& y) {
    const double a = std::abs(x.part), b = std::abs(y.part);
    return a != b ? a > b : x.word < y.word;
  });
  return {parts.begin(), end};  // a copy, which takes no more room than it needs
}

std::vector<TopicPart> topic_parts(std::span<const double> views, std::span<const double> vector) {
  std::vector<TopicPart> parts;
  for (std::size_t k = 0; k * vector.size() < views.size(); ++k) {
    const double part = product(views.subspan(k * vector.size(), vector.size()), vector);
    if (part != 0) parts.push_back({k + 1, part});
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const TopicPart& x, const TopicPart& y) { return std::abs(x.part) > std::abs(y.part); });
  return parts;
}

std::vector<WordPair> top_word_pairs(MatrixView words, std::span<const BoundedTerm> a, std::span<const BoundedTerm> b,
                                     std::size_t top, double scale, const Run& run) {
  // No pair's product exceeds the product of the two lengths, so that with the longest first most pairs of two long
  // texts are never looked at. The slack is for rounding.
  constexpr double kSlack = 1 + 1e-5;
  Best<WordPair> best(top);
  for (const BoundedTerm& x : a) {
    run.check();
    for (const BoundedTerm& y : b) {
      if (!best.wants(x.bound * y.bound * std::abs(scale) * kSlack)) break;
      const double cosines = dot(words.row(x.term.word).data(), words.row(y.term.word).data(), words.columns);
      best.offer({x.term.word, y.term.word, x.term.coefficient * y.term.coefficient * scale * cosines});
    }
  }
  return best.sorted();
}

PairExplanation explain_pair(const TextEncoder& encoder, const KnownText& a, const KnownText& b, std::size_t top,
                             const Run& run) {
  const auto terms_a = encoder.terms(a.counts), terms_b = encoder.terms(b.counts);
  if (!terms_a || !terms_b)
    throw Error("this model's vectors are no sums over words: it cannot tell why two are close");
  const Model& model = encoder.model();
  const MatrixView words = model.word_vectors();
  const std::vector<double> vector_a = sum_of_terms(words, *terms_a), vector_b = sum_of_terms(words, *terms_b);
  PairExplanation result;
  result.score = product(vector_a, vector_b);
  const double norms = norm(vector_a) * norm(vector_b);
  if (norms > 0) result.cosine = result.score / norms;
  result.words_a = word_parts(words, *terms_a, vector_b);
  result.words_b = word_parts(words, *terms_b, vector_a);
  result.words = top_word_pairs(words, longest_first(words, *terms_a), longest_first(words, *terms_b), top, 1, run);
  result.other_words = result.score - sum_of_parts(result.words);
  if (model.has_topics()) {
    const std::vector<double> views_a = topic_views(model, a.counts, *terms_a);
    run.check();
    const std::vector<double> views_b = topic_views(model, b.counts, *terms_b);
    result.topics_a = topic_parts(views_a, vector_b);
    result.topics_b = topic_parts(views_b, vector_a);
    result.topics = top_topic_pairs(views_a, views_b, words.columns, top);
    result.other_topics = result.score - sum_of_parts(result.topics);
  }
  return result;
}

}  // namespace idne
