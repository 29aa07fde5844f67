#include <algorithm>
#include <cmath>
#include <queue>
#include <tuple>

#include "explain/explain.h"
#include "math/kernels.h"
#include "methods/attention.h"
#include "methods/idne.h"

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

/// A term with the length of its vector, which bounds its products.
struct Bounded {
  WordTerm term;
  double bound;
};

std::vector<Bounded> longest_first(MatrixView words, std::span<const WordTerm> terms) {
  std::vector<Bounded> result;
  for (const WordTerm& term : terms) {
    const float* row = words.row(term.word).data();
    result.push_back({term, std::abs(term.coefficient) * std::sqrt(static_cast<double>(dot(row, row, words.columns)))});
  }
  std::stable_sort(result.begin(), result.end(), [](const Bounded& x, const Bounded& y) { return x.bound > y.bound; });
  return result;
}

/// The formula of IDNE: X_w / |X| for the words that have any attention.
std::vector<WordTerm> attended_terms(const Model& model, std::span<const WordCount> counts) {
  const MatrixView words = model.words(), topics = model.topics();
  const Activation activation = activation_of(model);
  std::uint64_t length = 0;
  for (const WordCount& entry : counts) length += entry.count;
  std::vector<WordTerm> terms;
  std::vector<float> weights(topics.rows);
  for (const WordCount& entry : counts) {
    topic_products(topics, words.row(entry.word), weights);
    attention_weights(activation, weights, entry.count, weights);
    if (std::any_of(weights.begin(), weights.end(), [](float weight) { return weight > 0; })) {
      terms.push_back({entry.word, entry.count / static_cast<double>(length)});
    }
  }
  return terms;
}

}  // namespace

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

std::optional<std::vector<WordTerm>> word_terms(const Model& model, std::span<const WordCount> counts) {
  if (!model.has("words.vectors")) return std::nullopt;
  if (model.has("topics.vectors")) return attended_terms(model, counts);
  // The other methods: the sum over the words' counts, times some number. The encoder tells which.
  std::vector<WordTerm> terms;
  for (const WordCount& entry : counts) terms.push_back({entry.word, static_cast<double>(entry.count)});
  const auto encoder = find_method(model.text("method")).encoder(model);
  if (encoder->dimensions() != model.words().columns) return std::nullopt;
  std::vector<float> vector(encoder->dimensions());
  encoder->encode(counts, vector);
  const std::vector<double> whole(vector.begin(), vector.end()), sum = sum_of_terms(model.words(), terms);
  const double square = product(sum, sum);
  const double scale = square > 0 ? product(whole, sum) / square : 0;
  double error = 0;
  for (std::size_t d = 0; d < sum.size(); ++d) error += std::pow(whole[d] - scale * sum[d], 2);
  constexpr double kRounding = 1e-8;
  if (!(error <= kRounding * product(whole, whole))) return std::nullopt;
  for (WordTerm& term : terms) term.coefficient *= scale;
  return terms;
}

std::vector<double> topic_views(const Model& model, std::span<const WordCount> counts,
                                std::span<const WordTerm> terms) {
  const MatrixView words = model.words(), topics = model.topics();
  const Activation activation = activation_of(model);
  std::vector<double> views(topics.rows * words.columns);
  std::vector<float> weights(topics.rows);
  auto entry = counts.begin();
  for (const WordTerm& term : terms) {
    while (entry->word != term.word) ++entry;
    const auto row = words.row(term.word);
    topic_products(topics, row, weights);
    attention_weights(activation, weights, entry->count, weights);
    for (std::size_t k = 0; k < topics.rows; ++k) {
      const double weight = weights[k] * term.coefficient;
      if (weight == 0) continue;
      double* view = views.data() + k * words.columns;
      for (std::size_t d = 0; d < row.size(); ++d) view[d] += weight * row[d];
    }
  }
  return views;
}

std::vector<WordPart> word_parts(MatrixView words, std::span<const WordTerm> terms, std::span<const double> vector) {
  std::vector<WordPart> parts;
  for (const WordTerm& term : terms) {
    const auto row = words.row(term.word);
    double sum = 0;
    for (std::size_t d = 0; d < row.size(); ++d) sum += row[d] * vector[d];
    parts.push_back({term.word, term.coefficient * sum});
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const WordPart& x, const WordPart& y) { return std::abs(x.part) > std::abs(y.part); });
  return parts;
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

std::vector<WordPair> top_word_pairs(MatrixView words, std::span<const WordTerm> a, std::span<const WordTerm> b,
                                     std::size_t top, double scale) {
  // No pair's product exceeds the product of the two lengths, so that with the longest first most pairs of two long
  // texts are never looked at. The slack is for rounding.
  constexpr double kSlack = 1 + 1e-5;
  const std::vector<Bounded> left = longest_first(words, a), right = longest_first(words, b);
  Best<WordPair> best(top);
  for (const Bounded& x : left) {
    for (const Bounded& y : right) {
      if (!best.wants(x.bound * y.bound * std::abs(scale) * kSlack)) break;
      const double cosines = dot(words.row(x.term.word).data(), words.row(y.term.word).data(), words.columns);
      best.offer({x.term.word, y.term.word, x.term.coefficient * y.term.coefficient * scale * cosines});
    }
  }
  return best.sorted();
}

PairExplanation explain_pair(const Model& model, const KnownText& a, const KnownText& b, std::size_t top) {
  const auto terms_a = word_terms(model, a.counts), terms_b = word_terms(model, b.counts);
  if (!terms_a || !terms_b)
    throw Error("this model's vectors are no sums over words: it cannot tell why two are close");
  const MatrixView words = model.words();
  const std::vector<double> vector_a = sum_of_terms(words, *terms_a), vector_b = sum_of_terms(words, *terms_b);
  PairExplanation result;
  result.score = product(vector_a, vector_b);
  const double norms = norm(vector_a) * norm(vector_b);
  if (norms > 0) result.cosine = result.score / norms;
  result.words_a = word_parts(words, *terms_a, vector_b);
  result.words_b = word_parts(words, *terms_b, vector_a);
  result.words = top_word_pairs(words, *terms_a, *terms_b, top, 1);
  result.other_words = result.score - sum_of_parts(result.words);
  if (model.has("topics.vectors")) {
    const std::vector<double> views_a = topic_views(model, a.counts, *terms_a);
    const std::vector<double> views_b = topic_views(model, b.counts, *terms_b);
    result.topics_a = topic_parts(views_a, vector_b);
    result.topics_b = topic_parts(views_b, vector_a);
    result.topics = top_topic_pairs(views_a, views_b, words.columns, top);
    result.other_topics = result.score - sum_of_parts(result.topics);
  }
  return result;
}

}  // namespace idne
