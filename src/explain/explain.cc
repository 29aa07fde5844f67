#include "idne/explain.h"

#include <algorithm>

#include "methods/attention.h"
#include "methods/idne.h"

namespace idne {

Explanation explain(const Model& model, const TextEncoder& encoder, std::string_view text) {
  if (!model.has("topics.vectors")) throw Error("this model's method has no topics; train with --method idne");
  const MatrixView words = model.words(), topics = model.topics();
  const Activation activation = activation_of(model);
  Tokenizer tokenizer;
  const std::vector<WordCount> counts = encoder.words(text, tokenizer);

  struct Attention {
    std::size_t topic;  ///< from 0
    float weight;
  };
  std::vector<Attention> strongest;  // by place in `counts`
  std::vector<double> shares(topics.rows);
  std::vector<float> weights(topics.rows);
  double length = 0;
  for (const WordCount& entry : counts) {
    topic_products(topics, words.row(entry.word), weights);
    attention_weights(activation, weights, entry.count, weights);
    for (std::size_t k = 0; k < topics.rows; ++k) shares[k] += static_cast<double>(weights[k]) * entry.count;
    const auto largest = std::max_element(weights.begin(), weights.end());
    strongest.push_back({static_cast<std::size_t>(largest - weights.begin()), *largest});
    length += entry.count;
  }

  Explanation result;
  for (std::size_t k = 0; k < shares.size(); ++k) {
    if (shares[k] > 0) result.topics.push_back({k + 1, shares[k] / length});
  }
  std::stable_sort(result.topics.begin(), result.topics.end(),
                   [](const TopicShare& a, const TopicShare& b) { return a.share > b.share; });

  std::size_t told = 0;
  const auto tell_until = [&](std::size_t end) {
    if (end > told) result.tokens.push_back({text.substr(told, end - told), {}, {}, 0});
    told = end;
  };
  Token token;
  tokenizer.start(text);
  while (tokenizer.next(token)) {
    const auto word = encoder.vocabulary().find(token.word);
    if (!word) continue;
    tell_until(token.begin);
    const auto place = std::lower_bound(counts.begin(), counts.end(), *word,
                                        [](const WordCount& entry, std::uint32_t w) { return entry.word < w; });
    const Attention& attention = strongest[static_cast<std::size_t>(place - counts.begin())];
    ExplainedToken explained{text.substr(token.begin, token.end - token.begin), word, {}, attention.weight};
    if (attention.weight > 0) explained.topic = attention.topic + 1;
    result.tokens.push_back(explained);
    told = token.end;
  }
  tell_until(text.size());
  return result;
}

}  // namespace idne
