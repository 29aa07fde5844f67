#include "suggest/reasons.h"

#include <algorithm>

#include "math/unit.h"

namespace idne {
namespace {

/// Of a longer text only so many words, those with the longest vectors, are paired with the words of documents.
constexpr std::size_t kMostTerms = 300;

}  // namespace

bool same_idea(std::string_view a, std::string_view b) {
  constexpr std::size_t kStem = 4, kEnding = 3;
  const auto [x, y] = std::ranges::mismatch(a, b);
  const auto common = static_cast<std::size_t>(x - a.begin());
  if (common == a.size() && common == b.size()) return true;
  return common >= kStem && a.size() - common <= kEnding && b.size() - common <= kEnding;
}

std::vector<WordPair> one_idea_once(std::span<const WordPart> shared, std::span<const WordPair> pairs,
                                    const Words& words, std::size_t top, double least) {
  std::vector<WordPair> all;
  for (const WordPart& part : shared) all.push_back({part.word, part.word, part.part});
  for (const WordPair& pair : pairs) {
    const auto same = std::ranges::find_if(all, [&](const WordPair& it) { return it.a == pair.a && it.b == pair.b; });
    if (same != all.end()) {
      same->part += pair.part;
    } else {
      all.push_back(pair);
    }
  }
  std::ranges::stable_sort(all, std::ranges::greater{}, &WordPair::part);
  std::vector<WordPair> kept;
  const auto is_used = [&](std::uint32_t word) {
    return std::ranges::any_of(kept, [&](const WordPair& pair) {
      const std::string_view one = words.matched(word);
      return same_idea(one, words.matched(pair.a)) || same_idea(one, words.matched(pair.b));
    });
  };
  for (const WordPair& pair : all) {
    if (kept.size() == top || !(pair.part > 0) || pair.part < least) break;
    if (!is_used(pair.a) && !is_used(pair.b)) kept.push_back(pair);
  }
  return kept;
}

LinkReasons::LinkReasons(const TextEncoder& encoder, std::span<const WordCount> words, std::span<const float> vector)
    : encoder_(encoder), model_(encoder.model()), length_(length_of(vector)) {
  const auto terms = encoder.terms(words);
  if (!terms || !(length_ > 0)) return;
  terms_ = *terms;
  text_ = sum_of_terms(model_.word_vectors(), terms_);
  longest_ = longest_first(model_.word_vectors(), terms_, kMostTerms);
  if (model_.has_topics()) views_ = topic_views(model_, words, terms_);
}

/// The vector of the word space whose product with the text's own is that of its unit vector with `other` / `length`.
std::vector<double> LinkReasons::towards(std::span<const float> other, double length) const {
  std::vector<double> towards = encoder_.direction(other, text_);
  const double scale = length * length_;
  for (double& value : towards) value = scale > 0 ? value / scale : 0;
  return towards;
}

std::vector<WordPart> LinkReasons::word_parts_of(std::span<const float> direction) const {
  if (terms_.empty()) return {};
  return word_parts(model_.word_vectors(), terms_, towards(direction, 1));
}

void LinkReasons::explain_space(SuggestedLink& link, double space_weight, const SuggestionCounts& counts) const {
  if (terms_.empty()) return;
  const auto vector = model_.documents().vectors.row(link.document);
  const double far = length_of(vector);
  if (!(far > 0)) return;
  if (!views_.empty()) {
    link.topics = topic_parts(views_, towards(vector, far));
    link.topics.resize(std::min(counts.topics, link.topics.size()));
    for (TopicPart& part : link.topics) part.part *= space_weight;
  }
  if (const auto terms = encoder_.document_terms(link.document)) {
    const MatrixView words = model_.word_vectors();
    link.pairs = top_word_pairs(words, longest_, longest_first(words, *terms, kMostTerms), counts.words,
                                space_weight / (length_ * far));
  }
}

}  // namespace idne
