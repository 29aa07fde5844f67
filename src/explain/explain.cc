#include "explain/explain.h"

#include <fmt/format.h>

#include <algorithm>

#include "idne/error.h"
#include "methods/attention.h"

namespace idne {
namespace {

/// Words between two questions whether to go on.
constexpr std::size_t kWordsAtOnce = 1024;

struct Attention {
  std::size_t topic = 0;  ///< from 0
  float weight = 0;
};

/// Fills the shares, and returns each word's strongest topic, by its place in `counts`.
std::vector<Attention> attend(const TopicAttention& attention, std::span<const WordCount> counts,
                              std::vector<TopicShare>& shares, const Run& run) {
  std::vector<Attention> strongest;
  std::vector<double> sums(attention.topics());
  std::vector<float> weights(attention.topics());
  double length = 0;
  for (const WordCount& entry : counts) {
    if (strongest.size() % kWordsAtOnce == 0) run.check();
    attention.weights(entry, weights);
    for (std::size_t k = 0; k < weights.size(); ++k) sums[k] += static_cast<double>(weights[k]) * entry.count;
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

}  // namespace

KnownText known_text(const TextEncoder& encoder, std::string text) {
  Tokenizer tokenizer;
  return known_text(encoder, std::move(text), tokenizer);
}

KnownText known_text(const TextEncoder& encoder, std::string text, Tokenizer& tokenizer, const Run& run) {
  KnownText known;
  std::vector<std::uint32_t> words;
  for (const TextEncoder::Place& place : encoder.places(text, tokenizer, run)) {
    known.places.push_back({place.begin, place.end, place.word});
    words.push_back(place.word);
  }
  known.counts = count_words(std::move(words));
  known.text = std::move(text);
  return known;
}

KnownText document_text(const Model& model, std::size_t document) {
  std::vector<WordCount> words = model.document_words()[document];
  const StringsView& strings = model.words().shown();
  constexpr std::uint64_t kMostWords = 10'000'000;  // a few hundred bytes each: what a model says is not to be trusted
  std::uint64_t length = 0;
  for (const WordCount& entry : words) length += entry.count;
  if (length > kMostWords) {
    throw Error(
        fmt::format("the document '{}' has {} words, more than can be shown", model.documents().ids[document], length));
  }
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

Explanation explain(const Model& model, const KnownText& known, const Run& run) {
  Explanation result;
  const std::vector<Attention> strongest = attend(TopicAttention(model), known.counts, result.topics, run);
  const std::string_view text = known.text;
  std::size_t emitted = 0, seen = 0;
  const auto emit_until = [&](std::size_t end) {
    if (end > emitted) result.tokens.push_back({text.substr(emitted, end - emitted), {}, {}, 0});
    emitted = end;
  };
  for (const KnownText::Place& place : known.places) {
    emit_until(place.begin);
    const auto entry = std::lower_bound(known.counts.begin(), known.counts.end(), place.word,
                                        [](const WordCount& count, std::uint32_t w) { return count.word < w; });
    const Attention& attention = strongest[static_cast<std::size_t>(entry - known.counts.begin())];
    ExplainedToken token{text.substr(place.begin, place.end - place.begin), place.word, {}, attention.weight};
    if (attention.weight > 0) token.topic = attention.topic + 1;
    result.tokens.push_back(token);
    emitted = place.end;
    if (++seen % kWordsAtOnce == 0) run.check();
  }
  emit_until(text.size());
  return result;
}

}  // namespace idne
