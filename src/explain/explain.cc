#include "explain/explain.h"

#include <fmt/format.h>

#include <algorithm>

#include "methods/attention.h"
#include "methods/idne.h"
#include "model/document_words.h"

namespace idne {
namespace {

struct Attention {
  std::size_t topic = 0;  ///< from 0
  float weight = 0;
};

/// Fills the shares, and returns each word's strongest topic, by its place in `counts`.
std::vector<Attention> attend(const Model& model, std::span<const WordCount> counts, std::vector<TopicShare>& shares) {
  const MatrixView words = model.words(), topics = model.topics();
  const Activation activation = activation_of(model);
  std::vector<Attention> strongest;
  std::vector<double> sums(topics.rows);
  std::vector<float> weights(topics.rows);
  double length = 0;
  for (const WordCount& entry : counts) {
    topic_products(topics, words.row(entry.word), weights);
    attention_weights(activation, weights, entry.count, weights);
    for (std::size_t k = 0; k < topics.rows; ++k) sums[k] += static_cast<double>(weights[k]) * entry.count;
    const auto largest = std::max_element(weights.begin(), weights.end());
    strongest.push_back({static_cast<std::size_t>(largest - weights.begin()), *largest});
    length += entry.count;
  }
  for (std::size_t k = 0; k < sums.size(); ++k) {
    if (sums[k] > 0) shares.push_back({k + 1, sums[k] / length});
  }
  std::stable_sort(shares.begin(), shares.end(),
                   [](const TopicShare& a, const TopicShare& b) { return a.share > b.share; });
  return strongest;
}

/// `text` is what the tokens shall point into.
Explanation explain_places(const Model& model, std::string_view text, std::span<const KnownText::Place> places,
                           std::span<const WordCount> counts) {
  if (!model.has("topics.vectors")) throw Error("this model's method has no topics; train with --method idne");
  Explanation result;
  const std::vector<Attention> strongest = attend(model, counts, result.topics);
  std::size_t told = 0;
  const auto tell_until = [&](std::size_t end) {
    if (end > told) result.tokens.push_back({text.substr(told, end - told), {}, {}, 0});
    told = end;
  };
  for (const KnownText::Place& place : places) {
    tell_until(place.begin);
    const auto entry = std::lower_bound(counts.begin(), counts.end(), place.word,
                                        [](const WordCount& count, std::uint32_t w) { return count.word < w; });
    const Attention& attention = strongest[static_cast<std::size_t>(entry - counts.begin())];
    ExplainedToken token{text.substr(place.begin, place.end - place.begin), place.word, {}, attention.weight};
    if (attention.weight > 0) token.topic = attention.topic + 1;
    result.tokens.push_back(token);
    told = place.end;
  }
  tell_until(text.size());
  return result;
}

void find_places(const TextEncoder& encoder, std::string_view text, KnownText& known) {
  Tokenizer tokenizer;
  Token token;
  std::vector<std::uint32_t> words;
  tokenizer.start(text);
  while (tokenizer.next(token)) {
    if (const auto word = encoder.vocabulary().find(token.word)) {
      known.places.push_back({token.begin, token.end, *word});
      words.push_back(*word);
    }
  }
  known.counts = count_words(std::move(words));
}

}  // namespace

KnownText known_text(const TextEncoder& encoder, std::string text) {
  KnownText known;
  find_places(encoder, text, known);
  known.text = std::move(text);
  return known;
}

KnownText document_text(const Model& model, std::size_t document) {
  std::vector<WordCount> words = document_words(model, document);
  const StringsView strings = model.strings("words.strings");
  KnownText known;
  for (const WordCount& entry : words) {
    for (std::uint32_t n = 0; n < entry.count; ++n) {
      if (!known.text.empty()) known.text += ' ';
      const std::size_t begin = known.text.size();
      known.text += strings[entry.word];
      known.places.push_back({begin, known.text.size(), entry.word});
    }
  }
  known.counts = std::move(words);
  return known;
}

Explanation explain(const Model& model, const KnownText& text) {
  return explain_places(model, text.text, text.places, text.counts);
}

Explanation explain(const Model& model, const TextEncoder& encoder, std::string_view text) {
  KnownText known;
  find_places(encoder, text, known);
  return explain_places(model, text, known.places, known.counts);
}

}  // namespace idne
