#include <algorithm>

#include "idne/explain.h"
#include "methods/attention.h"
#include "text/coherence.h"

namespace idne {

TopicReport report_topics(const Model& model, std::size_t top, int threads) {
  constexpr std::size_t kForDiversity = 10;
  if (!model.has("topics.vectors")) throw Error("this model's method has no topics; train with --method idne");
  const StringsView words = model.strings("words.strings");
  const auto shares = model.floats("topics.shares"), coherence = model.floats("topics.npmi");
  const auto best = top_words(model.words(), model.topics(), std::max(top, kForDiversity), threads);
  TopicReport report{{}, 0, 0};
  std::vector<std::vector<std::uint32_t>> first;
  for (std::size_t k = 0; k < best.size(); ++k) {
    TopicSummary summary{k + 1, shares[k], coherence[k], {}};
    first.emplace_back();
    for (std::size_t n = 0; n < best[k].size(); ++n) {
      const auto [word, score] = best[k][n];
      if (n < top) summary.words.push_back({std::string(words[word]), score});
      if (n < kForDiversity) first.back().push_back(word);
    }
    report.npmi += coherence[k] / static_cast<double>(best.size());
    report.topics.push_back(std::move(summary));
  }
  report.diversity = diversity(first);
  return report;
}

}  // namespace idne
