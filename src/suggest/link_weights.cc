#include "suggest/link_weights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include "idne/corpus.h"
#include "math/parallel.h"
#include "methods/sample.h"
#include "model/tensors.h"
#include "suggest/link_scorer.h"
#include "suggest/spread_link_ranks.h"

namespace idne {
namespace {

constexpr std::array kTried{0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0};
/// So many documents are looked at, or fewer, so that there are no more scores than these, but no fewer than the least.
constexpr std::size_t kMostSampled = 1000, kMostScores = 10'000'000, kLeastSampled = 400;
/// What words and votes say of all documents as links of a text.
class Scores {
 public:
  Scores(const LinkScorer& scorer, std::span<const WordCount> words, std::optional<std::uint32_t> self)
      : self_(self), by_words_(scorer.words().documents()), votes_(by_words_.size()) {
    scorer.words().add_scores(words, by_words_);
    const std::uint32_t own = self.value_or(0);
    scorer.neighbours().add_votes(scorer.word_voters(by_words_, self), by_words_, std::span(&own, self ? 1 : 0),
                                  votes_);
  }

  double reciprocal_rank(std::span<const std::uint32_t> linked, double votes_weight) const {
    const auto weight = static_cast<float>(votes_weight);
    const auto score = [&](std::size_t row) { return by_words_[row] + weight * votes_[row]; };
    float best = 0;
    for (const std::uint32_t row : linked) best = std::max(best, score(row));
    if (!(best > 0)) return 0;
    std::size_t rank = 1;
    for (std::size_t row = 0; row < by_words_.size(); ++row) rank += score(row) > best && row != self_;
    return 1 / static_cast<double>(rank);
  }

 private:
  std::optional<std::uint32_t> self_;
  std::vector<float> by_words_, votes_;
};

/// Those of the model's documents whose links can be looked for.
std::vector<std::uint32_t> useful_documents(const LinkScorer& scorer) {
  const BagsView& words = scorer.documents();
  std::vector<std::uint32_t> useful;
  for (std::uint32_t i = 0; i < words.size(); ++i) {
    if (!words.words()[i].empty() && scorer.neighbours().count(i) > 0) useful.push_back(i);
  }
  return useful;
}

/// The mean of the tried weights, each counted e times less for half a point of mean reciprocal rank less than the
/// best: several are often equally good, and then the best of them would change with a few documents.
double mean_of_good_weights(std::span<const double> sums, double documents) {
  constexpr double kHalfPoint = 0.005;
  const double best = std::ranges::max(sums);
  if (!(best > 0)) return LinkWeights{}.votes;
  double weighted = 0, all = 0;
  for (std::size_t k = 0; k < sums.size(); ++k) {
    const double share = std::exp((sums[k] - best) / documents / kHalfPoint);
    weighted += share * kTried[k];
    all += share;
  }
  return weighted / all;
}

/// Of some of a model's documents, each taken for a new one; none if there are too few.
std::vector<std::vector<double>> ranks_of_sample(const Model& model, const Run& run) {
  const LinkScorer scorer(model);
  std::vector<SampledDocument> useful;
  for (const std::uint32_t document : useful_documents(scorer)) {
    useful.push_back({digest_of(model.documents().ids[document]), document});
  }
  if (useful.size() < kFewestForWeights) return {};
  take_sample(useful, documents_sampled(useful.size()));
  std::vector<std::vector<double>> ranks(useful.size());
  parallel_for(run.threads, useful.size(), [&](std::size_t n, std::size_t) {
    run.check();
    const std::uint32_t document = useful[n].document;
    const Scores scores(scorer, scorer.documents()[document], document);
    const std::vector<std::uint32_t> linked = scorer.neighbours().all(document);
    for (const double weight : kTried) ranks[n].push_back(scores.reciprocal_rank(linked, weight));
  });
  return ranks;
}

}  // namespace

void take_sample(std::vector<SampledDocument>& documents, std::size_t most) {
  std::ranges::sort(documents);
  documents.resize(std::min(most, documents.size()));
}

std::size_t documents_sampled(std::size_t useful) {
  return std::clamp(kMostScores / std::max<std::size_t>(1, useful), kLeastSampled, kMostSampled);
}

void learn_link_weights(Model& model, const Run& run) {
  ModelMaker maker(model);
  const Placement* spread = maker.spread().get();
  const std::vector<std::vector<double>> ranks =
      spread ? spread_link_ranks(model, *spread, kTried, run) : ranks_of_sample(model, run);
  LinkWeights weights;
  if (!ranks.empty()) {
    std::array<double, kTried.size()> sums{};
    for (const std::vector<double>& one : ranks) {
      for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += one[k];
    }
    weights.votes = mean_of_good_weights(sums, static_cast<double>(ranks.size()));
  }
  maker.set(layout::kLinkWeights, std::vector{static_cast<float>(weights.space), static_cast<float>(weights.votes)});
}

double reciprocal_rank(const LinkScorer& scorer, std::span<const WordCount> words,
                       std::span<const std::uint32_t> linked, std::optional<std::uint32_t> self, double votes_weight) {
  return Scores(scorer, words, self).reciprocal_rank(linked, votes_weight);
}

double usual_reciprocal_rank(const LinkScorer& scorer, const Model& model, std::size_t sample, const Run& run) {
  std::vector<std::uint32_t> useful = useful_documents(scorer);
  const ListsView& links = model.documents().links;
  std::erase_if(useful, [&](std::uint32_t document) { return links[document].empty(); });  // in groups alone
  const std::vector<std::uint32_t> some = even_sample(useful.size(), sample);
  const double weight = link_weights(model).votes;
  std::vector<double> ranks(some.size());
  parallel_for(run.threads, some.size(), [&](std::size_t n, std::size_t) {
    run.check();
    const std::uint32_t document = useful[some[n]];
    ranks[n] =
        reciprocal_rank(scorer, scorer.documents()[document], scorer.neighbours().all(document), document, weight);
  });
  return ranks.empty() ? 0 : std::accumulate(ranks.begin(), ranks.end(), 0.0) / static_cast<double>(ranks.size());
}

}  // namespace idne
