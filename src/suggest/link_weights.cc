#include "suggest/link_weights.h"

#include <array>

#include "math/parallel.h"
#include "methods/sample.h"
#include "model/tensors.h"
#include "suggest/link_scorer.h"

namespace idne {
namespace {

constexpr std::array kTried{0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0};
constexpr std::size_t kSampledDocuments = 400;
/// With fewer the fixed weight stays: chance would choose.
constexpr std::size_t kFewestDocuments = 30;

using Ranks = std::array<double, kTried.size()>;

/// With each weight 1 / the rank of the first document that one of the corpus is linked with, among all others.
Ranks reciprocal_ranks(const LinkScorer& scorer, const BagsView& words, std::uint32_t document) {
  std::vector<float> by_words(words.size()), votes(words.size());
  scorer.words().add_scores(words[document], by_words);
  scorer.neighbours().add_votes(scorer.word_voters(by_words, document), by_words, std::span(&document, 1), votes);
  const std::vector<std::uint32_t> linked = scorer.neighbours().all(document);
  Ranks ranks{};
  for (std::size_t n = 0; n < kTried.size(); ++n) {
    const auto weight = static_cast<float>(kTried[n]);
    const auto score = [&](std::size_t row) { return by_words[row] + weight * votes[row]; };
    float best = 0;
    for (const std::uint32_t row : linked) best = std::max(best, score(row));
    if (!(best > 0)) continue;
    std::size_t rank = 1;
    for (std::size_t row = 0; row < words.size(); ++row) rank += score(row) > best && row != document;
    ranks[n] = 1 / static_cast<double>(rank);
  }
  return ranks;
}

}  // namespace

void learn_link_weights(Model& model, const Run& run) {
  const BagsView& words = model.documents().words;
  const LinkScorer scorer(model);
  std::vector<std::uint32_t> useful;
  for (std::uint32_t i = 0; i < words.size(); ++i) {
    if (!words.words()[i].empty() && scorer.neighbours().count(i) > 0) useful.push_back(i);
  }
  LinkWeights weights;
  if (useful.size() >= kFewestDocuments) {
    const std::vector<std::uint32_t> sample = even_sample(useful.size(), kSampledDocuments);
    std::vector<Ranks> ranks(sample.size());
    parallel_for(run.threads, sample.size(), [&](std::size_t n, std::size_t) {
      run.check();
      ranks[n] = reciprocal_ranks(scorer, words, useful[sample[n]]);
    });
    Ranks sums{};
    for (const Ranks& one : ranks) {
      for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += one[k];
    }
    double best = 0;
    for (std::size_t k = 0; k < sums.size(); ++k) {
      if (kTried[k] == weights.votes) best = sums[k];
    }
    for (std::size_t k = 0; k < sums.size(); ++k) {
      if (sums[k] > best) best = sums[k], weights.votes = kTried[k];
    }
  }
  ModelMaker(model).set(layout::kLinkWeights,
                        std::vector{static_cast<float>(weights.space), static_cast<float>(weights.votes)});
}

}  // namespace idne
